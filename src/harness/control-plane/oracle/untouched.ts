// A composed resource is untouched when it is the same object as before: same uid, same external name, same spec, never marked
// for deletion, and without any request to delete it. Labels, owner references and status may change: being adopted is not being
// touched.

import {equal, isList, isObject, type Json, type JsonObject} from '../../../cluster/json.ts';
import {addressOf, isDeleting, type KubeObject, type ResourceRef, refAddress} from '../../../cluster/object.ts';
import {annotationExternalName, resourceNameOf} from '../../../cluster/vocabulary.ts';
import {type Concealer, concealerOf} from '../../input/conceal/concealed.ts';
import {shownValue} from '../../input/input-error.ts';

export interface Touch {
  readonly object: KubeObject;
  readonly resourceName: string;
  /** The difference, in words. */
  readonly how: string;
  /** Where the spec is no longer the same: both, without secrets. */
  readonly spec?: {readonly was: Json; readonly is: Json};
}

/** One request to delete an object, denied or not. */
export interface DeleteSent extends Required<ResourceRef> {
  readonly atMs: number;
  readonly actor: string;
}

export function composedResources(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter((object) => resourceNameOf(object) !== undefined);
}

/** The composed resources of `before`, but for those named in `except`, that are not as they were. */
export function touchedAmong(
  before: readonly KubeObject[],
  after: readonly KubeObject[],
  deletes: readonly DeleteSent[],
  except: readonly string[],
): readonly Touch[] {
  const concealer = concealerOf(after);
  const now = new Map(after.map((object) => [object.metadata.uid, object]));
  const senders = new Map(deletes.toReversed().map((one) => [refAddress(one), one.actor]));
  return composedResources(before).flatMap((object) => {
    const resourceName = resourceNameOf(object) ?? '';
    if (except.includes(resourceName)) return [];
    const sender = senders.get(addressOf(object));
    const change =
      sender === undefined ? changeOf(object, now.get(object.metadata.uid), concealer) : deleteSent(sender);
    return change === undefined ? [] : [{object, resourceName, ...change}];
  });
}

function deleteSent(actor: string): Pick<Touch, 'how'> {
  return {how: `${actor} asked to delete it`};
}

function changeOf(
  object: KubeObject,
  now: KubeObject | undefined,
  concealer: Concealer,
): Pick<Touch, 'how' | 'spec'> | undefined {
  if (now === undefined) return {how: 'it is gone'};
  if (isDeleting(now)) return {how: 'it is being deleted'};
  const [was, is] = [object, now].map(({metadata}) => metadata.annotations?.[annotationExternalName]);
  if (was !== is) return {how: `its external name was ${was ?? 'not set'} and is ${is ?? 'not set'}`};
  return specChange(object, now, concealer);
}

function specChange(
  before: KubeObject,
  now: KubeObject,
  {at, object}: Concealer,
): Pick<Touch, 'how' | 'spec'> | undefined {
  const [first, ...more] = changedFields('spec', before.spec, now.spec);
  if (first === undefined) return undefined;
  const {place} = first;
  const [was, is] = [first.was, first.is].map((value) =>
    value === undefined ? 'not set' : shownValue(at(now, place, value)),
  );
  const specs = [before, now].map((one) => object(one).spec ?? {});
  const rest = moreFields(more.length);
  return {how: `its ${place} was ${was} and is ${is}${rest}`, spec: {was: specs[0] ?? {}, is: specs[1] ?? {}}};
}

export function moreFields(count: number): string {
  return count === 0 ? '' : ` (and ${count} more field${count === 1 ? '' : 's'})`;
}

export interface ChangedField {
  readonly place: string;
  readonly was: Json | undefined;
  readonly is: Json | undefined;
}

/** The innermost fields that differ; lists of another length differ as a whole. `of`: the fields of two maps that are compared. */
export function changedFields(
  place: string,
  was: Json | undefined,
  is: Json | undefined,
  of: (was: JsonObject, is: JsonObject) => readonly string[] = (one, other) => Object.keys({...one, ...other}),
): readonly ChangedField[] {
  if (isObject(was) && isObject(is)) {
    return of(was, is).flatMap((key) => changedFields(place === '' ? key : `${place}.${key}`, was[key], is[key], of));
  }
  if (isList(was) && isList(is) && was.length === is.length) {
    return was.flatMap((item, index) => changedFields(`${place}[${index}]`, item, is[index], of));
  }
  return equal(was, is) ? [] : [{place, was, is}];
}
