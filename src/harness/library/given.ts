// The arguments of a test, read as a scenario file is read: types end where JavaScript, `any` and JSON begin. Options are forms
// made of the same parts; calls of a world become steps of a scenario. So a library and a file refuse the same in the same
// words.

import type {Json} from '../../cluster/json.ts';
import {type Selector, selectorFields} from '../control-plane/catalogue.ts';
import type {StepAction} from '../control-plane/operator/action.ts';
import {profile} from '../control-plane/profile-names.ts';
import {defaultTimes, providerFields} from '../control-plane/provider-form.ts';
import {builtins} from '../functions/builtin.ts';
import {addressFields, builtinForm, commandFields, missingAddress} from '../functions/function-source.ts';
import {type Cursor, fail, items} from '../input/cursor.ts';
import {amount, byField, count, type Form, flag, list, mapOf, type Read, tagged, text} from '../input/form.ts';
import {shownValue} from '../input/input-error.ts';
import {asKubeObject} from '../input/manifests/kube-object.ts';
import type {Manifests} from '../input/manifests/manifest-reader.ts';
import {readManifests} from '../input/manifests/read-manifests.ts';
import {map, may, must, or} from '../input/map-form.ts';
import {stepForm} from '../scenario/step-form.ts';
import type {
  FunctionElsewhere,
  FunctionUnderTest,
  Manifest,
  Patience,
  ProviderOptions,
  RunFunction,
  ScenarioOptions,
  WorldOptions,
} from './options.ts';

const manifest: Form<Manifests, Manifest> = {read: manifestsAt, schema: () => ({type: ['object', 'string']})};

function manifestsAt(cursor: Cursor): Manifests {
  return typeof cursor.value === 'string'
    ? readManifests(cursor.value, '')
    : {objects: [asKubeObject(cursor)], notes: []};
}

/** The argument of a call that applies is a list of manifests. */
const here = {
  folder: '',
  objects: (cursor: Cursor) => items(cursor).flatMap((one) => manifestsAt(one).objects),
};

/** The form of a documented type: the compiler refuses any difference between the two. */
function documented<D>() {
  return <T, G>(form: Form<T, G> & Same<G, D>): Form<T, D> => form as Form<T, unknown> as Form<T, D>;
}
type Same<A, B> = [A, B, Required<A>, Required<B>] extends [B, A, Required<B>, Required<A>] ? unknown : never;

const limit = {timeoutMs: may(amount)};

const elsewhere = documented<FunctionElsewhere>()(
  byField(
    {
      builtin: builtinForm(Object.keys(builtins)),
      command: tagged('command', map({...commandFields, ...limit, startTimeoutMs: may(amount)})),
      address: tagged('address', map({...addressFields, ...limit})),
    },
    (cursor, given) => missingAddress(cursor, given, 'be a function or '),
  ),
);

export type ReadFunction = RunFunction | Read<typeof elsewhere>;

const functionUnderTest: Form<ReadFunction, FunctionUnderTest> = {
  read: (cursor) => {
    const value: unknown = cursor.value;
    return typeof value === 'function' ? (value as RunFunction) : elsewhere.read(cursor);
  },
  schema: elsewhere.schema,
};

const provider = documented<ProviderOptions>()(
  map({
    ...providerFields,
    readyAfterMs: or(amount, defaultTimes.readyAfterMs),
    deleteAfterMs: or(amount, defaultTimes.deleteAfterMs),
    kinds: or(mapOf(map({readyAfterMs: may(amount), deleteAfterMs: may(amount)})), {}),
  }),
);

export const worldOptions = documented<WorldOptions>()(
  map({
    crossplane: or(profile, 'main'),
    realtime: may(flag),
    loaded: may(flag),
    seed: or(count, 1),
    functions: must(mapOf(functionUnderTest)),
    callTimeoutMs: may(amount),
    fixtures: must(list(manifest)),
    provider: or(provider, {}),
  }),
);

export const scenarioOptions = documented<ScenarioOptions>()(
  map({crossplane: may(profile), variant: may(text), seed: may(count), functions: or(mapOf(functionUnderTest), {})}),
);

export const patience = documented<Patience>()(map({quietMs: or(amount, 30_000), withinMs: or(amount, 1_800_000)}));

export const selector: Form<Selector> = map(selectorFields);

/** The request of a call, read as the equal step of a scenario. */
export function actionOf(word: string, said: unknown): StepAction {
  const cursor = {...given({[word]: said}, ''), path: []};
  return stepForm(here).read(cursor).action ?? fail(cursor, `cannot ${word} ${shownValue(said)}`);
}

/** A value of a program, read by a form. It has no place in a file: the path is its place. */
export function readGiven<T>(form: Form<T, unknown>, value: unknown, name: string): T {
  return form.read(given(value, name));
}

function given(value: unknown, name: string): Cursor {
  return {value: value as Json, path: [name], placeOf: () => '', placeOfKey: () => ''};
}
