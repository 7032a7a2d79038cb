// One story, run with one fault of one kind at every opportunity, and with one move of one actor at every rest: all effects of one unit
// of that budget along the free schedule. Each run is compared with every run of the same kind without the function. The function
// causes a harm only if none of those shows it.

import type {KubeObject} from '../../cluster/object.ts';
import {annotationExternalName, annotationResourceName, labelComposite, labelInUse} from '../../cluster/vocabulary.ts';
import {defaultNamespace} from '../control-plane/catalogue.ts';
import type {StepAction} from '../control-plane/operator/action.ts';
import type {Actor, FaultKind, Scenario, Step} from '../scenario/scenario.ts';
import {actors, faultKinds} from '../scenario/step-form.ts';
import {annotationConfirmRemoval} from '../worlds/tether-marks.ts';
import {type Ending, type Found, xrsIn} from './ending.ts';
import type {Verdict} from './grades.ts';
import {harmsOf, lastRest, sinceOthers, unpermitted} from './judge.ts';
import {openTwins, type Side, type TwinRun, type TwinSetting, type Twins} from './twin.ts';

export interface Explored {
  /** A kind of fault, an actor, or 'nothing'. */
  readonly unit: FaultKind | Actor | 'nothing';
  /** Runs with the function. */
  readonly stories: number;
  readonly worse: readonly Worse[];
}

interface Worse {
  readonly story: Scenario;
  readonly verdicts: readonly Verdict[];
}

export const units: readonly Explored['unit'][] = ['nothing', ...faultKinds, ...actors.filter((one) => one !== 'user')];

export function exploreTwins(scenario: Scenario, setting: TwinSetting, unit: Explored['unit']): Explored {
  const twins = openTwins(scenario, setting);
  const ways = unit === 'nothing' ? bare : isFault(unit) ? faulted(unit) : acted(unit);
  const mine = ways(twins, 'with', scenario);
  const theirs = ways(twins, 'without', scenario);
  const worse = mine.flatMap(({story, run}) => {
    // An actor has to do the same in both runs. A fault only has to be possible in both.
    const [first, ...others] = isFault(unit) ? theirs : theirs.filter((one) => one.story.name === story.name);
    const harms = sinceOthers(
      unpermitted(harmsOf(run, (first as OneRun).run)),
      run,
      others.map((other) => () => other.run),
    );
    return harms.length === 0 ? [] : [{story, verdicts: harms.map(({verdict}) => verdict)}];
  });
  return {unit, stories: mine.length, worse};
}

interface OneRun {
  readonly story: Scenario;
  readonly run: TwinRun;
}

type Ways = (twins: Twins, side: Side, scenario: Scenario) => readonly OneRun[];

function one(twins: Twins, side: Side, story: Scenario): OneRun {
  return {story, run: twins[side].run(story)};
}

const bare: Ways = (twins, side, scenario) => [one(twins, side, scenario)];

/** The fault at its first opportunity, at its second ... until there is none. */
function faulted(fault: FaultKind): Ways {
  return (twins, side, scenario) => {
    const all: OneRun[] = [];
    for (let at = 0; ; at++) {
      const [first, ...rest] = scenario.steps as readonly [Step, ...Step[]];
      const story = {
        ...scenario,
        name: `${scenario.name} ${fault} ${at}`,
        steps: [{...first, faults: [{fault, at}]}, ...rest],
      };
      const made = one(twins, side, story);
      const isStruck = made.run.happened.length > 0;
      if (isStruck || all.length === 0) all.push(made);
      if (!isStruck) return all;
    }
  };
}

/** Every move of the actor after every step. Its targets are the objects of the run with the function. */
function acted(actor: Actor): Ways {
  return (twins, side, scenario) =>
    scenario.steps.flatMap((_, index) => {
      const before = {...scenario, steps: scenario.steps.slice(0, index + 1)};
      const moves = actorMenu(lastRest(one(twins, 'with', before).run).ending).get(actor) ?? [];
      return moves.map((move) => {
        const steps = [...before.steps, move, ...scenario.steps.slice(index + 1)];
        return one(twins, side, {...scenario, name: `${scenario.name} ${index} ${move.name}`, steps});
      });
    });
}

