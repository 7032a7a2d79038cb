// Gives a desired resource without a name one before Crossplane generates one.

import type {DesiredView, Snapshot} from '../words/snapshot.ts';

/** The snapshot in which each resource that is still to be created without a name has the one that `nameFor` has for it. */
export function withNames(
  snapshot: Snapshot,
  nameFor: (resourceName: string, view: DesiredView) => string | undefined,
): Snapshot {
  const named = new Map<string, DesiredView>();
  snapshot.desired.forEach((view, resourceName) => {
    if (view.name !== '' || snapshot.observed.has(resourceName)) return;
    const name = nameFor(resourceName, view);
    if (name !== undefined) named.set(resourceName, withName(view, name));
  });
  return named.size === 0 ? snapshot : {...snapshot, desired: new Map([...snapshot.desired, ...named])};
}

/** The same resource under a name; its bytes are as they were. */
export function withName(view: DesiredView, name: string, namespace = view.namespace): DesiredView {
  return {
    apiVersion: view.apiVersion,
    kind: view.kind,
    name,
    namespace,
    uid: view.uid,
    ready: view.ready,
    field: (path) => view.field(path),
    isBlank: (path) => view.isBlank(path),
    connectionDetails: view.connectionDetails,
    json: () => view.json(),
  };
}
