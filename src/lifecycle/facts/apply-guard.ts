// A forced apply that fails where somebody wrote the object after it was observed, instead of writing over them.
//
// Crossplane applies by force what a function desires, and what the function saw may be older than what is stored. It
// passes a desired metadata.resourceVersion on (crossplane/crossplane 2d040d2da composite/composition_functions.go:548 and
// :689, the same in v1.16.1 to v2.3.4: FromStruct, then Patch with client.Apply), the API server answers 409 where it is
// not the stored one (recorded: ssa, apply with a stale resourceVersion, forced or not), and Crossplane takes every 409
// for an ordinary conflict: it says nothing and reconciles again with what is there then (composite/reconciler.go:764).
//
// The price is that conflict whenever anybody writes the object in that moment, so only what must never overwrite pays it.

import {isList, isObject, text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {isComposedManager} from './naming.ts';

/** What to desire as metadata.resourceVersion of an observed resource, '' for nothing. */
export function guardOf(observed: ResourceView): string {
  const entries = observed.field(['metadata', 'managedFields']);
  // Without an entry of its own Crossplane clears managedFields before it applies (internal/ssa/managed_fields.go), which
  // is a write, too: the guard would always fail. With one it at most takes away before-first-apply, once.
  const isUpgraded =
    isList(entries) && entries.some((entry) => isObject(entry) && isComposedManager(text(entry['manager'])));
  return isUpgraded ? text(observed.field(['metadata', 'resourceVersion'])) : '';
}
