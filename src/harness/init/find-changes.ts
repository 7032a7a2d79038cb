// Tries candidates one after the other until one fits a story. An edit has to change a composed resource, and neither make nor
// remove one. A removal has to remove one resource, and nothing else.

import {equal, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {type Edit, editsOf, type Removal, removalsOf} from './candidates.ts';
import {resourceNameOf, type Trial} from './trial.ts';

type Composed = Trial['composed'][number];

/** Runs the XR and then a change. */
export type Try = (change: KubeObject) => Promise<Trial>;

export interface FoundEdit {
  readonly edit: Edit;
  /** A composed resource that shows it, and what of it. */
  readonly kind: string;
  readonly resource: string;
  readonly match: JsonObject;
}

export interface FoundRemoval {
  readonly removal: Removal;
  readonly left: readonly {readonly kind: string; readonly resource: string}[];
  /** Resources that stay and change, as a nested XR does. */
  readonly changed: readonly string[];
  /** True if any resource stays as it is. */
  readonly leavesOthers: boolean;
}

const triesMax = 24;

/** One that shows in a list alone is the last choice: lists match as a whole. */
export async function findEdit(xr: KubeObject, definition: KubeObject, attempt: Try): Promise<FoundEdit | undefined> {
  let inList: FoundEdit | undefined;
  for (const edit of editsOf(xr, definition).slice(0, triesMax)) {
    const {composed, problems, creates} = await attemptTo(attempt, edit.xr);
    const [before, after] = composed;
    if (problems.length > 0 || before === undefined || after === undefined) continue;
    // It leads to another external resource: a new external name, for one.
    if (creates[0] !== creates[1]) continue;
    if (!equal([...before.keys()].sort(), [...after.keys()].sort())) continue;
    for (const [key, object] of [...after].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
      const was = before.get(key);
      if (was === undefined || was.metadata.uid !== object.metadata.uid) break;
      const shown = (lists: boolean): FoundEdit | undefined => {
        const match = differenceOf(shownOf(was), shownOf(object), lists);
        return match && {edit, kind: object.kind, resource: resourceNameOf(object), match};
      };
      const found = shown(false);
      if (found !== undefined) return found;
      inList ??= shown(true);
    }
  }
  return inList;
}

export async function findRemoval(
  xr: KubeObject,
  compositions: readonly KubeObject[],
  attempt: Try,
): Promise<FoundRemoval | undefined> {
  let best: FoundRemoval | undefined;
  for (const removal of removalsOf(xr, compositions).slice(0, triesMax)) {
    const {composed, problems} = await attemptTo(attempt, removal.object);
    const [before, after] = composed.slice(-2);
    if (problems.length > 0 || before === undefined || after === undefined) continue;
    const left = [...before]
      .filter(([key]) => !after.has(key))
      .map(([, object]) => ({kind: object.kind, resource: resourceNameOf(object)}));
    if (left.length === 0 || [...after.keys()].some((key) => !before.has(key))) continue;
    if (best === undefined || left.length < best.left.length) best = {removal, left, ...remaining(before, after)};
    if (left.length === 1) break;
  }
  return best;
}

function remaining(before: Composed, after: Composed): Pick<FoundRemoval, 'changed' | 'leavesOthers'> {
  const changed = [...after].filter(([key, object]) => !isSame(before.get(key), object)).map(([, one]) => one);
  return {changed: [...new Set(changed.map(resourceNameOf))].sort(), leavesOthers: after.size > changed.length};
}

function isSame(before: KubeObject | undefined, after: KubeObject): boolean {
  return before?.metadata.uid === after.metadata.uid && equal(before?.spec ?? {}, after.spec ?? {});
}

type Attempted = Pick<Trial, 'composed' | 'problems' | 'creates'>;

const nothing: Attempted = {composed: [], problems: [], creates: []};

/** A change that the API server refuses is no candidate. */
async function attemptTo(attempt: Try, change: KubeObject): Promise<Attempted> {
  try {
    return await attempt(change);
  } catch (error) {
    if (error instanceof Error && error.name === 'InputError') throw error;
    return nothing;
  }
}

function shownOf({metadata, spec = {}}: KubeObject): JsonObject {
  return {metadata: {labels: metadata.labels ?? {}}, spec};
}

/** The first value that became another one, as an expectation matches it. */
function differenceOf(before: Json, after: Json, lists: boolean): JsonObject | undefined {
  if (!isObject(before) || !isObject(after)) return undefined;
  for (const [key, value] of Object.entries(after)) {
    const was = before[key];
    if (equal(was ?? null, value)) continue;
    if (isObject(value)) {
      const below = differenceOf(was ?? {}, value, lists);
      if (below !== undefined) return {[key]: below};
    } else if (lists || !isList(value)) return {[key]: value};
  }
  return undefined;
}
