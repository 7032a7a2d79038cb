// What every question leaves undone while it is unanswered, and what an answer decides. A new question does not compile without a
// case here.

import {describe, expect, test} from 'vitest';
import {conditionSentence} from '../../../src/function/answer.ts';
import {sealsOf} from '../../../src/lifecycle/external-names/seal.ts';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import {type QuestionName, questions, schemaName} from '../../../src/lifecycle/questions/registry.ts';
import type {ResourceSelector} from '../../../src/lifecycle/words/edit.ts';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import type {ResourceView} from '../../../src/lifecycle/words/snapshot.ts';
import {desired, type Given, observed, planOf, usage, view, xr, xrUid} from '../given.ts';
import * as moves from '../moves/between-xrs/given.ts';

interface Case {
  /** A request in which the question is asked and not answered. */
  readonly given: Given;
  /** What the question decides; everything desired after the request, unless set. */
  readonly outcome?: (given: Given) => unknown;
  readonly unanswered: unknown;
  /** What comes of the answer that there is no object. */
  readonly none: unknown;
  /** An object, and what comes of it. */
  readonly found: readonly [Answer, unknown];
}

/** The objects that Crossplane finds for a requirement. */
type Answer = (requirement: ResourceSelector) => readonly ResourceView[];

/** By resource name: the name of the desired object, if it has one, and its external name. */
function desiredAfter(given: Given): unknown {
  const {edits} = planOf(given);
  const names: {[resourceName: string]: string} = {};
  for (const [name, view] of given.desired ?? []) names[name] = words(view.json()['metadata'] as JsonObject);
  edits.forEach((edit, name) => {
    if (edit.kind === 'drop') delete names[name];
    else if (edit.kind === 'put') names[name] = words(edit.object['metadata'] as JsonObject);
    else if (edit.overlay.metadata.name !== undefined || nameOf in edit.overlay.metadata.annotations) {
      names[name] = words({
        name: edit.overlay.metadata.name ?? names[name] ?? '',
        annotations: edit.overlay.metadata.annotations,
      });
    }
  });
  return names;
}

function words({name, annotations}: JsonObject): string {
  const external = (annotations as JsonObject | undefined)?.[nameOf];
  return [name, external].filter((word) => word !== undefined).join(' as ');
}

/** What "db" is told to do with its external resource; undefined if it is not desired after the request. */
function policiesOfDb(given: Given): unknown {
  const edit = planOf(given).edits.get('db');
  if (edit?.kind === 'drop') return undefined;
  const body = edit?.kind === 'put' ? edit.object : new Map(given.desired).get('db')?.json();
  return (body?.['spec'] as JsonObject | undefined)?.['managementPolicies'];
}

const nameOf = 'crossplane.io/external-name';
const nothing: Answer = () => [];
const found =
  (view: ResourceView): Answer =>
  () => [view];
const served = {'kind-Thing.ec2.example.org/v1beta1': true};
const synced = (status: 'True' | 'False') => view({...xr.json(), status: {conditions: [{type: 'Synced', status}]}});

// A Usage of the pair, as this function makes it.
const pair: Input = {usages: [{of: 'db', by: 'app'}]};
const wantsPair: Given = {desired: [desired('db', {name: 'net-db'}), desired('app', {name: 'net-app'})], input: pair};
const [usageName, usageView] = madeUsage({...wantsPair, observed: [observed('db'), observed('app')]});
const withoutUsage = {db: 'net-db', app: 'net-app'};
const withUsage = {...withoutUsage, [usageName]: usageView.name};

function madeUsage(given: Given): [string, ResourceView] {
  const [name, edit] = [...planOf(given).edits].find(([one]) => one.includes('-uses-')) ?? [];
  if (name === undefined || edit?.kind !== 'put') throw new Error('no Usage is made');
  return [name, view(edit.object)];
}

/** The object, under the control of an XR of this XR's name. */
function ownedBy(uid: string, object: ResourceView, more: JsonObject = {}): ResourceView {
  const {metadata, ...body} = object.json();
  const owner = {apiVersion: xr.apiVersion, kind: xr.kind, name: xr.name, uid, controller: true};
  return view({...body, metadata: {...(metadata as JsonObject), ...more, ownerReferences: [owner]}});
}

