import type {ApiResponse} from '../../src/cluster/api/request.ts';
import {conditionOf, isDeleting, type KubeObject, shortName} from '../../src/cluster/object.ts';
import type {Catalogue} from '../../src/harness/control-plane/catalogue.ts';
import type {StepAction} from '../../src/harness/control-plane/operator/action.ts';
import type {Operator, Outcome} from '../../src/harness/control-plane/operator/operator.ts';
import type {Drive} from '../../src/harness/functions/drive.ts';
import type {
  Action,
  ObjectWait,
  ProviderChange,
  RecordedScenario,
  RecordedStep,
  RecordedWait,
  RestoreOptions,
} from './recorded-scenario.ts';
import {chosen, restore, restored, wipe} from './recorder-backup.ts';
import type {RecordedEnd, StepResult} from './recording.ts';

// Runs a recorder's scenario on a world, step by step, as the recorder did: the actions, then the wait, then quiet.
// After an action or an event the recorder waited for `quiet` seconds in which nothing was told to watchers.

/** The world under test, with everything the recorder had around it. */
export interface Bench {
  readonly operator: Operator;
  /** When the recorder's watchers were last told anything. */
  readonly lastEventMs: () => number;
  readonly setProvider: (change: ProviderChange) => void;
  readonly snapshot: () => readonly KubeObject[];
}

interface Progress {
  readonly bench: Bench;
  backup: readonly KubeObject[];
  lastActionMs: number;
}

/** Runs all steps. `began` is told of every step before it runs. */
export function* replay(
  scenario: RecordedScenario,
  bench: Bench,
  began: (index: number) => void,
): Drive<readonly RecordedEnd[]> {
  const progress: Progress = {bench, backup: [], lastActionMs: bench.operator.controlPlane.session.nowMs};
  bench.setProvider(scenario.provider);
  const steps: RecordedEnd[] = [];
  for (const [index, step] of scenario.steps.entries()) {
    began(index);
    const results: StepResult[] = [];
    for (const action of step.actions) results.push(...(yield* carryOut(action, progress)));
    if (step.wait !== undefined) yield* waitFor(step.wait, bench);
    const quiet = step.quietSeconds === 0 ? undefined : yield* quieten(step, progress);
    if (step.actions.some((action) => action.kind === 'wipe')) bench.setProvider({enabled: true});
    steps.push({
      index,
      label: step.label,
      ...(results.length === 0 ? {} : {results}),
      ...(quiet === undefined ? {} : {quiet}),
      snapshot: bench.snapshot(),
    });
  }
  return steps;
}

/** How long the recorder's backup tool took from one create to the next: 7 ms in the median of 91. */
const restorePauseMs = 7;

/** How long a Crossplane took from its start to its first write: at least 374 ms in 30 recordings, mostly 500. */
const bootMs = 380;

/** A restore and the start of Crossplane take their time, in which others act; every other action is one moment. */
function* carryOut(action: Action, progress: Progress): Drive<readonly StepResult[]> {
  const {operator, setProvider} = progress.bench;
  const {session, catalogue} = operator.controlPlane;
  const boots = action.kind === 'operate' && startsCrossplane(action.action);
  if (boots) yield* session.run(session.nowMs + bootMs);
  progress.lastActionMs = session.nowMs;
  switch (action.kind) {
    case 'operate':
      return resultsOf(yield* operator.carryOut(ofFirst(action.action, catalogue)));
    case 'backup':
      progress.backup = action.kinds.flatMap((kind) => catalogue.find({kind}));
      return [];
    case 'wipe':
      setProvider({enabled: false});
      for (const kind of action.kinds) for (const object of catalogue.find({kind})) wipe(object, session);
      return [];
    case 'restore':
      return yield* restoreAll(action, progress);
    case 'provider':
      setProvider(action.change);
      return [];
  }
}

function startsCrossplane(action: StepAction): boolean {
  return action.kind === 'process' && action.process === 'crossplane' && action.change === 'start';
}

/** Where several objects are meant the recorder took the first. */
function ofFirst(action: StepAction, catalogue: Catalogue): StepAction {
  if (!('target' in action)) return action;
  const [found] = catalogue.find(action.target);
  if (found === undefined) return action;
  const {name, namespace} = found.metadata;
  return {...action, target: {...action.target, name, ...(namespace === undefined ? {} : {namespace})}};
}

function* restoreAll(options: RestoreOptions, progress: Progress): Drive<readonly StepResult[]> {
  const {session} = progress.bench.operator.controlPlane;
  const results: StepResult[] = [];
  for (const saved of chosen(progress.backup, options)) {
    if (results.length > 0) yield* session.run(session.nowMs + restorePauseMs);
    const object = restored(saved, options);
    results.push(resultOf(shortName(object), restore(object, saved, options, session)));
  }
  progress.lastActionMs = session.nowMs;
  return results;
}

function resultsOf(outcome: Outcome): readonly StepResult[] {
  if (outcome.kind === 'failed') return [{error: outcome.problem}];
  return outcome.answers.map((answer) => {
    const {object} = answer;
    return answer.kind === 'not-sent' ? {ref: object, error: answer.problem} : resultOf(object, answer.response);
  });
}

function resultOf(ref: string, response: ApiResponse): StepResult {
  if (response.ok) return {ref, code: response.code};
  return {ref, code: response.code, reason: response.reason, message: response.message};
}

function* waitFor(wait: RecordedWait, {operator}: Bench): Drive<void> {
  const {session, catalogue} = operator.controlPlane;
  if ('seconds' in wait) {
    yield* session.run(session.nowMs + wait.seconds * 1000);
    return;
  }
  let seen = -1;
  let holds = false;
  yield* session.run(session.nowMs + wait.timeoutSeconds * 1000, () => {
    // Only a change of the store can change the answer.
    if (session.world.server.revision === seen) return holds;
    seen = session.world.server.revision;
    holds = isMet(wait, catalogue);
    return holds;
  });
}

function isMet({ref, until}: ObjectWait, catalogue: Catalogue): boolean {
  const found = catalogue.find(ref);
  switch (until.kind) {
    case 'absent':
      return found.length === 0;
    case 'exists':
      return found.length > 0;
    case 'deleting':
      return found.some(isDeleting);
    case 'condition':
      return found.some((object) => {
        const condition = conditionOf(object, until.type);
        if (condition?.status !== until.status) return false;
        return until.reason === undefined || condition.reason === until.reason;
      });
  }
}

/** How often the recorder looked; also the shortest a step takes. */
const lookEveryMs = 150;

function* quieten({quietSeconds, maxSeconds}: RecordedStep, {bench, lastActionMs}: Progress): Drive<boolean> {
  const {session} = bench.operator.controlPlane;
  const deadlineMs = session.nowMs + maxSeconds * 1000;
  yield* session.run(Math.min(session.nowMs + lookEveryMs, deadlineMs));
  for (;;) {
    const quietAtMs = Math.max(bench.lastEventMs(), lastActionMs) + quietSeconds * 1000;
    if (quietAtMs <= session.nowMs) return true;
    if (session.nowMs >= deadlineMs) return false;
    yield* session.run(Math.min(quietAtMs, deadlineMs));
  }
}
