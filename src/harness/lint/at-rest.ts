// A Composition at rest: an example XR applied to a simulated control plane, until everything composed is observed.
//
// The functions are opened once. The control plane calls them, and so does every question that is asked of the pipeline
// afterwards: one reconcile on a given observed state.

import {type ProfileName, profiles} from '../../cluster/crossplane/profiles.ts';
import {controllerOf, type KubeObject} from '../../cluster/object.ts';
import {resourceNameOf} from '../../cluster/vocabulary.ts';
import {driveWith} from '../functions/drive.ts';
import type {OpenFunctions} from '../functions/function-pool.ts';
import type {TrialOptions} from '../init/trial.ts';
import type {FunctionsUnderTest} from '../library/options.ts';
import {openWorld} from '../library/simulated-world.ts';
import {type Rendered, type RenderInput, reconcileOnce} from '../render/reconcile-once.ts';
import {openRenderFunctions, type RenderFunctions} from '../render/render-functions.ts';
import {refusalsSeen} from './refusals.ts';

export interface AtRest {
  readonly xr: KubeObject;
  /** The composed resources of the XR, as observed. */
  readonly observed: readonly KubeObject[];
  /** Everything else in the cluster: what functions may require. */
  readonly others: readonly KubeObject[];
  /** Why the XR does not come to rest, a sentence each. */
  readonly problems: readonly string[];
}

/** The request to a pipeline. */
export type Question = Pick<RenderInput, 'composition' | 'xr' | 'observed' | 'others'>;

export interface Pipeline {
  atRest(fixtures: readonly KubeObject[], xr: KubeObject): Promise<AtRest>;
  /** One reconcile. */
  ask(question: Question): Promise<Rendered>;
}

export interface PipelineOptions extends Pick<TrialOptions, 'functions' | 'builtins' | 'crossplane'> {
  readonly open: OpenFunctions;
}

const patience = {quietMs: 120_000, withinMs: 7_200_000};

/** Throws InputError if a function has no place to run or does not start. */
export async function openPipeline({functions, builtins, crossplane, open: how}: PipelineOptions): Promise<Pipeline> {
  const named = Object.keys(functions).map((name) => ({name, package: '', annotations: {}}));
  const open = await openRenderFunctions(named, {known: builtins, places: functions, waitsFor: undefined, open: how});
  return {
    atRest: (fixtures, xr) => bringToRest(calledIn(open, functions, crossplane), fixtures, xr, crossplane),
    ask: (question) => {
      const profile = profiles[crossplane];
      const schema = schemaOf(question.xr);
      return driveWith(reconcileOnce({...question, schema, profile}), (call) => open.call(call));
    },
  };
}

function calledIn(
  open: RenderFunctions,
  functions: PipelineOptions['functions'],
  crossplane: ProfileName,
): FunctionsUnderTest {
  const service = profiles[crossplane].functionService;
  const call = (target: string) => async (request: Uint8Array) => {
    const reply = await open.call({target, service, request, run: 'lint'});
    if (!reply.ok) throw new Error(reply.message);
    return reply.response;
  };
  return Object.fromEntries(Object.keys(functions).map((name) => [name, call(name)]));
}

async function bringToRest(
  functions: FunctionsUnderTest,
  fixtures: readonly KubeObject[],
  given: KubeObject,
  crossplane: ProfileName,
): Promise<AtRest> {
  await using world = await openWorld({functions, fixtures: fixtures as never, crossplane});
  await world.apply(given as never);
  const restless = await world.settle(patience);
  const restlessness = [...(restless === undefined ? [] : [restless]), ...world.unsynced(), ...world.stuck()];
  const problems = restlessness.length === 0 ? [] : [...restlessness, ...refusalsSeen(world)];
  const {apiVersion, kind, metadata} = given;
  const objects = world.objects();
  const applied = world.find({apiVersion, kind, name: metadata.name})[0] ?? given;
  // A claim is composed through the XR that it made.
  const xr = objects.find((object) => isXrOf(object, applied)) ?? applied;
  // The XR controls its connection Secret, too, which no pipeline names.
  const observed = objects.filter(
    (object) => controllerOf(object)?.uid === xr.metadata.uid && resourceNameOf(object) !== undefined,
  );
  const others = objects.filter((object) => object !== xr && !observed.includes(object));
  return {xr, observed, others, problems: [...new Set(problems)]};
}

function isXrOf({spec}: KubeObject, {kind, metadata}: KubeObject): boolean {
  const ref = spec?.['claimRef'] as {readonly kind?: string; readonly name?: string} | undefined;
  return ref?.kind === kind && ref.name === metadata.name;
}

/** Legacy XRs have Crossplane's fields directly in spec. */
function schemaOf({spec}: KubeObject): 'legacy' | 'modern' {
  return spec?.['crossplane'] === undefined ? 'legacy' : 'modern';
}