// What an XR remembered of an object before a restore gave it another UID.
const remember: Input = {externalNames: {remember: {in: 'Status'}}};
const seals = sealsOf(['a key of the platform']);
const before = view({...xr.json(), metadata: {name: 'net', uid: 'uid-before'}});
const named = ownedBy('uid-before', observed('db')[1], {annotations: {[nameOf]: 'vpc-1'}});
const status =
  planOf({xr: before, observed: [['db', named]], desired: [desired('db')], input: remember, seals}).xrStatus ?? {};

// An object without a controller, and what an XR tells once it has left it behind.
const labels = {'crossplane.io/composite': 'net'};
const [, lone] = observed('b', {controller: 'nobody', proof: 'none', labels});
const left = {observed: [observed('a')], desired: [desired('a')]};
const told = conditionSentence(planOf({...left, schemas: {}, observed: [observed('a'), ['b', lone]]}));

// An object in an exchange with another XR, on either side, and what is found there.
const wanted = [desired('db', {spec: moves.full})];
const gives = moves.mine({spec: moves.letGo, marked: moves.mark('giving', 'store')});
const takes = moves.mine({marked: moves.mark('taken', 'store')});
const observes = moves.mine({spec: moves.observing, marked: moves.mark('left', 'store')});
const there =
  (object: ResourceView): Answer =>
  ({match}) => [match.kind === 'name' ? moves.otherXr : object];
const taker = moves.theirs({marked: moves.mark('taken', 'net')});
const giver = moves.theirs({spec: moves.letGo, marked: moves.mark('giving', 'net')});
const storeServed = {...served, [schemaName(moves.counterpart)]: true};
const all = ['*'];
const onlyObserve = ['Observe'];

const cases = {
  memory: [
    {
      given: {
        ...wantsPair,
        observed: [observed('db'), observed('app')],
        desired: [...(wantsPair.desired ?? []), desired('new')],
        input: {...pair, externalNames: {remember: {in: 'ConfigMap', namespace: 'memory'}}},
      },
      unanswered: withUsage,
      none: {...withUsage, new: '', 'tether-external-names': expect.stringContaining('external-names')},
      found: [found(observed('of-another', {kind: 'ConfigMap'})[1]), {...withUsage, new: ''}],
    },
  ],
  remembered: [
    {
      given: {xr: view({...xr.json(), status}), desired: [desired('db'), desired('app')], input: remember, seals},
      unanswered: {app: ''},
      none: {app: '', db: 'net-db as vpc-1'},
      found: [found(named), {app: '', db: ''}],
    },
  ],
  formerUsages: [
    {
      given: {...wantsPair, xr: synced('False'), schemas: {}, observed: [observed('db'), observed('app')]},
      unanswered: withUsage,
      none: withUsage,
      found: [found(ownedBy('uid-before', usageView)), withoutUsage],
    },
  ],
  by: [
    {
      given: {observed: [observed('db'), usage('u', {of: 'db', by: 'app'})]},
      unanswered: {db: 'net-db', u: 'net-u'},
      none: {db: 'net-db'},
      found: [found(observed('app')[1]), {db: 'net-db', u: 'net-u'}],
    },
  ],
  lost: [
    {
      given: {
        observed: [observed('old')],
        desired: [desired('old'), desired('db'), desired('other')],
        input: {restore: {lookup: true}},
      },
      unanswered: {old: ''},
      none: {old: '', db: '', other: ''},
      found: [found(observed('db', {name: 'net-lost', controller: 'nobody'})[1]), {old: '', db: 'net-lost', other: ''}],
    },
    {
      given: {
        xr: synced('True'),
        observed: [observed('old')],
        desired: [desired('old'), desired('db')],
        input: {removal: {policies: [{match: {resources: ['db']}, policy: 'Orphan'}]}},
        schemas: served,
      },
      unanswered: {old: ''},
      none: {old: '', db: ''},
      found: [found(observed('db', {deleting: true, controller: 'nobody'})[1]), {old: ''}],
    },
  ],
  place: [
    {
      given: {
        xr: synced('True'),
        observed: [observed('old')],
        desired: [desired('old'), desired('db', {name: 'net-db'})],
        schemas: served,
      },
      unanswered: {old: ''},
      none: {old: '', db: 'net-db'},
      found: [found(observed('db', {deleting: true, spec: moves.letGo, controller: 'nobody'})[1]), {old: ''}],
    },
  ],
  otherSide: [
    // Released before another object has its policies, nothing leads to the external resource.
    {
      given: {observed: [gives], desired: wanted, input: moves.giveInput},
      outcome: policiesOfDb,
      unanswered: onlyObserve,
      none: onlyObserve,
      found: [there(taker), undefined],
    },
    // No longer desired, it is released with its policies if it is alone, and gives back if not.
    {
      given: {observed: [takes], input: moves.takeInput},
      outcome: policiesOfDb,
      unanswered: all,
      none: undefined,
      found: [there(giver), onlyObserve],
    },
    {
      given: {desired: wanted, input: moves.takeInput},
      outcome: policiesOfDb,
      unanswered: undefined,
      none: undefined,
      found: [there(giver), onlyObserve],
    },
  ],
  strayOf: [
    {
      given: {
        ...wantsPair,
        xr: synced('False'),
        observed: [observed('app'), [usageName, ownedBy(xrUid, usageView)]],
      },
      unanswered: withUsage,
      none: withUsage,
      found: [found(observed('db', {controller: 'stale'})[1]), withoutUsage],
    },
  ],
  // Of two objects with policies, each would delete the external resource.
  otherSideByMark: [
    {
      given: {observed: [gives], desired: wanted, schemas: storeServed},
      outcome: policiesOfDb,
      unanswered: onlyObserve,
      none: all,
      found: [there(taker), onlyObserve],
    },
    {
      given: {observed: [observes], desired: wanted, schemas: storeServed},
      outcome: policiesOfDb,
      unanswered: onlyObserve,
      none: all,
      found: [there(giver), onlyObserve],
    },
  ],
  leftBehind: [
    {
      given: {
        ...left,
        xr: view({...xr.json(), status: {conditions: [{type: 'Tethered', status: 'False', message: told}]}}),
      },
      outcome: (given) => planOf(given).condition.reason,
      unanswered: 'LeftBehind',
      none: 'Tethered',
      found: [found(lone), 'LeftBehind'],
    },
  ],
} satisfies {readonly [name in QuestionName]: readonly [Case, ...Case[]]};

