import type {Json} from '../../cluster/json.ts';
import type {Selector} from '../control-plane/catalogue.ts';
import {profile} from '../control-plane/profile-names.ts';
import {selectorFields} from '../control-plane/selector-form.ts';
import {builtins} from '../functions/builtin.ts';
import {addressFields, builtinForm, commandFields, nowhere} from '../functions/function-source.ts';
import {type Cursor, fail, items} from '../input/cursor.ts';
import {
  amount,
  byField,
  count,
  type Form,
  flag,
  type Given,
  list,
  mapOf,
  type Read,
  tagged,
  text,
} from '../input/form.ts';
import {shown} from '../input/input-error.ts';
import {map, may, must, or} from '../input/map-form.ts';
import {asKubeObject, type Manifests, readManifests} from '../manifests/read-manifests.ts';
import type {StepAction} from '../operator/action.ts';
import {defaultTimes, providerFields} from '../scenario/provider-form.ts';
import {stepForm} from '../scenario/step-form.ts';

// What a test hands over, read as a scenario file is read: types end where JavaScript, `any` and JSON begin. Options are
// forms made of the same parts; calls of a world become steps of a scenario. So a library and a file refuse the same in the
// same words.

/** A Kubernetes object to apply, or a file, folder or glob with objects, relative to the working directory. */
export type Manifest = string | GivenObject;

interface GivenObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {readonly name: string; readonly namespace?: string; readonly [field: string]: unknown};
  readonly [field: string]: unknown;
}

const manifest: Form<Manifests, Manifest> = {read: manifestsAt, schema: () => ({type: ['object', 'string']})};

function manifestsAt(cursor: Cursor): Manifests {
  return typeof cursor.value === 'string'
    ? readManifests(cursor.value, '')
    : {objects: [asKubeObject(cursor)], notes: []};
}

/** What a call applies is a list of manifests. */
const here = {
  folder: '',
  objects: (cursor: Cursor) => items(cursor).flatMap((one) => manifestsAt(one).objects),
};

/**
 * A function as bytes: a RunFunctionRequest in, a RunFunctionResponse out, as they would go over the wire. Any SDK can
 * decode and encode them; what it throws becomes the gRPC error that Crossplane would see.
 */
export type RunFunction = (request: Uint8Array) => Uint8Array | Promise<Uint8Array>;

const limit = {
  /** How long a call may take, in real milliseconds; 10 s where absent. After it the story ends. */
  timeoutMs: may(amount),
};

const elsewhere = byField(
  {
    builtin: builtinForm(Object.keys(builtins)),
    command: tagged(
      'command',
      map({
        ...commandFields,
        ...limit,
        /** How long it may take to answer at its address, in real milliseconds; 20 s where absent. */
        startTimeoutMs: may(amount),
      }),
    ),
    address: tagged('address', map({...addressFields, ...limit})),
  },
  (cursor, given) => nowhere(cursor, given, 'be a function or '),
);

/**
 * Where a function runs: in this process; at a gRPC address, served without TLS; started by the harness with `command`
 * and reached at `address`, where `{port}` in both is a free port; or one of the harness's own: `function-static`, which
 * composes what its input lists, `function-sequencer`, `function-deletion-protection`, and `passing`.
 */
export type FunctionUnderTest = RunFunction | Given<typeof elsewhere>;

export interface FunctionsUnderTest {
  /** By the names that Compositions call them. */
  readonly [name: string]: FunctionUnderTest;
}

export type ReadFunction = RunFunction | Read<typeof elsewhere>;

const functionUnderTest: Form<ReadFunction, FunctionUnderTest> = {
  read: (cursor) => {
    const value: unknown = cursor.value;
    return typeof value === 'function' ? (value as RunFunction) : elsewhere.read(cursor);
  },
  schema: elsewhere.schema,
};

const timesMs = {readyAfterMs: may(amount), deleteAfterMs: may(amount)};

const provider = map({
  ...providerFields,
  readyAfterMs: or(amount, defaultTimes.readyAfterMs),
  deleteAfterMs: or(amount, defaultTimes.deleteAfterMs),
  /** Kinds that take another time. */
  kinds: or(mapOf(map(timesMs)), {}),
});

/** The options of `openWorld`. */
export const worldOptions = map({
  /** `main` where absent. */
  crossplane: or(profile, 'main'),
  /** Realtime compositions, where the version leaves it open. */
  realtime: may(flag),
  /** Draws latencies and the order of Go maps: the same seed is the same story. 1 where absent. */
  seed: or(count, 1),
  /** Every function that the Compositions call, by the names they call it. */
  functions: must(mapOf(functionUnderTest)),
  /** How long a function that does not say so itself may take to answer, in real milliseconds; 10 s where absent. */
  callTimeoutMs: may(amount),
  /** Applied in order before anything else: CustomResourceDefinitions, definitions, Compositions. */
  fixtures: must(list(manifest)),
  /** How managed resources behave: kinds whose CustomResourceDefinition has the category `managed`. */
  provider: or(provider, {}),
});

/** The options of `tellScenario`. */
export const scenarioOptions = map({
  /** The first that the scenario names where absent. */
  crossplane: may(profile),
  /** The variant whose name contains this; the first where absent. */
  variant: may(text),
  /** The scenario's own where absent. */
  seed: may(count),
  /** Run instead of what the scenario says about the functions of these names. */
  functions: or(mapOf(functionUnderTest), {}),
});

/** How long to let things happen, in virtual milliseconds. */
export const patience = map({
  /** Nothing may happen for so long; 30 s where absent, longer than every retry of a healthy control plane. */
  quietMs: or(amount, 30_000),
  /** Within so long; 30 min where absent. */
  withinMs: or(amount, 1_800_000),
});

const {resource: _resource, ...named} = selectorFields;
export const selector: Form<Selector> = map({...named, crn: may(text)});

/** What a call of a world asks for, read as a step of a scenario that says the same. */
export function actionOf(word: string, said: unknown): StepAction {
  const cursor = {...given({[word]: said}, ''), path: []};
  return stepForm(here).read(cursor).action ?? fail(cursor, `cannot ${word} ${shown(said)}`);
}

/** A selector in the words of a scenario. */
export function selectorSaid({crn, ...others}: Selector): object {
  return crn === undefined ? others : {...others, resource: crn};
}

/** A value of a program, read by a form. It has no place in a file: the path says where. */
export function readGiven<T>(form: Form<T, unknown>, value: unknown, name: string): T {
  return form.read(given(value, name));
}

function given(value: unknown, name: string): Cursor {
  return {value: value as Json, path: [name], placeOf: () => '', placeOfKey: () => ''};
}
