// S0: up to Crossplane 1.18.1 a Usage that its Composition drops is deleted with its label crossplane.io/composite still
// on, and so waits for `by`, for ever if `by` stays. Re-emitted once without `by`, it has nothing to wait for.
// Recorded: v1.16.1--s0-relax-then-drop (gone 26 ms after its deletion), v1.16.1--c-usage-dropped-from-composition.

import type {Edge} from './edges.ts';
import {holdBody, ownedFields} from './hold-body.ts';
import {at, isList, isObject, type JsonObject} from './json.ts';
import type {ResourceView} from './snapshot.ts';
import type {Dialect} from './version.ts';

/**
 * Whether the Usage has to lose its `by` before it may be dropped. The API version tells an old Crossplane even where the
 * input does not. A `by` that the Usage controller resolved from a selector is the controller's field: emitting the
 * Usage without it changes nothing, so such a Usage is simply dropped.
 */
export function needsRelaxing(edge: Edge, view: ResourceView, dialect: Dialect, manager: string): boolean {
  if (edge.by === undefined) return false;
  if (!dialect.waitsForBy && edge.apiVersion !== 'apiextensions.crossplane.io/v1alpha1') return false;
  const object = view.json();
  if (at(ownedFields(object, manager), ['f:spec', 'f:by']) === undefined) return false;
  const entries = at(object, ['metadata', 'managedFields']);
  const others = isList(entries) ? entries.filter((entry) => !isOurs(entry, manager)) : [];
  return others.every((entry) => at(entry, ['fieldsV1', 'f:spec', 'f:by']) === undefined);
}

/** The Usage as it is, without `by`. A reason is required then; a replay would delete `of`, which nobody asked for. */
export function relaxed(view: ResourceView, manager: string): JsonObject {
  const body = holdBody(view, manager);
  const spec = isObject(body['spec']) ? body['spec'] : {};
  const {by: _by, replayDeletion: _replayDeletion, reason = 'being dropped', ...rest} = spec;
  return {...body, spec: {...rest, reason, replayDeletion: false}};
}

// before-first-apply is taken off by Crossplane itself, before the apply that drops `by`.
function isOurs(entry: unknown, manager: string): boolean {
  const name = isObject(entry as JsonObject) ? (entry as JsonObject)['manager'] : undefined;
  return name === manager || name === 'before-first-apply';
}
