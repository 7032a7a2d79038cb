// Makes a story small: steps first, then faults, then what Compositions compose and ask for. A smaller story is kept
// where it still violates in the same way; what it runs on (the platform) stays. A process that stops also starts again: a world
// without it would violate for that reason alone.

import type {JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Scenario, Step} from '../scenario/scenario.ts';

/** Decides whether a story still violates, and counts the steps of the world that this took. */
export type StillBad = (scenario: Scenario) => {readonly isBad: boolean; readonly steps: number};

/** Steps of the world that all tries may take together: a minute of one core. */
const stepsMax = 1_000_000;

export function shrinkStory(scenario: Scenario, tried: StillBad, max = stepsMax): Scenario {
  let best = scenario;
  let left = max;
  const attempt = (smaller: Scenario): boolean => {
    if (left <= 0) return false;
    const {isBad, steps} = tried(smaller);
    left -= steps;
    if (isBad) best = smaller;
    return isBad;
  };
  for (let before: Scenario | undefined; before !== best; ) {
    before = best;
    for (const smaller of smallerStories) {
      for (let at = 0; ; ) {
        const candidate = smaller(best, at);
        if (candidate === 'end') break;
        if (candidate === undefined || !attempt(candidate)) at++;
      }
    }
  }
  return best;
}

/** The story without its `at`-th part of some sort: undefined where it has to stay, 'end' beyond the last. */
type Smaller = (scenario: Scenario, at: number) => Scenario | undefined | 'end';

const smallerStories: readonly Smaller[] = [
  (scenario, at) => {
    const {steps} = scenario;
    if (at >= steps.length) return 'end';
    const left = steps.length - 1 - at;
    const also = otherHalf(steps, left);
    return {...scenario, steps: steps.filter((_, index) => index !== left && index !== also)};
  },
  (scenario, at) => eachStep(scenario, at, ({faults: _, early: __, ...step}) => step, isDisturbed),
  (scenario, at) => eachObject(scenario, at),
  (scenario, at) => eachPart(scenario, at),
];

/** The index of the start of the process that the step stops, or of the stop before its start. */
function otherHalf(steps: readonly Step[], index: number): number | undefined {
  const {action} = steps[index] as Step;
  if (action?.kind === 'fault' && action.fault.kind === 'forbid') return steps.findIndex(endsFaults);
  if (action?.kind !== 'process') return undefined;
  const {process} = action;
  const is = (one: Step, change: 'start' | 'stop') =>
    one.action?.kind === 'process' && one.action.process === process && one.action.change === change;
  if (action.change === 'stop') return steps.findIndex((one, at) => at > index && is(one, 'start'));
  return action.change === 'start' ? steps.findLastIndex((one, at) => at < index && is(one, 'stop')) : undefined;
}

function endsFaults({action}: Step): boolean {
  return action?.kind === 'fault' && action.fault.kind === 'end';
}

function isDisturbed({faults, early}: Step): boolean {
  return faults !== undefined || early !== undefined;
}

function eachStep(scenario: Scenario, at: number, change: (step: Step) => Step, may: (step: Step) => boolean) {
  const step = scenario.steps[at];
  if (step === undefined) return 'end';
  if (!may(step)) return undefined;
  return {...scenario, steps: scenario.steps.map((one, index) => (index === at ? change(one) : one))};
}

/** Objects of the steps that apply, counted through. */
function eachObject(scenario: Scenario, at: number): Scenario | undefined | 'end' {
  let left = at;
  for (const [index, {action}] of scenario.steps.entries()) {
    if (action?.kind !== 'apply') continue;
    if (left < action.objects.length) {
      if (action.objects.length === 1) return undefined;
      return withObjects(scenario, index, action.objects.toSpliced(left, 1));
    }
    left -= action.objects.length;
  }
  return 'end';
}

/** Resources and parts of the input of every Composition, under all its edits at once. */
function eachPart(scenario: Scenario, at: number): Scenario | undefined | 'end' {
  const parts = new Set<string>();
  for (const {action} of scenario.steps) {
    if (action?.kind === 'apply')
      for (const object of action.objects) for (const part of partsOf(object)) parts.add(part);
  }
  const part = [...parts][at];
  if (part === undefined) return 'end';
  return {
    ...scenario,
    steps: scenario.steps.map((step) =>
      step.action?.kind === 'apply'
        ? {...step, action: {...step.action, objects: step.action.objects.map((object) => withoutPart(object, part))}}
        : step,
    ),
  };
}

interface PipelineStep extends JsonObject {
  readonly input?: JsonObject;
}

const fixed = ['apiVersion', 'kind', 'crossplane'];

function pipelineOf({kind, spec}: KubeObject): readonly PipelineStep[] {
  return kind === 'Composition' ? ((spec?.['pipeline'] ?? []) as readonly PipelineStep[]) : [];
}

function partsOf(object: KubeObject): readonly string[] {
  const {name} = object.metadata;
  return pipelineOf(object).flatMap(({input = {}}, index) => {
    const {resources} = input;
    const listed = index === 0 && Array.isArray(resources) ? (resources as readonly JsonObject[]) : [];
    const fields = index === 0 ? [] : Object.keys(input).filter((key) => !fixed.includes(key));
    return [
      ...listed.map((one) => `${name} 0 ${String(one['name'])}`),
      ...fields.map((field) => `${name} ${index} ${field}`),
    ];
  });
}

function withoutPart(object: KubeObject, part: string): KubeObject {
  const [name, step, field = ''] = part.split(' ');
  if (object.metadata.name !== name) return object;
  const pipeline = pipelineOf(object).map((one, index) => {
    if (String(index) !== step || one.input === undefined) return one;
    const {[field]: _, ...rest} = one.input;
    const listed = (one.input['resources'] ?? []) as readonly JsonObject[];
    return {
      ...one,
      input: index === 0 ? {...one.input, resources: listed.filter((each) => each['name'] !== field)} : rest,
    };
  });
  return pipeline.length === 0 ? object : {...object, spec: {...object.spec, pipeline}};
}

function withObjects(scenario: Scenario, at: number, objects: readonly KubeObject[]): Scenario {
  const steps = scenario.steps.map((one, index) =>
    index === at ? {...one, action: {kind: 'apply' as const, objects}} : one,
  );
  return {...scenario, steps};
}
