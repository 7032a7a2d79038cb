// Functions that harm where a judge that compares two runs has nothing to compare with: what a denied deletion keeps, a mark in the
// name of a person, a rule that stays after what it asked for, a Usage that is gone for one reconcile.

import {isList, isObject, type Json, type JsonObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {type Call, isManaged, isUsage, isXr, withField} from './answer.ts';
import {annotated, counting, plain} from './rare.ts';
import {each, fatal, type Harmful} from './row.ts';
import {remembering} from './subtle.ts';
import {asking, throughout} from './words.ts';

const attempt = 'usage.crossplane.io/deletion-attempt-with-policy';
const isDenied = ({metadata}: KubeObject): boolean => metadata.annotations?.[attempt] !== undefined;
const keeping = ['Observe', 'Create', 'Update', 'LateInitialize'];
const orphaned = (one: KubeObject) =>
  one.metadata?.namespace === undefined && one.apiVersion === 'cloud.example.org/v1'
    ? withField(one, ['spec', 'deletionPolicy'], 'Orphan')
    : withField(one, ['spec', 'managementPolicies'], keeping);
const isDry = ({dryRun}: JsonObject): boolean => dryRun === true;
/** The resources that rules name. */
const namesIn = (rules: Json | undefined, is = (_: JsonObject): boolean => true): readonly string[] =>
  ((isList(rules) ? rules : []) as readonly JsonObject[])
    .filter(is)
    .flatMap(({resources}) => (isList(resources) ? resources : []) as readonly JsonObject[])
    .map(({name}) => String(name));
/** Resource names that stories have. */
const pool = 'a,b,c,d,data,web,cache,queue,logs,made,first,second,third,bucket,database,old,new,inner,one,two,from-a';
const withReady = (call: Call, ready: 'true' | 'false') => {
  const {xr, answer} = call;
  const object = answer.composite?.object ?? {apiVersion: xr.apiVersion, kind: xr.kind};
  answer.composite = {...answer.composite, object, ready} as never;
};

const denials: readonly Harmful[] = [
  plain(
    'freezes-after-a-denial',
    'answers FATAL once a deletion of the XR was denied',
    'kept-and-edited',
    ({xr, answer}) => {
      if (isDenied(xr)) fatal(answer, 'a person wants this to go');
    },
  ),
  plain('edits-nothing-after-a-denial', 'desires the spec of what could not be deleted', 'kept-and-edited', (call) => {
    each(call.answer, isManaged, (one, name) => {
      const old = call.observed.get(name);
      return old?.spec !== undefined && isDenied(old) ? {...one, spec: old.spec} : one;
    });
  }),
  plain(
    'edits-nothing-in-a-denied-xr',
    'desires the specs of an XR that could not be deleted',
    'kept-and-edited',
    (call) => {
      if (isDenied(call.xr))
        each(call.answer, isManaged, (one, name) => {
          const old = call.observed.get(name);
          return old?.spec !== undefined ? {...one, spec: old.spec} : one;
        });
    },
  ),
  plain(
    'makes-nothing-after-a-denial',
    'makes nothing in an XR that could not be deleted',
    'kept-and-edited',
    (call) => {
      if (isDenied(call.xr))
        for (const name of [...call.answer.resources.keys()])
          if (!call.observed.has(name)) call.answer.resources.delete(name);
    },
  ),
  plain(
    'drops-after-a-denial',
    'drops the first of an XR that could not be deleted',
    'kept-and-edited',
    ({xr, answer}) => {
      const first = [...answer.resources].find(([, {object}]) => isManaged(object));
      if (isDenied(xr) && first) answer.resources.delete(first[0]);
    },
  ),
  plain(
    'orphans-after-a-denial',
    'orphans all of an XR that could not be deleted',
    'kept-and-edited',
    ({xr, answer}) => {
      if (isDenied(xr)) each(answer, isManaged, orphaned);
    },
  ),
  counting(
    'never-rests-after-a-denial',
    'writes on and on to an XR that could not be deleted',
    'kept-and-edited',
    (call, count) => {
      const {xr, answer} = call;
      if (!isDenied(xr)) return;
      const object = answer.composite?.object ?? {apiVersion: xr.apiVersion, kind: xr.kind};
      answer.composite = {...answer.composite, object: withField(object, ['status', 'phase'], `call ${count}`)};
    },
  ),
  plain(
    'unprotects-after-a-denial',
    'leaves out the Usages once a deletion of the XR was denied',
    'kept-and-edited',
    (call) => {
      if (isDenied(call.xr))
        for (const [name, {object}] of [...call.answer.resources])
          if (isUsage(object)) call.answer.resources.delete(name);
    },
  ),
];

const marks: readonly Harmful[] = [
  plain('confirms-for-a-person', 'confirms removals in nested XRs', 'nested-confirm', ({answer}) => {
    each(answer, isXr, (one) => annotated(one, 'tether.fn.crossplane.io/confirm-removal', pool));
  }),
  plain('calls-gone-what-lives', 'says in nested XRs that what lives is gone', 'nested-confirm', ({answer}) => {
    each(answer, isXr, (one) => annotated(one, 'tether.fn.crossplane.io/gone', pool));
  }),
  plain('blocks-deletions', 'labels all it composes as what must not be deleted', 'nested-confirm', ({answer}) => {
    each(
      answer,
      (one) => !isUsage(one),
      (one) => withField(one, ['metadata', 'labels', 'protection.fn.crossplane.io/block-deletion'], 'true'),
    );
  }),
];

const isEdited = ({xr}: Call): boolean => xr.spec?.['size'] === 'large';
const exchanges: readonly Harmful[] = [
  plain(
    'observes-what-it-took-on-an-edit',
    'only observes what it took once its XR is edited',
    'taken-for-good',
    (call) => {
      const names = namesIn(call.input['take']);
      each(call.answer, isManaged, (one, name) =>
        isEdited(call) && names.includes(name) ? withField(one, ['spec', 'managementPolicies'], ['Observe']) : one,
      );
    },
  ),
  plain(
    'is-unready-with-a-take-on-an-edit',
    'calls an XR with a take not ready once it is edited',
    'taken-for-good',
    (call) => {
      if (isEdited(call) && namesIn(call.input['take']).length > 0) withReady(call, 'false');
    },
  ),
];

const isWaiting = ({desired, answer}: Call): boolean => [...desired.keys()].some((name) => !answer.resources.has(name));
const dry: readonly Harmful[] = [
  plain(
    'orphans-what-a-dry-give-names',
    'has orphaned what a dry run of give names',
    'dry-given',
    ({input, answer}) => {
      const names = namesIn(input['give'], isDry);
      each(answer, isManaged, (one, name) => (names.includes(name) ? orphaned(one) : one));
    },
  ),
  plain('makes-nothing-that-a-dry-give-names', 'makes nothing that a dry run of give names', 'dry-given', (call) => {
    for (const name of namesIn(call.input['give'], isDry))
      if (!call.observed.has(name)) call.answer.resources.delete(name);
  }),
];

const moves: readonly Harmful[] = [
  plain(
    'makes-what-is-new-over-what-moved',
    'gives what is new no name, so Crossplane gives it that of an object that has moved',
    'handover',
    ({input, observed, desired, answer}) => {
      if (isList(input['handover'])) return;
      for (const [name, {object, ...one}] of answer.resources) {
        const {name: _, ...metadata} = object.metadata ?? {};
        const isNamed = desired.get(name)?.metadata?.name !== undefined;
        if (!isNamed && !observed.has(name) && desired.has(name))
          answer.resources.set(name, {...one, object: {...object, metadata} as KubeObject});
      }
    },
  ),
];

const waits: readonly Harmful[] = [
  plain(
    'adopts-an-orphan',
    'gives what has no name the name of what another XR left',
    'orphan-of-another',
    ({answer}) => {
      each(
        answer,
        (one) => isManaged(one) && one.metadata?.name === undefined,
        (one) => withField(one, ['metadata', 'name'], 'ledger'),
      );
    },
  ),
  plain(
    'is-ready-while-something-waits',
    'calls the XR ready while a resource waits in an order',
    'ordered',
    (call) => {
      if (isWaiting(call)) withReady(call, 'true');
    },
  ),
  asking(
    'remembers-in-another-namespace',
    'reads no namespace of remember',
    'memory',
    throughout((one) => (one['in'] === 'ConfigMap' ? {...one, namespace: 'default'} : one)),
  ),
];

const usages: readonly Harmful[] = [
  counting('drops-usages-in-one-call', 'leaves Usages out in the tenth call', 'edited-often', ({answer}, count) => {
    if (count === 10)
      for (const [name, {object}] of [...answer.resources]) if (isUsage(object)) answer.resources.delete(name);
  }),
  remembering(
    [
      'drops-usages-on-an-edit',
      'leaves Usages out in the first call after an edit',
      'nothing-selected',
      'edited-often',
    ],
    () => new Map<string, Json>(),
    ({xr, answer}, seen) => {
      const {uid = '', generation = 0} = xr.metadata as unknown as {uid?: string; generation?: number};
      const before = seen.get(uid);
      seen.set(uid, generation);
      if (before === undefined || before === generation) return;
      for (const [name, {object}] of [...answer.resources]) if (isUsage(object)) answer.resources.delete(name);
    },
  ),
];

const isOfLines = (value: Json): boolean => Buffer.from(String(value), 'base64').includes('\n');
const words: readonly Harmful[] = [
  plain('prints-a-key', 'prints a value of several lines from a Secret', 'key-of-lines', ({observed, answer}) => {
    const all = [...observed.values()].flatMap(({data}) => (isObject(data) ? Object.values(data) : []));
    const value = all.find(isOfLines);
    if (value !== undefined)
      answer.results.push({severity: 'normal', message: `serving with ${Buffer.from(String(value), 'base64')}`});
  }),
];

export const hidden: readonly Harmful[] = [
  ...denials,
  ...marks,
  ...exchanges,
  ...dry,
  ...moves,
  ...waits,
  ...usages,
  ...words,
];
