// Checks that a control plane is at rest: a pass in which every controller looks at everything changes nothing. A change would
// have come on the real one, too, or is a difference of the simulated one. Either way it is reported, because a rehearsal from
// an unexpected state is worth nothing.

import {equal, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {addressOf, type KubeObject} from '../../cluster/object.ts';
import {changedFields} from '../control-plane/oracle/untouched.ts';
import {concealerOf} from '../input/conceal/concealed.ts';
import {withoutContents} from '../input/source/collect.ts';

export interface Unrest {
  readonly object: KubeObject;
  readonly change: 'appeared' | 'gone' | 'changed';
  /** The first field that differs, as `spec.a.b`; '' where the whole object came or went. */
  readonly field: string;
  /** Both undefined where what differs is not shown. */
  readonly was: Json | undefined;
  readonly is: Json | undefined;
}

/** The differences between the two, in the order of the objects; times and what the server counts are none. */
export function unrestBetween(before: readonly KubeObject[], after: readonly KubeObject[]): readonly Unrest[] {
  const now = new Map(after.map((object) => [objectIdentity(object), object]));
  const then = new Set(before.map(objectIdentity));
  const {value: concealed} = concealerOf([...before, ...after]);
  const changed = before.flatMap((object): readonly Unrest[] => {
    const other = now.get(objectIdentity(object));
    if (other === undefined) return [{object, change: 'gone', field: '', was: undefined, is: undefined}];
    if (other === object) return [];
    const [was, is] = [comparableFields(object), comparableFields(other)];
    const [differs] = changedFields('', was, is);
    if (differs === undefined) return [];
    const [shown] = changedFields('', concealed(differing(was, is)), concealed(differing(is, was)));
    const {place} = shown ?? differs;
    return [{object: other, change: 'changed', field: place, was: shown?.was, is: shown?.is}];
  });
  const appeared = after.filter((object) => !then.has(objectIdentity(object)));
  return [
    ...changed,
    ...appeared.map((object): Unrest => ({object, change: 'appeared', field: '', was: undefined, is: undefined})),
  ];
}

/** The identity of an object for as long as it lives: another one of its name is another object. */
export function objectIdentity(object: KubeObject): string {
  return `${addressOf(object)} ${object.metadata.uid ?? ''}`;
}

/** Without the parts that the other has, too: to conceal takes longer than to compare. */
function differing(one: JsonObject, other: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(one).filter(([key, value]) => typeof value !== 'object' || !equal(value, other[key])),
  );
}

const counted: readonly string[] = ['resourceVersion', 'managedFields', 'generation'];
const times: readonly string[] = ['lastTransitionTime', 'observedGeneration'];

/** The object without what changes with every write, without times, and without what is not read of a Secret. */
export function comparableFields(object: KubeObject): JsonObject {
  const {metadata, ...others} = object.kind === 'Secret' ? withoutContents(object) : object;
  const kept = Object.fromEntries(Object.entries(metadata).filter(([key]) => !counted.includes(key)));
  return {...(timeless(others) as {readonly [key: string]: Json}), metadata: kept};
}

function timeless(value: Json): Json {
  if (isList(value)) return value.map(timeless);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !times.includes(key))
      .map(([key, inner]) => [key, timeless(inner)]),
  );
}
