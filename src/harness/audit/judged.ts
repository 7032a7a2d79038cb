import type {Finding} from './finding.ts';

/** What a check came to. */
export interface Judged {
  readonly findings: readonly Finding[];
  /** What the source has too little of to be judged. */
  readonly notJudged: readonly NotJudged[];
}

export interface NotJudged {
  readonly what: string;
  readonly count: number;
}
