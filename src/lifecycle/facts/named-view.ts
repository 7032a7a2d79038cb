// Gives a desired resource without a name one before Crossplane generates one.

import type {DesiredView, ResourceView, Snapshot} from '../words/snapshot.ts';

/** The name for an object, and its namespace, unless it is the desired one. */
type Placement = Pick<DesiredView, 'name'> & Partial<Pick<DesiredView, 'namespace'>>;

/** The name for a resource that is still to be created without one; undefined for none. */
export type NameFor = (resourceName: string, view: DesiredView) => Placement | undefined;

/** The snapshot in which each resource that is still to be created without a name has the first one that there is for it. */
export function withNames(snapshot: Snapshot, sources: readonly (NameFor | undefined)[]): Snapshot {
  const named = new Map<string, DesiredView>();
  const nameFor = sources.filter((source) => source !== undefined);
  if (nameFor.length === 0) return snapshot;
  snapshot.desired.forEach((view, resourceName) => {
    if (view.name !== '' || snapshot.observed.has(resourceName)) return;
    let place: Placement | undefined;
    for (const source of nameFor) place ??= source(resourceName, view);
    if (place !== undefined) named.set(resourceName, viewWith(view, {...place, ready: view.ready}));
  });
  return named.size === 0 ? snapshot : {...snapshot, desired: new Map([...snapshot.desired, ...named])};
}

/** The same resource with these fields. A view may be of a class, so its methods are called on it. */
export function viewWith(view: ResourceView, fields: Pick<DesiredView, 'ready'> & Partial<Placement>): DesiredView {
  return {
    apiVersion: view.apiVersion,
    kind: view.kind,
    name: view.name,
    namespace: view.namespace,
    uid: view.uid,
    field: (path) => view.field(path),
    isBlank: (path) => view.isBlank(path),
    connectionDetails: view.connectionDetails,
    json: () => view.json(),
    ...fields,
  };
}
