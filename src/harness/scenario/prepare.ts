// The objects before the first step of a scenario.

import {firstRevisionOf} from '../../cluster/crossplane/kinds/crossplane-kinds.ts';
import {isTrue, type KubeObject} from '../../cluster/object.ts';
import type {ControlPlane} from '../control-plane/control-plane.ts';
import {Operator, problemOf} from '../control-plane/operator/operator.ts';
import type {Drive} from '../functions/drive.ts';
import {functionOfVersion, isFirst} from '../functions/function-source.ts';
import {packagedFunctions, pipelineFunctions} from '../functions/pipeline-functions.ts';
import {InputError} from '../input/input-error.ts';
import {isProvider} from './provider-moves.ts';
import type {Scenario} from './scenario.ts';

/** Kinds that the package manager of a real Crossplane would install: here the control plane has them. */
const installedKind = 'Function';
const settleMs = 40_000;

type Prepared = Pick<Scenario, 'fixtures' | 'functions'> & Partial<Pick<Scenario, 'packages' | 'from'>>;

/** Applies the fixtures and lets the control plane get to know them. */
export function* prepare(
  {from = [], fixtures, functions, packages}: Prepared,
  controlPlane: ControlPlane,
): Drive<void> {
  const {session} = controlPlane;
  const operator = new Operator(controlPlane);
  for (const object of from) {
    for (const name of pipelineFunctions(object)) requireFunction(name, object, {fixtures, functions});
  }
  for (const fixture of fixtures) {
    if (fixture.kind === installedKind) {
      yield* beginAs(fixture, Object.keys(functions), operator);
      continue;
    }
    for (const name of pipelineFunctions(fixture)) requireFunction(name, fixture, {fixtures, functions});
    const problem = problemOf(yield* operator.carryOut({kind: 'apply', objects: [fixture]}));
    if (problem !== undefined) throw new InputError(problem.replace(/^cannot apply/, 'cannot apply fixture'));
    // Definitions are established before what they define is applied.
    if (/Definition$/.test(fixture.kind)) yield* session.run(session.nowMs + 1000);
    // So are those of a provider's package, and then it runs.
    if (packages !== undefined && isProvider(fixture)) yield* installed(fixture, controlPlane);
  }
  // The owner GC learns of new kinds only every 30 s.
  yield* session.run(session.nowMs + settleMs);
}

/** Waits until the provider runs, if it ever does: a revision without activation never does. */
function* installed({apiVersion, kind, metadata}: KubeObject, {session, catalogue}: ControlPlane): Drive<void> {
  const isHealthy = (): boolean => {
    const [provider] = catalogue.find({apiVersion, kind, name: metadata.name});
    return isTrue(provider, 'Healthy');
  };
  yield* session.run(session.nowMs + settleMs, isHealthy);
}

/** A function that moves begins as the package of its fixture, so that a step can move it back. */
function* beginAs({metadata: {name}, spec}: KubeObject, known: readonly string[], operator: Operator): Drive<void> {
  const reference = spec?.['package'];
  const moves = known.some((key) => !isFirst(key) && functionOfVersion(key) === name);
  if (!moves || typeof reference !== 'string') return;
  const merge = {kind: 'patch', type: 'merge', status: false} as const;
  const revision = {kind: 'FunctionRevision', name: firstRevisionOf(name)};
  yield* operator.carryOut({...merge, target: revision, body: {spec: {image: reference}}}, 'package manager');
  yield* operator.carryOut({...merge, target: {kind: 'Function', name}, body: {spec: {package: reference}}});
}

function requireFunction(
  name: string,
  composition: KubeObject,
  {fixtures, functions}: Pick<Scenario, 'fixtures' | 'functions'>,
): void {
  if (Object.hasOwn(functions, name)) return;
  const known = Object.keys(functions);
  const isPackaged = packagedFunctions(fixtures).some((one) => one.name === name);
  const advice = isPackaged ? '; --run-functions runs it from its package' : '';
  throw new InputError(
    `cannot run Composition "${composition.metadata.name}": it calls function "${name}", which the scenario does not have (it has ${known.length === 0 ? 'none' : known.join(', ')})${advice}`,
  );
}
