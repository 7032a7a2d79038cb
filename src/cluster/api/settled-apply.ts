// Applies that are known to change nothing. A controller applies the same configuration at every reconcile, while other writers
// change other parts of the object.
//
// The outcome of an apply follows from the configuration, from the object's values of the configured fields, and from the fields
// its manager owned. If all three are as they were when the apply changed nothing, it changes nothing again. A manager's record
// stays the same value until its fields change, so the finding is kept with it.

import {equal, type JsonObject} from '../json.ts';
import {memo} from '../memo.ts';
import type {KubeObject} from '../object.ts';
import type {Manager} from './managers.ts';
import {readAs, type Scope} from './scope.ts';

interface Finding {
  readonly config: KubeObject;
  readonly scope: Scope;
  readonly object: KubeObject;
}

const findings = memo<Manager, Finding>();

/** Notes that the manager's apply of the configuration left the stored object as it was. */
export function noteSettled(applier: Manager | undefined, finding: Finding): void {
  if (applier !== undefined) findings.set(applier, finding);
}

/** True if the apply is known to leave the stored object as it is. */
export function isSettled(applier: Manager | undefined, {config, scope, object}: Finding): boolean {
  const found = applier === undefined ? undefined : findings.get(applier);
  if (found === undefined || found.scope !== scope || readAs(scope, object) !== object) return false;
  return holdsSame(found.object, object, config) && equal(found.config, config);
}

/** True if two states of an object share the values of all top-level and metadata fields in the configuration. */
function holdsSame(left: KubeObject, right: KubeObject, config: KubeObject): boolean {
  for (const key in config) if (key !== 'metadata' && left[key] !== right[key]) return false;
  const {metadata} = config as {readonly metadata?: JsonObject};
  for (const key in metadata) if (left.metadata[key] !== right.metadata[key]) return false;
  return true;
}
