// A GitOps restore: the repository has what people wrote, so after a disaster XRs and claims come back with a new uid and
// nothing that Crossplane ever wrote into them: no resourceRefs, no revision, no status, no finalizer. Composed resources
// are in no repository.
// Source: what Argo CD and Flux do with server-side apply; only the apply itself is modelled.

import {type JsonObject, without} from '../json.ts';
import {api, type Step} from '../kernel/call.ts';
import {type KubeObject, type ObjectMeta, refOf} from '../object.ts';
import {withoutServerFields} from './server-fields.ts';

export interface GitOpsOptions {
  /** The field manager: `argocd-controller`, `kustomize-controller`. */
  readonly manager: string;
}

export interface GitOpsResult {
  readonly applied: readonly KubeObject[];
  readonly errors: readonly string[];
}

/** Applies the manifests in order, each with force; one that is refused does not stop the others. */
export function* gitOpsSync(manifests: readonly KubeObject[], {manager}: GitOpsOptions): Step<GitOpsResult> {
  const applied: KubeObject[] = [];
  const errors: string[] = [];
  for (const body of manifests) {
    const ref = refOf(body);
    const response = yield* api({verb: 'patch', type: 'apply', ref, body, manager, force: true});
    if (response.ok && response.object !== undefined) applied.push(response.object);
    else if (!response.ok) errors.push(`cannot apply ${ref.kind} "${ref.name}": ${response.message}`);
  }
  return {applied, errors};
}

/** The manifest an author would have written for a live XR or claim: its metadata and spec without what machines set. */
export function manifestOf(object: KubeObject): KubeObject {
  const {apiVersion, kind, metadata, spec} = object;
  const {name, namespace, labels, annotations} = metadata;
  const written: JsonObject = {
    name,
    ...(namespace === undefined ? {} : {namespace}),
    ...notEmpty('labels', withoutMachineKeys(labels)),
    ...notEmpty('annotations', withoutMachineKeys(annotations)),
  };
  const bare = {apiVersion, kind, metadata: written as ObjectMeta};
  return spec === undefined ? bare : {...bare, spec: authored(spec)};
}

const machineFields = ['resourceRefs', 'resourceRef', 'compositionRevisionRef', 'claimRef'];

function authored(spec: JsonObject): JsonObject {
  const bare = machineFields.reduce(without, spec);
  const {crossplane} = spec;
  if (crossplane === undefined) return bare;
  return {...bare, crossplane: machineFields.reduce(without, crossplane as JsonObject)};
}

function withoutMachineKeys(map: JsonObject | undefined): JsonObject {
  const kept = Object.entries(map ?? {}).filter(([key]) => !key.startsWith('crossplane.io/'));
  return Object.fromEntries(kept);
}

function notEmpty(key: string, map: JsonObject): JsonObject {
  return Object.keys(map).length === 0 ? {} : {[key]: map};
}

// The output of `kubectl get -o yaml`, without the fields that an API server refuses or sets itself, to be applied again. Scripts
// leave such copies, and tools that are no backup tool. Unlike Velero they keep owner references, with the uids from before the
// disaster. kubernetes/kubernetes: resourceVersion must not be set on a create, and a uid is a precondition of an apply.

/** The object for a new apply: without status and managedFields. */
export function exportOf(object: KubeObject): KubeObject {
  return withoutServerFields(object, ['managedFields']);
}
