// The expected outcome of every composition function, as matchers for `expect`: of a world as it is now, or of a scenario that
// ran. They need no test runner of a certain kind: `expect.extend(matchers)` takes them in Vitest and in Jest.

import type {External} from '../../cluster/cloud/ledger-state.ts';
import {type KubeObject, shortName} from '../../cluster/object.ts';
import {addressOf, doubledExternals, externalNameOf} from '../control-plane/oracle/externals.ts';
import {unsynced} from '../control-plane/oracle/syncing.ts';
import {objectOf} from '../control-plane/record/changes.ts';
import type {TimelineEntry} from '../control-plane/record/timeline.ts';
import {objectText} from '../control-plane/record/words.ts';
import type {RunResult} from '../scenario/run-result.ts';
import type {Patience} from './options.ts';
import type {World} from './world.ts';

/** The answer of a matcher: the same in Vitest and in Jest. */
export interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

export const matchers: {
  readonly toConverge: (received: unknown, patience?: Patience) => Promise<Verdict>;
  readonly toHaveNoOrphans: (received: unknown) => Verdict;
  readonly toKeepExternalIds: (received: unknown) => Verdict;
} = {
  /**
   * The control plane comes to rest, nothing in it is stuck and every XR syncs. A world is let run until it rests, so this
   * is awaited; of a scenario that ran, its end is looked at.
   */
  async toConverge(received, patience = {}) {
    const subject = subjectOf(received);
    const restless = isWorld(subject) ? await subject.settle(patience) : undefined;
    const {objects, stuck} = factsOf(subject);
    const problems = [...(restless === undefined ? [] : [restless]), ...stuck, ...unsynced(objects)];
    return verdict(problems, 'to converge', 'it did');
  },

  /** Every composed resource that lives is listed by an XR or controlled by an object that lives. */
  toHaveNoOrphans(received) {
    const orphans = factsOf(subjectOf(received)).orphans.map(({object}) => `${addressText(object)} is an orphan`);
    return verdict(orphans, 'to have no orphans', 'it has none');
  },

  /**
   * No managed resource ever led to another external resource than before, and none has two of them alive: what a restore
   * must not do.
   */
  toKeepExternalIds(received) {
    const {timeline, externals} = factsOf(subjectOf(received));
    const twice = doubledExternals(externals).map((one) => `${one} has more than one external resource alive`);
    return verdict([...renamedIn(timeline), ...twice], 'to keep external ids', 'every one was kept');
  },
};

interface Facts {
  readonly objects: readonly KubeObject[];
  readonly orphans: World['orphans'] extends () => infer T ? T : never;
  readonly stuck: readonly string[];
  readonly timeline: readonly TimelineEntry[];
  readonly externals: readonly External[];
}

function factsOf(subject: World | RunResult): Facts {
  if (!isWorld(subject)) return {...subject, externals: subject.externals.list};
  return {
    objects: subject.objects(),
    orphans: subject.orphans(),
    stuck: subject.stuck(),
    timeline: subject.timeline(),
    externals: subject.externals(),
  };
}

function subjectOf(received: unknown): World | RunResult {
  const subject = received as Partial<World & RunResult> | null | undefined;
  if (typeof subject === 'object' && subject?.orphans !== undefined && subject.timeline !== undefined) {
    return subject as World | RunResult;
  }
  throw new TypeError(
    `expected a world or the result of a scenario, got ${received === null ? 'null' : typeof received}`,
  );
}

function isWorld(subject: World | RunResult): subject is World {
  return typeof subject.orphans === 'function';
}

/** Each change of an object's external name, as a sentence. */
function renamedIn(timeline: readonly TimelineEntry[]): readonly string[] {
  const names = new Map<string, string>();
  return timeline.flatMap(({change}) => {
    const object = objectOf(change);
    if (object === undefined) return [];
    const name = externalNameOf(object);
    const before = names.get(addressOf(object));
    if (name !== undefined) names.set(addressOf(object), name);
    if (name === undefined || before === undefined || name === before) return [];
    return [`${addressText(object)} led to ${before} and leads to ${name} now`];
  });
}

function addressText(object: KubeObject): string {
  const named = objectText(object);
  const address = shortName(object);
  return named === address ? address : `${named} ${address}`;
}

function verdict(problems: readonly string[], expected: string, opposite: string): Verdict {
  const pass = problems.length === 0;
  return {pass, message: () => (pass ? `expected it not ${expected}, but ${opposite}` : sentence(problems, expected))};
}

function sentence(problems: readonly string[], expected: string): string {
  return [`expected it ${expected}, got:`, ...problems.map((problem) => `  ${problem}`)].join('\n');
}
