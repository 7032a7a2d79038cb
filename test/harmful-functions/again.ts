// Functions that do right the first time, or of one: they harm with the second edit, the next call, or one of several.

import {isList, isObject, type Json, type JsonObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import type {ResourceBody} from '../../src/wire/request-encode.ts';
import {type Answer, type Call, isManaged, isTrue, isUsage, withField} from './answer.ts';
import {each, fatal, type Harmful, row} from './row.ts';
import {remembering} from './subtle.ts';

const paused = 'crossplane.io/paused';

/** The value without fields that are zero, false or empty. */
function withoutNought(value: Json): Json {
  if (isList(value)) return value.map(withoutNought);
  if (!isObject(value)) return value;
  const all = Object.entries(value).filter(([, one]) => one !== 0 && one !== false && one !== '');
  return Object.fromEntries(all.map(([key, one]) => [key, withoutNought(one as Json)]));
}

/** The resource names that end with a number, and that the steps drop. */
function counted({observed, desired}: Call): readonly string[] {
  return [...observed.keys()].filter((name) => /-\d+$/.test(name) && !desired.has(name));
}

const memories: readonly Harmful[] = [
  remembering(
    ['caches-by-name', 'desires the spec that another XR has under the resource name', 'unwritable', 'edit'],
    () => new Map<string, JsonObject>(),
    ({answer}, known) => {
      each(answer, isManaged, (one, name) => {
        const key = `${one.kind} ${name}`;
        known.set(key, known.get(key) ?? (one.spec as JsonObject));
        return {...one, spec: known.get(key) as JsonObject};
      });
    },
  ),
  remembering(
    ['answers-as-before', 'desires the same until the XR is edited', 'creation-order', 'ordered'],
    () => new Map<string, ReadonlyMap<string, ResourceBody & {readonly object: KubeObject}>>(),
    ({xr, answer: {resources}}, known) => {
      const key = `${xr.metadata.uid} ${String((xr.metadata as unknown as JsonObject)['generation'])}`;
      const before = known.get(key);
      known.set(key, before ?? new Map(resources));
      if (before === undefined) return;
      resources.clear();
      for (const [name, one] of before) resources.set(name, one);
    },
  ),
  remembering(
    ['keeps-the-first-status', 'desires the status of the XR that it desired first', 'unwritable', 'again'],
    () => new Map<string, Json>(),
    ({xr: {metadata}, answer}, known) => {
      const {composite} = answer;
      const status = composite?.object['status'];
      if (composite === undefined || status === undefined) return;
      const {uid = ''} = metadata;
      known.set(uid, known.get(uid) ?? status);
      answer.composite = {...composite, object: {...composite.object, status: known.get(uid) as Json}};
    },
  ),
  remembering(
    ['keeps-usages', 'desires each Usage that it desired once', 'still-used-by', 'order'],
    () => new Map<string, Answer['resources']>(),
    ({xr, answer: {resources}}, all) => {
      const known: Answer['resources'] = all.get(xr.metadata.uid ?? '') ?? new Map();
      all.set(xr.metadata.uid ?? '', known);
      for (const [name, one] of resources) if (isUsage(one.object)) known.set(name, one);
      for (const [name, one] of known) resources.set(name, one);
    },
  ),
  remembering(
    ['turns-lists-round', 'turns managementPolicies round in each second call', 'unwritable', 'authored'],
    () => ({isSecond: false}),
    ({answer}, memory) => {
      memory.isSecond = !memory.isSecond;
      each(answer, isManaged, (one) => {
        const policies = one.spec?.['managementPolicies'];
        return isList(policies) && memory.isSecond
          ? withField(one, ['spec', 'managementPolicies'], policies.toReversed())
          : one;
      });
    },
  ),
  remembering(
    ['refuses-at-rest', 'answers FATAL if nothing has changed', 'stale-controller', 'living'],
    () => new Map<string, string>(),
    ({xr, observed, answer}, last) => {
      const {uid = ''} = xr.metadata;
      const now = [...observed.values()].map(({metadata}) => metadata.resourceVersion).join();
      const isSame = last.get(uid) === now && now !== '';
      last.set(uid, now);
      if (isSame && isTrue(xr, 'Ready')) fatal(answer, 'there is nothing to do');
    },
  ),
];

const moments: readonly Harmful[] = [
  row('omits-zeros', 'leaves out what is 0, false or empty', 'unwritable', 'again', ({answer}) => {
    each(
      answer,
      ({spec}) => spec !== undefined,
      (one) => ({...one, spec: withoutNought(one.spec as JsonObject) as JsonObject}),
    );
  }),
  row('keeps-removed-fields', 'desires what forProvider had', 'adopt-first', 'again', ({observed, answer}) => {
    each(answer, isManaged, (one, name) => {
      const fields = ['spec', 'forProvider'];
      const [had, has] = [observed.get(name)?.spec?.['forProvider'], one.spec?.['forProvider']];
      return isObject(had) && isObject(has) ? withField(one, fields, {...had, ...has}) : one;
    });
  }),
  row('counts-down-from-zero', 'drops the first of several and keeps the last', 'renamed', 'scaled', (call) => {
    const [name = ''] = counted(call);
    const first = name.replace(/\d+$/, '0');
    const one = call.answer.resources.get(first);
    if (one === undefined || call.answer.resources.has(name)) return;
    call.answer.resources.set(name, one);
    call.answer.resources.delete(first);
  }),
  row('undoes-a-rename', 'desires a renamed resource under its old name', 'renamed', 'handover', (call) => {
    const {observed, desired, answer} = call;
    for (const [name, {kind}] of observed) {
      const isRenamed = (other: string) => !observed.has(other) && desired.get(other)?.kind === kind;
      const to = [...answer.resources.keys()].find(isRenamed);
      const one = answer.resources.get(to ?? '');
      if (desired.has(name) || to === undefined || one === undefined) continue;
      answer.resources.set(name, one);
      answer.resources.delete(to);
    }
  }),
  row('unpauses', 'has a provider go on that a person paused', 'stale-controller', 'paused', ({observed, answer}) => {
    each(answer, isManaged, (one, name) =>
      observed.get(name)?.metadata.annotations?.[paused] === 'true'
        ? withField(one, ['metadata', 'annotations', paused], 'false')
        : one,
    );
  }),
  row('clears-in-use', 'labels everything as used by nothing', 'relax-first', 'protect', ({answer}) => {
    each(
      answer,
      () => true,
      (one) => withField(one, ['metadata', 'labels', 'crossplane.io/in-use'], 'false'),
    );
  }),
  row('leaks-in-a-usage', 'gives what it read as the reason of a Usage', 'protected', 'order', ({xr, answer}) => {
    each(answer, isUsage, (one) => withField(one, ['spec', 'reason'], `for ${String(xr.spec?.['note'])}`));
  }),
];

export const again: readonly Harmful[] = [...memories, ...moments];
