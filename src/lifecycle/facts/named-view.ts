// Gives a desired resource without a name one before Crossplane generates one.

import type {DesiredView} from '../words/snapshot.ts';

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
