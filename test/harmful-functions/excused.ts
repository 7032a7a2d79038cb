// Functions that harm in the very situation in which the judge excuses another harm.

import {isObject, type JsonObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {askedInstead, type Call, changing, isManaged, withField} from './answer.ts';
import {each, type Harmful, row} from './row.ts';
import {remembering, usageOf} from './subtle.ts';

const isEdited = ({xr}: Call): boolean => xr.spec?.['size'] === 'large';

/** True if the input gives one resource twice. */
function contradicts({give}: JsonObject): boolean {
  const names = [...JSON.stringify(give ?? '').matchAll(/"name":"(\w+)"\}?[,\]]/g)].map(([, name]) => name);
  return new Set(names).size < names.length;
}

/** In the place of a refusal of an input that contradicts itself. */
function contradicted(name: string, breaks: string, change: (call: Call) => void): Harmful {
  const withoutGive = ({give, ...input}: JsonObject): JsonObject =>
    contradicts({give: give ?? null}) ? input : {...input, ...(give === undefined ? {} : {give})};
  return {
    name,
    breaks: `${breaks} if the input contradicts itself`,
    reason: 'invalid-input',
    story: 'given-twice',
    wrap: (honest) =>
      changing(askedInstead(honest, withoutGive), (call) => {
        if (contradicts(call.input)) change(call);
      }),
  };
}

export const excused: readonly Harmful[] = [
  row(
    'keeps-what-came-later',
    'keeps what a later step composed',
    'protected',
    'later-dropped',
    ({observed, answer}) => {
      const late = observed.get('late');
      if (late === undefined) return;
      const {apiVersion, kind, metadata, spec = {}} = late;
      answer.resources.set('late', {object: {apiVersion, kind, metadata: {name: metadata.name}, spec}, ready: 'true'});
    },
  ),
  remembering(
    ['deletes-what-came-back', 'drops all in one call once the XR is edited', 'renamed', 'etcd-restored'],
    () => new Set<string>(),
    (call, done) => {
      const {uid = ''} = call.xr.metadata;
      if (!isEdited(call) || done.has(uid)) return;
      done.add(uid);
      call.answer.resources.clear();
    },
  ),
  row(
    'creates-in-no-order-later',
    'creates in no order what an edit adds',
    'creation-order',
    'order-restored',
    ({observed, desired, answer}) => {
      if (observed.size === 0) return;
      for (const [name, object] of desired) if (!answer.resources.has(name)) answer.resources.set(name, {object});
    },
  ),
  row(
    'makes-anew-what-was-orphaned',
    'gives "b" another external name once the XR is edited',
    'orphan-first',
    'orphaned',
    (call) => {
      each(call.answer, isManaged, (one, name) =>
        isEdited(call) && name === 'b'
          ? withField(one, ['metadata', 'annotations', 'crossplane.io/external-name'], 'second')
          : one,
      );
    },
  ),
  row('protects-the-claim', 'makes a Usage of the claim of an XR', 'protected', 'claimed-protected', ({xr, answer}) => {
    const claim = xr.spec?.['claimRef'];
    if (!isObject(claim)) return;
    const {apiVersion, kind, name, namespace} = claim as {[field: string]: string};
    const usage = usageOf({apiVersion, kind, metadata: {name, namespace}} as KubeObject);
    answer.resources.set('claim-kept', {
      object: withField(usage, ['metadata', 'namespace'], namespace ?? ''),
      ready: 'true',
    });
  }),
  contradicted('drops-config-maps-of-a-contradiction', 'drops ConfigMaps', ({answer: {resources}}) => {
    for (const [name, {object}] of [...resources]) if (object.kind === 'ConfigMap') resources.delete(name);
  }),
  contradicted('adds-finalizers-to-a-contradiction', 'gives each object a finalizer', ({answer}) => {
    each(answer, isManaged, (one) => withField(one, ['metadata', 'finalizers'], ['example.org/kept']));
  }),
  contradicted('writes-on-a-contradiction', 'writes another region', ({answer}) => {
    each(answer, isManaged, (one) => withField(one, ['spec', 'forProvider', 'region'], 'nowhere'));
  }),
];
