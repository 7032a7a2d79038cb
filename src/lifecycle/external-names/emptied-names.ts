// Names in the XR's status that are no longer remembered. They are set to empty there, not left out. If another field manager owns
// the map itself, such as an editor who wrote there first, a map that loses its last item becomes null. Its schema refuses null,
// and with it the whole status, in every later reconcile (kubernetes-sigs/structured-merge-diff 15d0754 typed/remove.go; recorded:
// ssa).

import {fieldEntriesOf} from '../facts/metadata.ts';
import {at, isObject, type Json} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {entryWith, isEntry, type Remembered} from './remembered.ts';

const emptied = entryWith(() => '');

/** By resource name, of what is `written` in the field and is none of `names`; nothing where Crossplane alone owns the field. */
export function emptiedNames(
  names: ReadonlyMap<string, Remembered>,
  written: Json | undefined,
  field: string,
  xr: ResourceView,
): ReadonlyMap<string, Remembered> {
  const left = new Map<string, Remembered>();
  if (!isObject(written)) return left;
  for (const name of Object.keys(written)) {
    const entry = written[name];
    if (!names.has(name) && isObject(entry) && isEntry(entry)) left.set(name, isEmpty(entry) ? entry : emptied);
  }
  return left.size === 0 || ownersOf(field, xr) < 2 ? new Map() : left;
}

function isEmpty(entry: Remembered): boolean {
  return Object.values(entry).every((word) => word === '');
}

/** How many own something in a field of the status. */
function ownersOf(field: string, xr: ResourceView): number {
  const path = ['fieldsV1', 'f:status', `f:${field}`];
  return fieldEntriesOf(xr).filter((entry) => at(entry, path) !== undefined).length;
}
