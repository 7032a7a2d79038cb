import type {Finding} from './finding.ts';

/** The result of a check. */
export interface Judged {
  readonly findings: readonly Finding[];
  /** The objects that the source is too small to judge. */
  readonly notJudged: readonly NotJudged[];
}

export interface NotJudged {
  readonly what: string;
  readonly count: number;
}

/** The findings of `judge` for each; `what` names those that it cannot judge, in the plural. */
export function findingsOfEach<T>(
  all: readonly T[],
  judge: (one: T) => Finding | 'unknown' | undefined,
  what: string,
): Judged {
  const judged = all.map(judge);
  const count = judged.filter((one) => one === 'unknown').length;
  return {
    findings: judged.filter((one) => one !== undefined && one !== 'unknown'),
    notJudged: count === 0 ? [] : [{what, count}],
  };
}