function isFault(unit: Explored['unit']): unit is FaultKind {
  return faultKinds.some((kind) => kind === unit);
}

// Everything one actor may do in one move, read off what is there: for a story that has no such actor of its own.

/** The moves of each actor on the world as it is at an ending. */
function actorMenu(ending: Ending): ReadonlyMap<Actor, readonly Step[]> {
  const living = [...ending.found.values()].flat().filter(({isGoing}) => !isGoing);
  const composed = living.filter(({made}) => made.key !== undefined);
  const xrs = xrsIn(ending);
  return new Map<Actor, readonly Step[]>([
    ['person', composed.flatMap(({object}) => byHand(object))],
    ['controller', composed.map(({object}) => patched('controller', 'writes a label of its own to', object, costing))],
    ['editor', xrs.flatMap((xr) => ofEditor(xr, composed))],
    ['tenant', composed.flatMap(({object}) => ofTenant(object))],
  ]);
}

function patched(by: Actor, name: string, object: KubeObject, body: object, status = false): Step {
  const {apiVersion, kind, metadata} = object;
  const where = metadata.namespace === undefined ? {} : {namespace: metadata.namespace};
  // A composed resource has another name in the other run: it goes by its name in the pipeline.
  const resource = metadata.annotations?.[annotationResourceName];
  const target = {apiVersion, kind, ...where, ...(resource === undefined ? {name: metadata.name} : {resource})};
  const action = {kind: 'patch', type: 'merge', target, status, body} as StepAction;
  return {name: `${by}: ${name} ${kind} ${resource ?? metadata.name}`, place: '', by, action, expect: []};
}

function byHand(object: KubeObject): readonly Step[] {
  const deleted = patched('person', 'deletes', object, {});
  const {target} = deleted.action as StepAction & {readonly kind: 'patch'};
  return [
    {...deleted, action: {kind: 'delete', target, ignoreNotFound: true}},
    patched('person', 'leaves a stale in-use label on', object, {metadata: {labels: {[labelInUse]: 'true'}}}),
    patched('person', 'takes the owner away from', object, {metadata: {ownerReferences: null}}),
    patched('person', 'annotates', object, {metadata: {annotations: {why: 'x'}}}),
  ];
}

const costing = {metadata: {labels: {cost: '7'}}};

function ofEditor({object}: Found, composed: readonly Found[]): readonly Step[] {
  const none = {resourceRefs: []};
  const emptied = {spec: object.spec?.['crossplane'] === undefined ? none : {crossplane: none}};
  const planted = Object.fromEntries(composed.map(({made}) => [made.key, 'ext-1']));
  return [
    patched('editor', 'empties resourceRefs of', object, emptied),
    patched('editor', 'plants names in the status of', object, {status: {externalNames: planted}}, true),
    patched('editor', 'empties the status of', object, {status: null}, true),
    patched('editor', 'claims another identity for', object, {metadata: {labels: {[labelComposite]: 'other'}}}),
    patched('editor', 'confirms every removal of', object, {
      metadata: {annotations: {[annotationConfirmRemoval]: composed.map(({made}) => made.key).join(',')}},
    }),
  ];
}

/** A ConfigMap with every mark of a composed resource. */
function ofTenant({metadata: {labels = {}, annotations = {}}}: KubeObject): readonly Step[] {
  const key = annotations[annotationResourceName] ?? '';
  const object: KubeObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `decoy-of-${key}`,
      namespace: defaultNamespace,
      labels,
      annotations: {[annotationResourceName]: key, [annotationExternalName]: 'ext-1'},
    },
    data: {[key]: 'ext-1'},
  } as KubeObject;
  const action: StepAction = {kind: 'apply', objects: [object]};
  return [{name: `tenant: makes a decoy of ${key}`, place: '', by: 'tenant', action, expect: []}];
}
