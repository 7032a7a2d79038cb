// A forced apply that fails if the object was written after it was observed, instead of overwriting that write.
//
// Crossplane applies by force, and the state that the function saw may be older than the stored one. Crossplane passes a desired
// metadata.resourceVersion on (crossplane/crossplane 2d040d2da composite/composition_functions.go:548 and :689, the same in v1.16.1
// to v2.3.4: FromStruct, then Patch with client.Apply). If it is not the stored one, the API server answers 409 (recorded: ssa,
// apply with a stale resourceVersion, forced or not). Crossplane takes every 409 for an ordinary conflict: it reconciles again
// without an event, with the state of then (composite/reconciler.go:764).
//
// The price is that conflict whenever another client writes the object in that moment. So only applies that must never overwrite
// pay it.

import {type JsonObject, text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {fieldEntriesOf, withMetadata} from './metadata.ts';
import {isComposedManager} from './naming.ts';

/** The metadata.resourceVersion to desire for an observed resource, '' for none. */
export function guardOf(observed: ResourceView): string {
  // Without an entry of its own Crossplane clears managedFields before it applies (internal/ssa/managed_fields.go), which
  // is a write, too: the guard would always fail. With one it at most takes away before-first-apply, once.
  const isUpgraded = fieldEntriesOf(observed).some(({manager}) => isComposedManager(text(manager)));
  return isUpgraded ? text(observed.field(['metadata', 'resourceVersion'])) : '';
}

/** The body whose apply fails if the object was written meanwhile; without an object, as if it is new. */
export function guarded(body: JsonObject, observed: ResourceView | undefined): JsonObject {
  return withMetadata(body, 'resourceVersion', observed === undefined ? '' : guardOf(observed));
}
