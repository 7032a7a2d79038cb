import type {ApiRequest, ApiResponse} from '../../src/cluster/api/request.ts';
import {conditionOf, isDeleting, type KubeObject, refOf} from '../../src/cluster/object.ts';
import {type Catalogue, defaultNamespace, type Selector, shortName} from '../../src/harness/control-plane/catalogue.ts';
import type {Drive, Session} from '../../src/harness/control-plane/session.ts';
import {fillPlaceholders} from '../../src/harness/operator/placeholders.ts';
import type {
  Action,
  ObjectWait,
  ProviderChange,
  RecordedScenario,
  RecordedStep,
  RecordedWait,
  RestoreOptions,
} from './recorded-scenario.ts';
import {chosen, restored} from './recorder-backup.ts';
import type {StepResult} from './recording.ts';

// Runs a recorder's scenario on a world, step by step, as the recorder did: the actions, then the wait, then quiet.
// After an action or an event the recorder waited for `quiet` seconds in which nothing was told to watchers.

/** The world under test, with everything the recorder had around it. */
export interface Bench {
  readonly session: Session;
  readonly catalogue: Catalogue;
  /** When watchers were last told anything. */
  readonly lastEventMs: () => number;
  readonly setProvider: (change: ProviderChange) => void;
  readonly snapshot: () => readonly KubeObject[];
  /** What the recorder's words `crossplane` and `kcm` start and stop. */
  readonly processes: {readonly crossplane: string; readonly kcm: string};
}

export interface ReplayedStep {
  readonly index: number;
  readonly label: string;
  readonly results?: readonly StepResult[];
  readonly quiet?: boolean;
  readonly snapshot: readonly KubeObject[];
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
): Drive<readonly ReplayedStep[]> {
  const progress: Progress = {bench, backup: [], lastActionMs: bench.session.nowMs};
  bench.setProvider(scenario.provider);
  const steps: ReplayedStep[] = [];
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
  const {session} = progress.bench;
  if (action.kind === 'process' && action.process === 'crossplane' && action.change === 'start') {
    yield* session.run(session.nowMs + bootMs);
  }
  if (action.kind !== 'restore') return act(action, progress);
  const results: StepResult[] = [];
  for (const saved of chosen(progress.backup, action)) {
    if (results.length > 0) yield* session.run(session.nowMs + restorePauseMs);
    results.push(restore(saved, action, session));
  }
  progress.lastActionMs = session.nowMs;
  return results;
}

function act(action: Exclude<Action, {kind: 'restore'}>, progress: Progress): readonly StepResult[] {
  const {bench} = progress;
  const {session, catalogue} = bench;
  progress.lastActionMs = session.nowMs;
  switch (action.kind) {
    case 'apply':
    case 'create':
      return action.objects.map((object) => send(object, action.kind, bench));
    case 'patch': {
      const [found] = catalogue.find(action.ref);
      if (found === undefined) return [notFound(action.ref)];
      const {type, status} = action;
      const body = fillPlaceholders(action.body, catalogue);
      if (!body.ok) return [{error: body.problem}];
      const request: ApiRequest = {verb: 'patch', type, ref: refOf(found), body: body.value, manager: 'user'};
      const response = session.submit('user', status ? {...request, subresource: 'status'} : request);
      return [resultOf(undefined, response)];
    }
    case 'delete':
      return [deleteOne(action, bench)];
    case 'process': {
      const name = bench.processes[action.process];
      if (action.change === 'start') session.start(name);
      else session.stop(name);
      return [];
    }
    case 'backup':
      progress.backup = action.kinds.flatMap((kind) => catalogue.find({kind}));
      return [];
    case 'wipe':
      bench.setProvider({enabled: false});
      for (const kind of action.kinds) for (const object of catalogue.find({kind})) wipe(object, session);
      return [];
    case 'provider':
      bench.setProvider(action.change);
      return [];
  }
}

function send(template: KubeObject, verb: 'apply' | 'create', {session, catalogue}: Bench): StepResult {
  const filled = fillPlaceholders(template, catalogue);
  if (!filled.ok) return {ref: shortName(template), error: filled.problem};
  const object = placed(filled.value as KubeObject, catalogue);
  const request: ApiRequest =
    verb === 'create'
      ? {verb, object, manager: 'user'}
      : {verb: 'patch', type: 'apply', ref: refOf(object), body: object, manager: 'user', force: true};
  return resultOf(shortName(object), session.submit('user', request));
}

/** The object with a namespace where its kind has one and the author left it out. */
function placed(object: KubeObject, catalogue: Catalogue): KubeObject {
  const [kind] = catalogue.kinds(object.kind, object.apiVersion);
  if (kind?.namespaced !== true || object.metadata.namespace !== undefined) return object;
  return {...object, metadata: {...object.metadata, namespace: defaultNamespace}};
}

function deleteOne(action: Action & {readonly kind: 'delete'}, {session, catalogue}: Bench): StepResult {
  const [found] = catalogue.find(action.ref);
  if (found === undefined) return notFound(action.ref);
  const {propagationPolicy} = action;
  const request: ApiRequest = {verb: 'delete', ref: refOf(found)};
  const options = propagationPolicy === undefined ? request : {...request, propagationPolicy};
  return resultOf(shortName(found), session.submit('user', options));
}

function wipe(object: KubeObject, session: Session): void {
  const body = {metadata: {finalizers: null, ownerReferences: null, labels: {'crossplane.io/in-use': null}}};
  const ref = refOf(object);
  session.submit('velero', {verb: 'patch', type: 'merge', ref, body, manager: 'wiper'});
  session.submit('velero', {verb: 'delete', ref});
}

function restore(saved: KubeObject, options: RestoreOptions, session: Session): StepResult {
  const object = restored(saved, options);
  const response = session.submit('velero', {verb: 'create', object, manager: 'velero-server'});
  if (options.keepStatus && saved.status !== undefined) {
    const body = {status: saved.status};
    const ref = refOf(object);
    session.submit('velero', {
      verb: 'patch',
      type: 'merge',
      ref,
      body,
      manager: 'velero-server',
      subresource: 'status',
    });
  }
  return resultOf(shortName(object), response);
}

function resultOf(ref: string | undefined, response: ApiResponse): StepResult {
  const named = ref === undefined ? {} : {ref};
  if (response.ok) return {...named, code: response.code};
  return {...named, code: response.code, reason: response.reason, message: response.message};
}

function notFound(selector: Selector): StepResult {
  return {error: `not found ${JSON.stringify(selector)}`};
}

function* waitFor(wait: RecordedWait, {session, catalogue}: Bench): Drive<void> {
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
  const {session} = bench;
  const deadlineMs = session.nowMs + maxSeconds * 1000;
  yield* session.run(Math.min(session.nowMs + lookEveryMs, deadlineMs));
  for (;;) {
    const quietAtMs = Math.max(bench.lastEventMs(), lastActionMs) + quietSeconds * 1000;
    if (quietAtMs <= session.nowMs) return true;
    if (session.nowMs >= deadlineMs) return false;
    yield* session.run(Math.min(quietAtMs, deadlineMs));
  }
}
