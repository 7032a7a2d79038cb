// S0: up to Crossplane 1.18.1 a Usage that its Composition drops still waits for `by`, for ever if `by` stays
// (crossplane/crossplane v1.16.1 internal/controller/apiextensions/usage/reconciler.go: `if by != nil`, whatever the labels are).
// Re-emitted once without `by`, it has nothing to wait for.
// Recorded: v1.16.1--s0-relax-then-drop (gone 26 ms after its deletion), v1.16.1--c-usage-dropped-from-composition.
//
// A `by` that the Usage controller resolved from a selector is the controller's field, and no apply of ours removes it. Our apply
// forces conflicts, so it can change it: `by` is pointed at a name that no object has. The controller then finds no `by` to wait
// for, and does not resolve the selector again, because a name is there.

import type {Edge} from '../facts/edges.ts';
import {holdBody} from '../facts/hold-body.ts';
import {fieldEntriesOf} from '../facts/metadata.ts';
import {digestOf} from '../facts/naming.ts';
import {ownedFields} from '../facts/owned-fields.ts';
import type {UsageApi} from '../input/usage-api.ts';
import {asObject, at, type JsonObject} from '../words/json.ts';
import {objectKey} from '../words/references.ts';
import type {ResourceView} from '../words/snapshot.ts';

/** True if the Usage has to lose its `by` before it may be dropped. Its API version shows an old Crossplane, too. */
export function needsRelaxing(edge: Edge, view: ResourceView, api: UsageApi): boolean {
  if (edge.by === undefined || edge.by.object.name === nobodysName(view)) return false;
  return api.waitsForBy || edge.apiVersion === 'apiextensions.crossplane.io/v1alpha1';
}

/** The Usage without its `by`. It then needs a reason; a replay would delete `of` without a request for it. */
export function withoutBy(view: ResourceView, manager: string): JsonObject {
  const body = holdBody(view, manager);
  const {by: ownBy, replayDeletion: _replayDeletion, reason = 'being dropped', ...rest} = asObject(body['spec']);
  if (isOursAlone(view, manager)) return {...body, spec: {...rest, reason, replayDeletion: false}};
  const by = {
    ...asObject(ownBy),
    apiVersion: view.field(['spec', 'by', 'apiVersion']) ?? null,
    kind: view.field(['spec', 'by', 'kind']) ?? null,
    resourceRef: {name: nobodysName(view)},
  };
  return {...body, spec: {...rest, by, reason, replayDeletion: false}};
}

/**
 * The Usage with replayDeletion off. Otherwise Crossplane repeats a deletion that was denied while the Usage existed, 2 s after it
 * is gone, for any client and even if `of` is desired again (recorded: c-standalone-usage).
 */
export function withoutReplay(view: ResourceView, manager: string): JsonObject {
  const body = holdBody(view, manager);
  return {...body, spec: {...asObject(body['spec']), replayDeletion: false}};
}

/** The same for the same Usage, so that the next reconcile knows that it was relaxed. */
function nobodysName(usage: ResourceView): string {
  return `released-${digestOf(objectKey(usage)).slice(0, 16)}`;
}

/** True if Crossplane's apply owns all of `by`, so that leaving it out removes it. */
function isOursAlone(view: ResourceView, manager: string): boolean {
  const entries = fieldEntriesOf(view);
  if (at(ownedFields(entries, manager), ['f:spec', 'f:by']) === undefined) return false;
  // before-first-apply is taken off by Crossplane itself, before the apply that drops `by`.
  const others = entries.filter((entry) => entry['manager'] !== manager && entry['manager'] !== 'before-first-apply');
  return others.every((entry) => at(entry, ['fieldsV1', 'f:spec', 'f:by']) === undefined);
}
