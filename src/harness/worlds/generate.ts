// Stories drawn from a seed: two XRs of a platform, what becomes of them, and what goes wrong on the way. Story 7 of a
// seed is the same everywhere, and only the number decides it.
//
// Stories come in groups that share their XRs and Compositions. Within a group each story goes on from the end of an
// earlier one, or from the beginning: so steps of two stories that are the same are the same values in memory, and what
// they have in common can run once.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {annotationResourceName, labelComposite} from '../../cluster/vocabulary.ts';
import {defaultProvider} from '../control-plane/provider-form.ts';
import type {FaultKind, Scenario, Step, StepFault} from '../scenario/scenario.ts';
import {faultKinds} from '../scenario/step-form.ts';
import {changeScope} from './change-scope.ts';
import {type Blueprint, compositionOf, drawResources, laterComposer, type Resource} from './composition.ts';
import {type Draw, drawFrom} from './draw.ts';
import {giveToAnother, handOver, turnBack} from './hand-over.ts';
import {drawInput} from './inputs.ts';
import {
  apply,
  changeCount,
  changeInput,
  changeSettings,
  confirmRemoval,
  definitionGoes,
  deleteXr,
  editComposition,
  editorMove,
  editXr,
  handWork,
  immutableEdit,
  type Maker,
  ownField,
  pauseXr,
  reAdd,
  restartProcess,
  restore,
  type Scene,
  step,
  stopProvider,
  tenantMove,
  undeclaredEdit,
  type Xr,
  xrObject,
} from './moves.ts';
import {app, asynchronous, namespaces, platform, type XrKind, xrKinds} from './platform.ts';
import {drawAgain, drawTrials} from './trials/trials.ts';

export const groupSize = 8;

/** Moves a story may have: a move is one step or a few. */
const movesMax = 5;

/** The topics of stories: everything, or moves with an interruption. */
export const topics = ['everything', 'moves'] as const;
export type Topic = (typeof topics)[number];

export function drawStory(
  seed: bigint,
  number: number,
  crossplane: ProfileName,
  about: Topic = 'everything',
): Scenario {
  return drawGroup(seed, Math.floor(number / groupSize), crossplane, about)[number % groupSize] as Scenario;
}

/** The end of a story, as another may go on from it. */
interface End {
  readonly scene: Scene;
  readonly steps: readonly Step[];
  readonly moves: number;
}

/** The stories from number `group * groupSize` on. */
export function drawGroup(
  seed: bigint,
  group: number,
  crossplane: ProfileName,
  about: Topic = 'everything',
): readonly Scenario[] {
  const draw = drawFrom(seed, group);
  const scene = drawScene(draw, crossplane);
  const begin = beginning(draw, scene);
  const worldSeed = draw.below(1_000_000);
  const ends: End[] = [{scene, steps: begin, moves: 0}];
  while (ends.length <= groupSize) {
    ends.push(goOn(draw, draw.pick(ends.filter(({moves}) => moves < movesMax)), about));
  }
  const last = {everything: drawTrials, moves: drawAgain}[about];
  return ends.slice(1).map(({scene, steps}, index) => ({
    name: `story-${seed}-${group * groupSize + index}`,
    description: '',
    folder: '.',
    crossplane: [crossplane],
    seed: worldSeed,
    fixtures: platform(crossplane),
    functions: storyFunctions,
    provider,
    steps: [...steps, ...last(seed, group * groupSize + index, copyOf(scene), steps)],
    anyOrder: [],
    explore: {budgets: {}, without: [], properties: []},
    variants: [{name: '', without: [], expect: []}],
  }));
}

function copyOf(scene: Scene): Scene {
  return {...scene, xrs: [...scene.xrs], blueprints: new Map(scene.blueprints), known: new Map(scene.known)};
}

function goOn(draw: Draw, {scene, steps, moves}: End, about: Topic): End {
  const own = copyOf(scene);
  const isFirst = about === 'moves' && moves === 0;
  let made = isFirst ? draw.weighted(firstMoves)(draw, own) : [];
  while (made.length === 0) made = draw.weighted(makers[about])(draw, own);
  return {scene: own, steps: [...steps, ...made.map((one) => disturbed(draw, one, about))], moves: moves + 1};
}

/** Every kind has connection details, for objects that name a Secret: one of them only with its create. */
const publishing = {publishes: {endpoint: '{id}.example.org'}, publishesOnce: {password: '{id}-password'}};
const provider = {
  ...defaultProvider,
  externals: {Bucket: publishing, Database: publishing},
  async: [asynchronous.kind],
};

const storyFunctions = {
  'function-static': {kind: 'builtin', name: 'function-static'},
  [laterComposer]: {kind: 'builtin', name: 'function-static'},
  'function-tether': {kind: 'builtin', name: 'function-tether'},
  passing: {kind: 'builtin', name: 'passing'},
} as const;

