// Functions that harm a few, or late, or in one field.

import {equal, isObject, type JsonObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import type {InProcessFunction} from '../../src/harness/functions/builtin.ts';
import {type Call, changing, isManaged, isTrue, withField} from './answer.ts';
import {each, fatal, type Harmful, row} from './row.ts';

/** A function that remembers: `memory` makes what it knows before the first call. */
export function remembering<T>(
  [name, breaks, reason, story]: readonly [string, string, string, string],
  memory: () => T,
  change: (call: Call, memory: T) => void,
): Harmful {
  const wrap = (honest: InProcessFunction) => {
    const known = memory();
    return changing(honest, (call) => change(call, known));
  };
  return {name, breaks, reason, story, wrap};
}

function metadataOf(object: KubeObject, change: (metadata: JsonObject) => JsonObject): KubeObject {
  return {...object, metadata: change({...object.metadata}) as unknown as KubeObject['metadata']};
}

const late: readonly Harmful[] = [
  remembering(
    ['deletes-on-the-fifth-call', 'drops all in each fifth call for an XR', 'former-usage', 'living'],
    () => new Map<string, number>(),
    ({xr, answer}, calls) => {
      const uid = xr.metadata.uid ?? '';
      calls.set(uid, (calls.get(uid) ?? 0) + 1);
      if ((calls.get(uid) ?? 0) % 5 === 0) answer.resources.clear();
    },
  ),
  remembering(
    ['deletes-in-the-second-xr', 'drops all in every XR but the first', 'given-away', 'exchange'],
    () => new Set<string>(),
    ({xr, answer}, seen) => {
      seen.add(xr.metadata.uid ?? '');
      const [first] = seen;
      if (xr.metadata.uid !== first && isTrue(xr, 'Synced')) answer.resources.clear();
    },
  ),
  remembering(
    [
      'desires-nothing-after-a-restore',
      'drops all of an XR that has another UID than before',
      'stale-controller',
      'restore',
    ],
    () => new Map<string, string>(),
    ({xr: {kind, metadata}, answer}, uids) => {
      const name = `${kind} ${metadata.namespace}/${metadata.name}`;
      const before = uids.get(name) ?? metadata.uid ?? '';
      uids.set(name, before);
      if (before !== metadata.uid) answer.resources.clear();
    },
  ),
  remembering(
    ['changes-its-mind', 'writes another region in each second call', 'offering', 'living'],
    () => ({isSecond: false}),
    ({answer}, memory) => {
      memory.isSecond = !memory.isSecond;
      if (memory.isSecond) each(answer, isManaged, (one) => withField(one, ['spec', 'forProvider', 'region'], 'other'));
    },
  ),
];

const few: readonly Harmful[] = [
  row('deletes-in-namespaces', 'drops what is in a namespace once that is there', 'renamed', 'living', (call) => {
    for (const [name, {metadata}] of call.observed)
      if (metadata.namespace !== undefined) call.answer.resources.delete(name);
  }),
  row(
    'deletes-what-others-labelled',
    'drops a resource that has a label of others',
    'stale-controller',
    'others-fields',
    ({observed, answer}) => {
      for (const [name, {metadata}] of observed) {
        const own = answer.resources.get(name)?.object.metadata?.labels ?? {};
        const isOthers = (label: string) => !label.includes('/') && own[label] === undefined;
        if (Object.keys(metadata.labels ?? {}).some(isOthers)) answer.resources.delete(name);
      }
    },
  ),
  row(
    'freezes-on-a-label',
    'answers FATAL if others labelled a resource',
    'invalid-input',
    'others-fields',
    ({observed, answer}) => {
      const labels = [...observed.values()].flatMap(({metadata}) => Object.keys(metadata.labels ?? {}));
      if (labels.some((label) => ['cost', 'mine'].includes(label))) fatal(answer, 'cannot use a label');
    },
  ),
  row(
    'observes-after-a-restore',
    'has providers only observe what Velero brought back',
    'restore-in-progress',
    'restore',
    ({xr, answer}) => {
      if (xr.metadata.labels?.['velero.io/restore-name'] === undefined) return;
      each(answer, isManaged, (one) => withField(one, ['spec', 'managementPolicies'], ['Observe']));
    },
  ),
  row(
    'awaits-no-details',
    'drops what waits for connection details after a restore',
    'restore-in-progress',
    'details',
    ({observed, desired, answer}) => {
      if (![...observed.values()].filter(isManaged).every((one) => isTrue(one, 'Ready'))) return;
      for (const [name, {metadata}] of observed)
        if (!desired.has(name) && metadata.annotations?.['tether.fn.crossplane.io/restore'] !== undefined)
          answer.resources.delete(name);
    },
  ),
  row('composes-two-as-one', 'gives two resources of a kind one name', 'name-changed', 'living', ({xr, answer}) => {
    each(answer, isManaged, (one) => metadataOf(one, (metadata) => ({...metadata, name: `${xr.metadata.name}-one`})));
  }),
  row('protects-the-xr', 'makes a Usage of the XR', 'protected', 'delete', ({xr, answer}) => {
    answer.resources.set('xr-kept', {object: usageOf(xr), ready: 'true'});
  }),
  row(
    'denies-a-first-deletion',
    'makes a Usage of the XR until a deletion is denied',
    'protected',
    'delete',
    ({xr, answer}) => {
      const isDenied = xr.metadata.annotations?.['usage.crossplane.io/deletion-attempt-with-policy'] !== undefined;
      if (!isDenied) answer.resources.set('xr-kept', {object: usageOf(xr), ready: 'true'});
    },
  ),
];

export function usageOf({apiVersion, kind, metadata}: KubeObject): KubeObject {
  return {
    apiVersion: 'protection.crossplane.io/v1beta1',
    kind: metadata.namespace === undefined ? 'ClusterUsage' : 'Usage',
    metadata: {},
    spec: {of: {apiVersion, kind, resourceRef: {name: metadata.name}}, reason: 'kept'},
  } as unknown as KubeObject;
}

const fields: readonly Harmful[] = [
  row('loses-labels', 'leaves out every label', 'unwritable', 'living', ({answer}) => {
    each(
      answer,
      () => true,
      (one) => metadataOf(one, ({labels: _, ...metadata}) => metadata),
    );
  }),
  row('loses-annotations', 'leaves out every annotation', 'unwritable', 'named', ({answer}) => {
    each(
      answer,
      () => true,
      (one) => metadataOf(one, ({annotations: _, ...metadata}) => metadata),
    );
  }),
  row('gives-other-names', 'gives each object another name than its author', 'name-changed', 'named', ({answer}) => {
    each(
      answer,
      ({metadata}) => metadata?.name !== undefined,
      (one) => metadataOf(one, (metadata) => ({...metadata, name: `${String(metadata['name'])}-2`})),
    );
  }),
  row('changes-namespaces', 'has every object in the namespace default', 'unresolved', 'living', ({answer}) => {
    each(
      answer,
      ({metadata}) => metadata?.namespace !== undefined,
      (one) => metadataOf(one, (metadata) => ({...metadata, namespace: 'default'})),
    );
  }),
  row('orphans-the-old-way', 'has every provider orphan', 'orphan-first', 'delete', ({answer}) => {
    each(
      answer,
      ({spec}) => isObject(spec?.['forProvider']),
      (one) => withField(one, ['spec', 'deletionPolicy'], 'Orphan'),
    );
  }),
  row(
    'leaks-in-an-annotation',
    'writes what it read to an annotation',
    'without-controller',
    'living',
    ({xr, answer}) => {
      each(answer, isManaged, (one) =>
        withField(one, ['metadata', 'annotations', 'note'], String(xr.spec?.['note'] ?? '')),
      );
    },
  ),
  row('clears-the-status', 'leaves out the status of the XR', 'unwritable', 'named', ({answer}) => {
    if (answer.composite === undefined) return;
    const {status: _, ...object} = answer.composite.object;
    answer.composite = {...answer.composite, object};
  }),
  row('drops-context', 'leaves the context of earlier steps out', 'unresolved', 'later', ({answer}) => {
    answer.context = undefined;
  }),
  row(
    'changes-context',
    'changes the context of earlier steps',
    'unresolved',
    'later',
    ({answer: {context}, answer}) => {
      if (context?.['region'] !== undefined) answer.context = {...context, region: 'elsewhere'};
    },
  ),
  row('is-ready-as-a-whole', 'says of the XR that it is ready', 'found-by-label', 'provider-stopped', (call) => {
    const {apiVersion, kind} = call.xr;
    call.answer.composite = {object: call.answer.composite?.object ?? {apiVersion, kind}, ready: 'true'};
  }),
  row('is-unready-as-a-whole', 'says of the XR that it is not ready', 'creation-order', 'living', (call) => {
    const {apiVersion, kind} = call.xr;
    call.answer.composite = {object: call.answer.composite?.object ?? {apiVersion, kind}, ready: 'false'};
  }),
];

/** Leaves a field of the spec out that its author wrote. */
function leavingOut(name: string, field: string): Harmful {
  return row(name, `leaves out ${field}`, 'unwritable', 'authored', ({answer}) => {
    each(
      answer,
      ({spec}) => spec?.[field] !== undefined,
      (one) => {
        const {[field]: _, ...spec} = one.spec ?? {};
        return {...one, spec};
      },
    );
  });
}

const deletable = {deletionPolicy: 'Delete', managementPolicies: ['*']};

const authored: readonly Harmful[] = [
  row('deletes-over-orphan', 'writes Delete where the author wrote Orphan', 'orphan-first', 'authored', ({answer}) => {
    each(
      answer,
      ({spec}) => spec?.['deletionPolicy'] !== undefined,
      (one) => withField(one, ['spec', 'deletionPolicy'], 'Delete'),
    );
  }),
  row(
    'deletes-over-orphan-on-a-drop',
    'has the provider destroy what is dropped, whatever the author wrote',
    'orphan-first',
    'authored',
    ({observed, desired, answer}) => {
      for (const [name, one] of observed) {
        const spec = {...one.spec, ...deletable};
        if (isManaged(one) && !desired.has(name) && !equal(spec, one.spec ?? {}))
          answer.resources.set(name, {object: {...one, metadata: {name: one.metadata.name}, spec}});
      }
    },
  ),
  leavingOut('drops-deletion-policies', 'deletionPolicy'),
  leavingOut('drops-management-policies', 'managementPolicies'),
  leavingOut('drops-connection-secrets', 'writeConnectionSecretToRef'),
  leavingOut('drops-provider-configs', 'providerConfigRef'),
  row('drops-connection-details', 'leaves out connection details of the XR', 'unwritable', 'authored', ({answer}) => {
    if (answer.composite === undefined) return;
    const {connectionDetails: _, ...composite} = answer.composite;
    answer.composite = composite;
  }),
  row(
    'leaks-in-connection-details',
    'publishes what it read with the connection details of the XR',
    'unresolved',
    'authored',
    ({observed, answer}) => {
      if (answer.composite === undefined) return;
      const specs = JSON.stringify([...observed.values()].map(({spec}) => spec));
      const details = [...(answer.composite.connectionDetails ?? []), ['log', Buffer.from(specs)] as const];
      answer.composite = {...answer.composite, connectionDetails: new Map(details)};
    },
  ),
  row(
    'swaps-object-names',
    'gives each of two objects the name of the other',
    'name-changed',
    'authored',
    ({answer: {resources}}) => {
      const [first, second] = [...resources].filter(([, {object}]) => object.metadata?.name !== undefined);
      if (first === undefined || second === undefined) return;
      for (const [[key, one], other] of [[first, second[1]] as const, [second, first[1]] as const])
        resources.set(key, {...one, object: withField(one.object, ['metadata', 'name'], other.object.metadata.name)});
    },
  ),
  row('deletes-what-is-paused', 'drops what a person paused', 'stale-controller', 'paused', ({observed, answer}) => {
    for (const [name, {metadata}] of observed)
      if (metadata.annotations?.['crossplane.io/paused'] === 'true') answer.resources.delete(name);
  }),
];

export const subtle: readonly Harmful[] = [...late, ...few, ...fields, ...authored];
