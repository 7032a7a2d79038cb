// What a person tells this function by an annotation of the XR: a list of names, separated by commas, or a JSON list,
// because a resource name may hold a comma itself: `["a,b"]`.

import {isList, type Json, text} from './json.ts';
import type {ResourceView, Snapshot} from './snapshot.ts';

const annotationGone = 'tether.fn.crossplane.io/gone';

/** The names in an annotation of the XR; none where it is not there or no list. */
export function annotatedNames(xr: ResourceView, annotation: string): ReadonlySet<string> {
  const value = text(xr.field(['metadata', 'annotations', annotation])).trim();
  const names = value.startsWith('[') ? listed(value) : value.split(',').map((name) => name.trim());
  return new Set(names.filter((name) => name !== ''));
}

/**
 * The snapshot in which what the XR's annotation names has been looked for and does not exist. Crossplane answers a kind
 * that is not served with an error and runs no function's step to its end (internal/xfn/required_resources.go Fetch at
 * v2.3.4: only NotFound is an answer), so a question about one has to be dropped. Named is the requirement, or the Usage
 * whose `by` it is about.
 */
export function withGone(snapshot: Snapshot): Snapshot {
  const gone = annotatedNames(snapshot.xr, annotationGone);
  if (gone.size === 0) return snapshot;
  const required = new Map(snapshot.required);
  for (const name of gone) {
    required.set(name, []);
    required.set(`by-of-${name}`, []);
  }
  return {...snapshot, required};
}

/** Whether nobody is to be asked this any more. */
export function isGone(requirement: string, {xr}: Pick<Snapshot, 'xr'>): boolean {
  const gone = annotatedNames(xr, annotationGone);
  return gone.has(requirement) || (requirement.startsWith('by-of-') && gone.has(requirement.slice('by-of-'.length)));
}

// A list that is none names nothing: what would have been released stays.
function listed(value: string): readonly string[] {
  try {
    const json = JSON.parse(value) as Json;
    return isList(json) ? json.map(text) : [];
  } catch {
    return [];
  }
}