function drawScene(draw: Draw, crossplane: ProfileName): Scene {
  const kinds = draw.some(xrKinds(crossplane), 2);
  const xrs = kinds.map((kind): Xr => {
    const publishes = kind.scope === 'LegacyCluster' && draw.chance(30);
    return {kind, namespace: namespaceOf(draw, kind), name: 'shop', ...(publishes && {publishes})};
  });
  const first = xrs[0] as Xr;
  // The second of a namespaced kind may live beside the first under the same name.
  const twins = first.kind.scope === 'Namespaced' && draw.chance(50);
  const all = twins ? [first, {...first, namespace: namespaces.find((one) => one !== first.namespace)}] : xrs;
  const blueprints = new Map<XrKind, Blueprint>();
  const known = new Map<XrKind, readonly Resource[]>();
  const isNested = all.some(({kind}) => kind === app) && draw.chance(25);
  const inner = isNested ? all.find(({kind}) => kind.kind === 'Site')?.kind : undefined;
  for (const {kind, publishes} of all) {
    if (blueprints.has(kind)) continue;
    const nested = kind === app ? inner : undefined;
    const resources = drawResources(draw, crossplane, kind, {nested, shared: kind === inner});
    const after = draw.weighted(afterwards);
    const shape = {xr: kind, resources, input: {}, ...(after && {after}), ...(publishes && {publishes})};
    blueprints.set(kind, {...shape, ...drawInput(draw, crossplane, shape)});
    known.set(kind, resources);
  }
  return {crossplane, xrs: all, blueprints, known};
}

/** The possible steps after the function in a pipeline. */
const afterwards = [
  [85, undefined],
  [10, 'passes'],
  [5, 'composes'],
] as const;

function namespaceOf(draw: Draw, {scope}: XrKind): string | undefined {
  return scope === 'Namespaced' ? draw.pick(namespaces) : undefined;
}

/**
 * A Bucket of a user without a Composition: no controller may touch it, whatever an XR asks for. Its external resource is
 * ext-1.
 */
const bystander: KubeObject = {
  apiVersion: 'cloud.example.org/v1',
  kind: 'Bucket',
  metadata: {
    name: 'bystander',
    annotations: {[annotationResourceName]: 'z'},
    labels: {[labelComposite]: 'other'},
  },
  spec: {forProvider: {region: 'elsewhere'}},
};

function beginning(draw: Draw, {xrs, blueprints}: Scene): readonly Step[] {
  const compositions = [...blueprints.values()].map(compositionOf);
  const all = step('user', 'set up', apply(bystander, ...compositions));
  const asked = step('user', 'ask for XRs', apply(...xrs.map((xr) => xrObject(xr))));
  return draw.chance(90) ? [all, asked] : [all, asked, disturbed(draw, step('user', 'look', patchNothing))];
}

const patchNothing = {kind: 'process', change: 'restart', process: 'crossplane'} as const;

/** How often each is drawn, in stories about everything and in those about moves. */
const weights: readonly (readonly [number, number, Maker])[] = [
  [12, 3, editComposition],
  [5, 2, reAdd],
  [4, 4, handOver],
  [3, 5, giveToAnother],
  [0, 3, turnBack],
  [1, 1, changeScope],
  [7, 8, restore],
  [5, 8, deleteXr],
  [2, 1, editXr],
  [8, 2, changeCount],
  [2, 1, changeSettings],
  [1, 3, pauseXr],
  [3, 1, confirmRemoval],
  [3, 1, changeInput(drawInput)],
  [3, 1, definitionGoes],
  [2, 3, restartProcess],
  [1, 2, stopProvider],
  [7, 3, handWork],
  [7, 1, ownField],
  [7, 2, editorMove],
  [4, 2, tenantMove],
];

const makers: {readonly [about in Topic]: readonly (readonly [number, Maker])[]} = {
  everything: weights.map(([weight, , maker]) => [weight, maker]),
  moves: weights.map(([, weight, maker]) => [weight, maker]),
};

const firstMoves: readonly (readonly [number, Maker])[] = [
  [2, handOver],
  [3, giveToAnother],
];

const faultWeights: readonly (readonly [number, FaultKind])[] = faultKinds.map((kind) => [1, kind] as const);

/** Some steps come before all is at rest, and after some a call goes wrong. */
function disturbed(draw: Draw, one: Step, about: Topic = 'everything'): Step {
  // A backup taken in the middle, and a refusal from some moment on, depend on chance: neither is evidence about the function.
  // In a move, though, the middle is the question.
  const isMoving = about === 'moves';
  const isCalm =
    (one.action?.kind === 'backup' && !isMoving) ||
    [undeclaredEdit, immutableEdit].some((name) => one.name.endsWith(name));
  const early = !isCalm && draw.chance(isMoving ? 60 : 20) ? {early: 1 + draw.below(draw.chance(50) ? 12 : 80)} : {};
  const faults = draw.chance(22) ? {faults: [faultOf(draw.weighted(faultWeights), draw.below(30))]} : {};
  return {...one, ...early, ...faults};
}

/** A delete of what is in use comes once or twice in a story: a webhook that is to be down at a later one never is. */
function faultOf(fault: FaultKind, at: number): StepFault {
  return {fault, at: fault === 'webhook-down' ? at % 2 : at};
}