/** Its requirements of a request, whatever is asked beside. */
function askedOf(name: QuestionName, given: Given): ReadonlyMap<string, ResourceSelector> {
  const {prefix} = questions[name];
  return new Map([...planOf(given).requirements].filter(([one]) => one.startsWith(prefix)));
}

function answer(given: Given, asked: ReadonlyMap<string, ResourceSelector>, by: Answer): Given {
  const answers = [...asked].map(([name, requirement]) => [name, by(requirement)] as const);
  return {...given, required: {...given.required, ...Object.fromEntries(answers)}};
}

const rows = Object.entries(cases).flatMap(([name, ofOne]: [string, readonly Case[]]) =>
  ofOne.map((one, index) => [name as QuestionName, index, one] as const),
);

describe.each(rows)('the question %s, case %i', (name, _, {given, outcome = desiredAfter, ...decides}) => {
  const {unanswered, none} = decides;
  const [by, then] = decides.found;
  const asked = askedOf(name, given);

  test('is asked, and what it decides stays or waits until the answer is complete', () => {
    expect(asked.size).toBeGreaterThan(0);
    expect(outcome(given)).toEqual(unanswered);
    for (const missing of asked.keys()) {
      const others = new Map([...asked].filter(([one]) => one !== missing));
      for (const part of [nothing, by]) expect(outcome(answer(given, others, part)), missing).toEqual(unanswered);
    }
  });

  test('keeps the XR from Ready while something desired waits for it', () => {
    const {edits, xrReady} = planOf(given);
    const isWaiting = (given.desired ?? []).some(([one]) => edits.get(one)?.kind === 'drop');
    expect(xrReady).toBe(isWaiting ? 'false' : undefined);
  });

  test('decides by its answer', () => {
    const outcomes = [nothing, by].map((whole) => outcome(answer(given, asked, whole)));
    expect(outcomes).toEqual([none, then]);
    expect(outcomes).not.toEqual([unanswered, unanswered]);
  });
});
