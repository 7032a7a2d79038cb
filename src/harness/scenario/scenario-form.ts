// A scenario: a story about one platform API, with what must hold at its end.

import {profiles} from '../control-plane/profile-names.ts';
import {provider, providerPackage} from '../control-plane/provider-form.ts';
import {functionForm} from '../functions/function-source.ts';
import {byShape, count, type Form, filled, flag, list, mapOf, oneOf, text, to, where, wordOr} from '../input/form.ts';
import type {ManifestReader} from '../input/manifests/manifest-reader.ts';
import {objectsForm} from '../input/manifests/objects-form.ts';
import {map, may, must, or} from '../input/map-form.ts';
import {expectations} from './expectation-form.ts';
import {stepForm} from './step-form.ts';

const property = to(
  map({
    name: must(text, 'For people.'),
    holds: must(text, 'CEL over the state of the world; true where it holds.'),
  }),
  ({name, holds}, cursor) => ({name, holds, place: cursor.placeOf([...cursor.path, 'holds'])}),
);

/** The settings of `tether explore` for the story. The explorer knows the kinds of budgets and CEL. */
export const explore = to(
  map({
    moves: may(oneOf('any', 'in-order'), 'The steps are a menu, or come in their order.'),
    budgets: or(mapOf(count), {}, 'Units by kind of fault or delay.'),
    minutes: may(count, 'Of virtual time.'),
    without: or(list(text), [], 'Properties whose name contains one of these are left out.'),
    always: or(list(property), [], 'Properties that hold in every state.'),
    sometimes: or(list(property), [], 'Properties that hold in some state.'),
    eventually: or(list(property), [], 'Properties that hold at some point after the last step.'),
  }),
  ({always, sometimes, eventually, ...setting}) => {
    const stated = Object.entries({always, sometimes, eventually}) as readonly (readonly [Stated, typeof always])[];
    const properties = stated.flatMap(([expectation, all]) => all.map((one) => ({expectation, ...one})));
    return {...setting, properties};
  },
);
type Stated = 'always' | 'sometimes' | 'eventually';

const bug = map({
  name: must(text, 'The name of the bug.'),
  issues: or(list(text), [], 'Where it was reported.'),
  after: may(text, 'The step after which it shows; the last one unless set.'),
  // Without a sign it would happen always.
  signs: must(
    where(expectations, filled('a bug must have at least one sign, got none')),
    'Expectations that hold where it happened.',
  ),
});

/** Names of profiles. On all others the bug never happens. */
export interface Happens {
  readonly always: readonly string[];
  /** By chance: a race that either side may win. */
  readonly sometimes: readonly string[];
}

const nowhere: Happens = {always: [], sometimes: []};
const always = to(profiles, (versions): Happens => ({...nowhere, always: versions}));
const byChance: Form<Happens, object> = map({
  always: or(profiles, [], 'Versions on which it happens.'),
  sometimes: or(profiles, [], 'Versions on which it happens by chance.'),
});
const happens = wordOr('nowhere', nowhere, byShape({scalar: always, list: always, map: byChance}));

export const variant = map({
  name: must(text, 'The name of the variant.'),
  without: or(list(text), [], 'Functions that answer their input unchanged, as if no pipeline had them.'),
  expect: or(expectations, [], 'What must hold at the end of this variant.'),
  happens: may(happens, 'Where the bug of the scenario happens: versions, `nowhere`, or `always` and `sometimes`.'),
});

/** `manifests` reads what it names; `builtins` are the functions of the harness. */
export function scenarioForm(manifests: ManifestReader, builtins: readonly string[]) {
  const objects = objectsForm(manifests);
  return map({
    name: must(text, 'For people.'),
    description: or(text, '', 'For people.'),
    crossplane: or(profiles, 'main', 'The Crossplane versions it runs on.'),
    realtime: may(flag, 'Realtime compositions on or off, where the version leaves it open.'),
    operations: may(
      list(text),
      'Functions that Operations may run, for their packages say so. Crossplane runs with --enable-operations then.',
    ),
    loaded: may(flag, 'The control plane is loaded: watch events arrive late, and circuit breakers open.'),
    seed: or(count, 1, 'Draws latencies and the order of Go maps; the same seed is the same story.'),
    from: may(
      objects,
      'A control plane that lived, as `tether dump` or `kubectl get -o yaml` writes it: it begins as it is there, with uids, owners and status. Fixtures are applied to it.',
    ),
    fixtures: or(objects, [], 'Applied in order before the first step: files beside the scenario, or objects.'),
    functions: or(
      mapOf(functionForm(builtins)),
      {},
      'Where each function of the Compositions runs, by the name that they call it; `NAME of PACKAGE` is the program that answers once a step gives the Function that package.',
    ),
    packages: may(
      mapOf(providerPackage(manifests)),
      'What packages of providers have in them, by the reference that a Provider names. Without it nothing follows from a Provider.',
    ),
    provider: or(provider, {}, 'How managed kinds behave: those with the category `managed`.'),
    steps: must(
      where(list(stepForm(manifests)), filled('steps must hold at least one step, got none')),
      'What happens, in order.',
    ),
    anyOrder: or(list(text), [], 'Names of steps whose order `tether explore` varies.'),
    bug: may(bug, 'The known bug that the story shows.'),
    explore: or(explore, {}, 'What `tether explore` does with the story.'),
    variants: may(list(variant), 'The same story with functions left out, each with expectations of its own.'),
    expect: or(expectations, [], 'What must hold at the end, in every variant.'),
  });
}
