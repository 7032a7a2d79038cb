// Maps that the pipeline desires empty, and that the schema fills with defaults: `spec: {}`, `forProvider: {}`.
//
// In managedFields such a map looks like an atomic one (x-kubernetes-map-type: atomic): Crossplane owns the map and no field in it.
// A hold that emits it empty would wipe an atomic map. A hold that emits its fields makes the defaults of the other sort
// Crossplane's. Then `{}` removes every field in the map, server-side apply turns it into null, and the API server refuses that
// (seen on kube-apiserver 1.34.2: `spec: Invalid value: "null"`).
//
// So a hold notes on the object which maps it could not distinguish. If such a map is desired empty later, we go on emitting the
// fields that Crossplane owns in it, as long as it does. That apply is guarded: it overwrites no newer write. A writer of the note
// can at most keep fields that Crossplane applied itself. Maps in items of lists are not covered.

import {
  asObject,
  at,
  fromEntries,
  isList,
  isObject,
  type Json,
  type JsonObject,
  levelsMax,
  parsed,
} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {guarded} from './apply-guard.ts';
import {annotationOf, fieldEntriesOf, withAnnotations} from './metadata.ts';
import {fieldsBelow, fieldsOfOthers, isLeaf, ownedFields, ownedPart} from './owned-fields.ts';

/** A JSON list of places, each a list of keys: `[["spec","forProvider"]]`. */
const annotationAppliedEmpty = 'tether.fn.crossplane.io/applied-empty';

type Place = readonly string[];

/** The body of a hold with the note of the maps that were perhaps applied empty, if there are any. */
export function withNote(
  body: JsonObject,
  view: ResourceView,
  owned: JsonObject | undefined,
  others: readonly JsonObject[],
): JsonObject {
  const {'f:metadata': _metadata, ...fields} = asObject(owned);
  const object = view.json();
  const found = isLeaf(fields, object) ? [] : emptiedIn(object, fields, others, []);
  if (found.length === 0) return body;
  const all = new Set([...placesInNote(view), ...found].map((place) => JSON.stringify(place)));
  return withAnnotations(body, {[annotationAppliedEmpty]: `[${[...all].sort().join()}]`});
}

/** The desired body of an observed object: `wanted`, with the fields that a hold took over in maps that are desired empty. */
export function wantedBody(wanted: ResourceView, observed: ResourceView | undefined, manager: string): JsonObject {
  return (observed && withFilledMaps(() => wanted.json(), observed, manager)) ?? wanted.json();
}

/** Undefined where there is nothing to add, and then `wanted` is mostly not asked for. */
export function withFilledMaps(
  wanted: () => JsonObject,
  observed: ResourceView,
  manager: string,
): JsonObject | undefined {
  const places = placesInNote(observed);
  if (places.length === 0) return undefined;
  const object = observed.json();
  const entries = fieldEntriesOf(observed);
  const owned = ownedFields(entries, manager);
  const others = fieldsOfOthers(entries, owned);
  let body = wanted();
  const filled = places.filter((place) => {
    const empty = at(body, place);
    const part = ownedPartAt(place, object, owned, others);
    if (!isObject(empty) || Object.keys(empty).length > 0 || part === undefined) return false;
    body = withValue(body, place, part);
    return true;
  });
  if (filled.length === 0) return undefined;
  return withAnnotations(guarded(body, observed), {[annotationAppliedEmpty]: JSON.stringify(filled)});
}

/** The maps in a value that Crossplane owns as a whole, that are not empty, and of which no other manager owns a part. */
function emptiedIn(
  value: Json | undefined,
  fields: JsonObject,
  others: readonly JsonObject[],
  place: Place,
): readonly Place[] {
  if (!isObject(value) || place.length > levelsMax) return [];
  if (isLeaf(fields, value)) {
    return Object.keys(value).length === 0 || !others.every((other) => isLeaf(other, value)) ? [] : [place];
  }
  const names = Object.keys(fields).filter((name) => name.startsWith('f:'));
  return names.flatMap((name) => {
    const key = name.slice(2);
    return emptiedIn(at(value, [key]), asObject(fields[name]), fieldsBelow(others, name), [...place, key]);
  });
}

/** The fields that Crossplane owns in a map, undefined if it owns none or the whole map. */
function ownedPartAt(
  place: Place,
  object: JsonObject,
  owned: JsonObject | undefined,
  others: readonly JsonObject[],
): JsonObject | undefined {
  const names = place.map((key) => `f:${key}`);
  const fields = asObject(at(owned, names));
  const value = at(object, place);
  if (isLeaf(fields, value)) return undefined;
  const part = ownedPart(
    value,
    fields,
    others.map((other) => asObject(at(other, names))),
  );
  return isObject(part) && Object.keys(part).length > 0 ? part : undefined;
}

/** The places in the note; none if it is no list of places. */
function placesInNote(view: ResourceView): readonly Place[] {
  const note = annotationOf(view, annotationAppliedEmpty);
  const places = note === '' ? undefined : parsed(note);
  return isList(places) ? places.filter(isPlace) : [];
}

function isPlace(place: Json): place is Place {
  return (
    isList(place) && place.length > 0 && place.length <= levelsMax && place.every((key) => typeof key === 'string')
  );
}

/** The object with another value at a place that it has. */
function withValue(object: JsonObject, [key = '', ...rest]: Place, value: JsonObject): JsonObject {
  return fromEntries(
    Object.entries(object).map(([name, old]): [string, Json] => {
      if (name !== key) return [name, old];
      return [name, rest.length === 0 ? value : withValue(asObject(old), rest, value)];
    }),
  );
}
