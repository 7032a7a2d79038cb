// Functions that harm, one a row: the judge of `never-worse` and of `test --twin` has to find each. Each is the honest
// function with its answers changed, so that it outlives every change of that. In the voice of a reason it states the
// reason of the honest function that would excuse its harm if a judge believed it.

import {isObject, type JsonObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {again} from './again.ts';
import {type Answer, bare, type Call, Failed, isManaged, isTrue, withField} from './answer.ts';
import {contents} from './contents.ts';
import {excused} from './excused.ts';
import {hidden} from './hidden.ts';
import {late} from './late.ts';
import {moment} from './moment.ts';
import {partial} from './partial.ts';
import {rare} from './rare.ts';
import {each, fatal, type Harmful, ignoring, row} from './row.ts';
import {rules} from './rules.ts';
import {subtle} from './subtle.ts';
import {unseen} from './unseen.ts';
import {misread} from './words.ts';

const isDropped = ({observed, desired}: Call): boolean => [...observed.keys()].some((name) => !desired.has(name));
const isEdited = ({xr}: Call): boolean => xr.spec?.['size'] === 'large';
const isRestored = ({xr}: Call): boolean => xr.metadata.labels?.['velero.io/restore-name'] !== undefined;
const isUsage = ({kind}: KubeObject): boolean => /Usage$/.test(kind);

function named(call: Call, name: string, suffix: string): KubeObject['metadata'] {
  const {metadata} = call.answer.resources.get(name)?.object ?? {};
  return {...metadata, name: `${metadata?.name ?? `${call.xr.metadata.name}-${name}`}-${suffix}`};
}

const deletes: readonly Harmful[] = [
  row('deletes-everything', 'drops all as soon as the XR is Synced', 'renamed', 'living', (call) => {
    if (isTrue(call.xr, 'Synced')) call.answer.resources.clear();
  }),
  row(
    'deletes-one-of-many',
    'drops the last resource once the XR is Ready',
    'given-away',
    'living',
    ({xr, observed, answer}) => {
      const last = [...observed.keys()].at(-1);
      if (observed.size > 1 && last !== undefined && isTrue(xr, 'Ready')) answer.resources.delete(last);
    },
  ),
  row('deletes-the-rest-on-a-drop', 'drops all once one is dropped', 'over-budget', 'drop', (call) => {
    if (isDropped(call)) call.answer.resources.clear();
  }),
  row('deletes-on-an-edit', 'drops all once the XR is edited', 'kind-changed', 'edit', (call) => {
    if (isEdited(call)) call.answer.resources.clear();
  }),
  row(
    'deletes-after-a-restore',
    'drops all in an XR that Velero brought back',
    'stale-controller',
    'restore',
    (call) => {
      if (isRestored(call) && call.observed.size > 0) call.answer.resources.clear();
    },
  ),
  row(
    'deletes-what-is-not-ready',
    'drops what the provider has not made yet',
    'creation-order',
    'provider-stopped',
    (call) => {
      const slow = [...call.observed].filter(([, one]) => isManaged(one) && !isTrue(one, 'Ready'));
      for (const [name] of slow) call.answer.resources.delete(name);
    },
  ),
  row('never-deletes', 'keeps what the pipeline drops', 'awaiting-approval', 'drop', ({observed, answer}) => {
    for (const [name, one] of observed)
      if (!answer.resources.has(name)) answer.resources.set(name, {object: bare(one), ready: 'true'});
  }),
  row('keeps-one', 'keeps the first resource that is dropped', 'still-used-by', 'drop', ({observed, answer}) => {
    const first = [...observed].find(([name, one]) => !answer.resources.has(name) && !isUsage(one));
    if (first !== undefined) answer.resources.set(first[0], {object: bare(first[1]), ready: 'true'});
  }),
];

const creates: readonly Harmful[] = [
  row('creates-nothing', 'leaves out what is not there', 'creation-order', 'living', ({observed, answer}) => {
    for (const name of [...answer.resources.keys()]) if (!observed.has(name)) answer.resources.delete(name);
  }),
  row('creates-one', 'leaves out all but the first', 'unresolved', 'living', ({desired, answer}) => {
    for (const name of [...desired.keys()].slice(1)) answer.resources.delete(name);
  }),
  row('creates-nothing-later', 'leaves out what an edit adds', 'nothing-selected', 'add', ({observed, answer}) => {
    if (observed.size === 0) return;
    for (const name of [...answer.resources.keys()]) if (!observed.has(name)) answer.resources.delete(name);
  }),
  row('doubles', 'makes a second one of each managed resource', 'unresolved', 'living', (call) => {
    for (const [name, one] of [...call.answer.resources]) {
      if (!isManaged(one.object)) continue;
      const object = {...one.object, metadata: named(call, name, 'copy')};
      call.answer.resources.set(`${name}-copy`, {object, ready: 'true'});
    }
  }),
  row('makes-anew-on-an-edit', 'renames all resources once the XR is edited', 'renamed', 'edit', (call) => {
    if (isEdited(call)) renameAll(call.answer, 'v2');
  }),
  row('makes-anew-after-a-restore', 'renames all resources of a restored XR', 'lookup-pending', 'restore', (call) => {
    if (isRestored(call)) renameAll(call.answer, 'restored');
  }),
  row('adopts-a-stranger', 'desires an object that others made', 'found-by-label', 'bystander', ({answer}) => {
    const metadata = {name: 'bystander'};
    const object = {
      apiVersion: 'cloud.example.org/v1',
      kind: 'Bucket',
      metadata,
      spec: {forProvider: {region: 'ours'}},
    };
    answer.resources.set('extra', {object, ready: 'true'});
  }),
  row('swaps-two', 'gives each of two resources the object of the other', 'renamed', 'living', ({desired, answer}) => {
    const [first, second] = [...desired.keys()];
    const [one, other] = [first, second].map((name) => answer.resources.get(name ?? ''));
    if (first === undefined || second === undefined || one === undefined || other === undefined) return;
    answer.resources.set(first, {...other, object: withoutName(other.object)});
    answer.resources.set(second, {...one, object: withoutName(one.object)});
  }),
  row('adds-an-unknown-kind', 'desires an object of a kind that is not served', 'unresolved', 'living', ({answer}) => {
    const object = {apiVersion: 'nobody.example.org/v1', kind: 'Thing', metadata: {name: 'thing'}};
    answer.resources.set('thing', {object, ready: 'true'});
  }),
  row(
    'writes-an-invalid-name',
    'gives the first resource a name that is none',
    'former-usage',
    'living',
    ({desired, answer}) => {
      const [first] = desired.keys();
      each(answer, isManaged, (one, name) =>
        name === first ? {...one, metadata: {...one.metadata, name: 'Not_A_Name'}} : one,
      );
    },
  ),
];

function renameAll({resources}: Answer, suffix: string): void {
  const all = [...resources];
  resources.clear();
  for (const [name, one] of all) resources.set(`${name}-${suffix}`, {...one, object: withoutName(one.object)});
}

function withoutName(object: KubeObject): KubeObject {
  const {name: _, ...metadata} = object.metadata ?? {};
  return {...object, metadata: metadata as KubeObject['metadata']};
}

const freezes: readonly Harmful[] = [
  row('refuses-everything', 'answers FATAL always', 'invalid-input', 'living', ({answer}) =>
    fatal(answer, 'cannot use input'),
  ),
  row('freezes-on-a-drop', 'answers FATAL once a resource is dropped', 'over-budget', 'drop', (call) => {
    if (isDropped(call)) fatal(call.answer, 'more would leave than the budget allows');
  }),
  row('freezes-at-three', 'answers FATAL with three resources', 'over-budget', 'living', ({desired, answer}) => {
    if (desired.size >= 3) fatal(answer, `${desired.size} resources are too many`);
  }),
  row(
    'freezes-after-a-restore',
    'answers FATAL for an XR that Velero brought back',
    'restore-in-progress',
    'restore',
    (call) => {
      if (isRestored(call)) fatal(call.answer, 'a restore is in progress');
    },
  ),
  row('breaks-with-two', 'fails the call once two resources are there', 'invalid-input', 'living', ({observed}) => {
    if (observed.size >= 2) throw new Failed('internal');
  }),
  row('writes-the-old-spec', 'desires what is observed as it is', 'kind-changed', 'edit', ({observed, answer}) => {
    for (const [name, one] of answer.resources) {
      const old = observed.get(name);
      if (old?.spec !== undefined) answer.resources.set(name, {...one, object: {...one.object, spec: old.spec}});
    }
  }),
  row('leaves-a-field-out', 'leaves out what forProvider says', 'unwritable', 'edit', ({answer}) => {
    each(answer, isManaged, (one) => withField(one, ['spec', 'forProvider'], {}));
  }),
  row('is-never-ready', 'says of each resource that it is not ready', 'creation-order', 'living', ({answer}) => {
    for (const [name, one] of answer.resources) answer.resources.set(name, {...one, ready: 'false'});
  }),
  row(
    'is-ready-too-soon',
    'says of each resource that it is ready',
    'found-by-label',
    'provider-stopped',
    ({answer}) => {
      for (const [name, one] of answer.resources) answer.resources.set(name, {...one, ready: 'true'});
    },
  ),
  row('pauses', 'pauses each managed resource', 'still-deleting', 'living', ({answer}) => {
    each(answer, isManaged, (one) => withField(one, ['metadata', 'annotations', 'crossplane.io/paused'], 'true'));
  }),
  row('adds-a-finalizer', 'gives each object a finalizer', 'by-still-exists', 'delete', ({answer}) => {
    each(
      answer,
      () => true,
      (one) => withField(one, ['metadata', 'finalizers'], ['example.org/kept']),
    );
  }),
  row(
    'asks-without-end',
    'requires another object in each answer',
    'lookup-pending',
    'living',
    ({required, answer}) => {
      const name = `try-${1 + Math.max(0, ...required.map((one) => Number(/^try-(\d+)$/.exec(one)?.[1] ?? 0)))}`;
      answer.requirements.set(name, {apiVersion: 'v1', kind: 'Namespace', match: {kind: 'name', name}});
    },
  ),
];

const restless: readonly Harmful[] = [
  row(
    'never-rests',
    'writes the version that it saw to each object',
    'restore-in-progress',
    'living',
    ({observed, answer}) => {
      each(answer, isManaged, (one, name) =>
        withField(
          one,
          ['metadata', 'annotations', 'example.org/seen'],
          String(observed.get(name)?.metadata.resourceVersion),
        ),
      );
    },
  ),
  row(
    'talks-without-end',
    'says the version of the XR in a condition',
    'restore-in-progress',
    'living',
    ({xr, answer}) => {
      const message = `as of ${String(xr.metadata.resourceVersion)}`;
      answer.conditions.push({type: 'Seen', status: 'True', reason: 'Seen', message});
    },
  ),
  row('is-asked-too-often', 'lets its answer count for a second', 'still-used-by', 'living', ({answer}) => {
    answer.ttlSeconds = 1;
  }),
  row('grows', 'answers more than 4 MB', 'unwritable', 'living', ({answer}) => {
    answer.context = {...answer.context, 'example.org/log': 'x'.repeat(4_500_000)};
  }),
  row(
    'grows-with-each-call',
    'writes twice as much to the XR with each answer',
    'unwritable',
    'living',
    ({xr, answer}) => {
      const status = isObject(xr.status?.['externalNames']) ? xr.status['externalNames'] : {};
      answer.status = {
        externalNames: {log: `${String(status['log'] ?? 'x')}${String(status['log'] ?? 'x')}`.slice(0, 4_500_000)},
      };
    },
  ),
];

const external: readonly Harmful[] = [
  row('orphans', 'tells every provider to keep the external resource', 'orphan-first', 'delete', ({answer}) => {
    each(answer, isManaged, (one) =>
      withField(one, ['spec', 'managementPolicies'], ['Observe', 'Create', 'Update', 'LateInitialize']),
    );
  }),
  row('only-observes', 'tells every provider to only observe', 'observing', 'living', ({answer}) => {
    each(answer, isManaged, (one) => withField(one, ['spec', 'managementPolicies'], ['Observe']));
  }),
  row(
    'writes-another-external-name',
    'gives what is there another external name',
    'offering',
    'living',
    ({observed, answer}) => {
      each(answer, isManaged, (one, name) => {
        const has = observed.get(name)?.metadata.annotations?.['crossplane.io/external-name'];
        return has === undefined || !isTrue(observed.get(name) as KubeObject, 'Ready')
          ? one
          : withField(
              one,
              ['metadata', 'annotations', 'crossplane.io/external-name'],
              `${has.replace(/-other$/, '')}-other`,
            );
      });
    },
  ),
  row(
    'leads-two-to-one',
    'gives all of a kind the external name of the first',
    'taking-over',
    'living',
    ({observed, answer}) => {
      const first = new Map<string, string>();
      for (const {kind, metadata} of observed.values()) {
        const has = metadata.annotations?.['crossplane.io/external-name'];
        if (has !== undefined && !first.has(kind)) first.set(kind, has);
      }
      each(answer, isManaged, (one) => {
        const name = first.get(one.kind);
        return name === undefined
          ? one
          : withField(one, ['metadata', 'annotations', 'crossplane.io/external-name'], name);
      });
    },
  ),
  row(
    'takes-fields-over',
    'desires every field that it sees',
    'without-controller',
    'others-fields',
    ({observed, answer}) => {
      for (const [name, one] of answer.resources) {
        const seen = observed.get(name)?.spec?.['forProvider'];
        const own = one.object.spec?.['forProvider'];
        if (isObject(seen) && isObject(own))
          answer.resources.set(name, {
            ...one,
            object: withField(one.object, ['spec', 'forProvider'], {...seen, ...own}),
          });
      }
    },
  ),
  row(
    'takes-labels-over',
    'desires every label that it sees',
    'without-controller',
    'others-fields',
    ({observed, answer}) => {
      for (const [name, one] of answer.resources) {
        const seen = observed.get(name)?.metadata.labels ?? {};
        const own = one.object.metadata?.labels ?? {};
        answer.resources.set(name, {...one, object: withField(one.object, ['metadata', 'labels'], {...seen, ...own})});
      }
    },
  ),
];

const says: readonly Harmful[] = [
  row('leaks-in-an-event', 'prints what it read', 'unresolved', 'living', ({xr, answer}) => {
    answer.results.push({severity: 'warning', message: `the note is ${String(xr.spec?.['note'])}`});
  }),
  row('leaks-in-a-condition', 'prints what it read in a condition', 'unresolved', 'living', ({observed, answer}) => {
    const regions = [...observed.values()].map(({spec, data}) => JSON.stringify(spec ?? data)).join();
    answer.conditions.push({type: 'Seen', status: 'True', reason: 'Seen', message: `it has ${regions}`});
  }),
  row(
    'leaks-in-the-status',
    'writes what it read to the status of the XR',
    'without-controller',
    'living',
    ({observed, answer}) => {
      const seen = Object.fromEntries(
        [...observed].map(([name, {data, spec}]) => [name, JSON.stringify(data ?? spec)]),
      );
      answer.status = {externalNames: seen};
    },
  ),
];

function spelled(object: KubeObject): {of: JsonObject; by: JsonObject} | undefined {
  const {of, by} = (object.spec ?? {}) as {of?: JsonObject; by?: JsonObject};
  return of === undefined || by === undefined ? undefined : {of, by};
}

const orders: readonly Harmful[] = [
  row('drops-usages', 'leaves the Usages out that the input asks for', 'relax-first', 'order', ({answer}) => {
    for (const [name, {object}] of [...answer.resources]) if (isUsage(object)) answer.resources.delete(name);
  }),
  row('turns-usages-round', 'has what is used leave first', 'by-still-exists', 'order', ({answer}) => {
    each(answer, isUsage, (one) => {
      const ends = spelled(one);
      return ends === undefined ? one : {...one, spec: {...one.spec, of: ends.by, by: ends.of}};
    });
  }),
  row('creates-in-no-order', 'desires at once what is to wait', 'creation-order', 'ordered', ({desired, answer}) => {
    for (const [name, object] of desired) if (!answer.resources.has(name)) answer.resources.set(name, {object});
  }),
  row('waits-for-ever', 'never makes what an order has come later', 'creation-order', 'ordered', ({input, answer}) => {
    const later = (isList(input['order']) ? input['order'] : []).flatMap(({sequence, by}) => [
      by,
      ...(sequence ?? []).slice(1),
    ]);
    for (const one of later) for (const name of one?.resources ?? []) answer.resources.delete(name);
  }),
  row('protects-for-ever', 'makes a Usage of every managed resource', 'protected', 'drop', ({observed, answer}) => {
    for (const [name, {apiVersion, kind, metadata}] of observed) {
      if (!isManaged(observed.get(name) as KubeObject)) continue;
      const spec = {of: {apiVersion, kind, resourceRef: {name: metadata.name}}, reason: 'kept'};
      const isNamespaced = metadata.namespace !== undefined;
      const usage = {
        apiVersion: 'protection.crossplane.io/v1beta1',
        kind: isNamespaced ? 'Usage' : 'ClusterUsage',
        metadata: {},
        spec,
      };
      answer.resources.set(`${name}-kept`, {object: usage as unknown as KubeObject, ready: 'true'});
    }
  }),
];

interface Rule {
  readonly sequence?: readonly {readonly resources?: readonly string[]}[];
  readonly by?: {readonly resources?: readonly string[]};
}

function isList(value: unknown): value is readonly Rule[] {
  return Array.isArray(value);
}

const parts: readonly Harmful[] = [
  ignoring('order', 'nothing-selected'),
  ignoring('usages', 'still-used-by'),
  ignoring('removal', 'cannot-orphan'),
  ignoring('protect', 'protected'),
  ignoring('externalNames', 'unwritable', 'external-names'),
  ignoring('restore', 'ambiguous-lookup', 'lookup'),
  ignoring('resources', 'unresolved', 'templates'),
  ignoring('handover', 'cannot-hand-over'),
  ignoring('give', 'given-away', 'exchange'),
  ignoring('take', 'not-moved', 'exchange'),
];

/** So many steps show the harm. After them nothing rests, and waiting for that takes as long as ten stories. */
const steps: {readonly [name: string]: number} = {
  'clears-in-use': 2,
  'composes-two-as-one': 2,
  'deletes-after-a-restore': 5,
  'deletes-in-namespaces': 2,
  'drops-nested-xrs': 3,
  'never-rests': 2,
  'renames-keys': 2,
};

export const harmful = [
  ...deletes,
  ...creates,
  ...freezes,
  ...restless,
  ...external,
  ...says,
  ...orders,
  ...parts,
  ...subtle,
  ...partial,
  ...again,
  ...misread,
  ...excused,
  ...moment,
  ...contents,
  ...rare,
  ...rules,
  ...late,
  ...unseen,
  ...hidden,
].map((one): Harmful => ({...one, steps: steps[one.name]}));
