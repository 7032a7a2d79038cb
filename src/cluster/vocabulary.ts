// Crossplane's own names on objects. Sources: crossplane/crossplane-runtime v2.4.0 pkg/xcrd/schemas.go, pkg/meta/meta.go;
// crossplane/crossplane 2d040d2da apis/apiextensions/v1/composition_types.go.

import type {KubeObject} from './object.ts';

export const labelComposite = 'crossplane.io/composite';
export const labelClaimName = 'crossplane.io/claim-name';
export const labelClaimNamespace = 'crossplane.io/claim-namespace';
export const labelCompositionName = 'crossplane.io/composition-name';
export const labelCompositionHash = 'crossplane.io/composition-hash';
export const labelInUse = 'crossplane.io/in-use';
export const labelCronOperation = 'ops.crossplane.io/cronoperation';
export const labelWatchOperation = 'ops.crossplane.io/watchoperation';
export const labelPackage = 'pkg.crossplane.io/package';

export const annotationResourceName = 'crossplane.io/composition-resource-name';
export const annotationPaused = 'crossplane.io/paused';
export const annotationExternalName = 'crossplane.io/external-name';
export const annotationPollInterval = 'crossplane.io/poll-interval';
export const annotationCreatePending = 'crossplane.io/external-create-pending';
export const annotationCreateSucceeded = 'crossplane.io/external-create-succeeded';
export const annotationCreateFailed = 'crossplane.io/external-create-failed';
export const annotationDeletionAttempt = 'usage.crossplane.io/deletion-attempt-with-policy';

export const finalizerComposite = 'composite.apiextensions.crossplane.io';
export const finalizerClaim = 'finalizer.apiextensions.crossplane.io';
export const finalizerDefined = 'defined.apiextensions.crossplane.io';
export const finalizerWatchOperation = 'watchoperation.ops.crossplane.io';
export const finalizerPackageRevision = 'revision.pkg.crossplane.io';
export const finalizerOffered = 'offered.apiextensions.crossplane.io';

/** The manager of plain creates, updates and merge patches: the name of the binary. */
export const managerCrossplane = 'crossplane';
export const managerComposite = 'apiextensions.crossplane.io/composite';
export const managerComposedPrefix = 'apiextensions.crossplane.io/composed';
export const managerManaged = 'apiextensions.crossplane.io/managed';
export const managerOperationPrefix = 'ops.crossplane.io/operation/';
export const managerRuntime = 'pkg.crossplane.io/runtime';
export const managerClaim = 'apiextensions.crossplane.io/claim';

export const kindComposition = {apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition'} as const;
export const kindRevision = {apiVersion: 'apiextensions.crossplane.io/v1', kind: 'CompositionRevision'} as const;
export const kindDefinition = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'CompositeResourceDefinition',
} as const;
export const kindManagedDefinition = {
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceDefinition',
} as const;
export const kindActivationPolicy = {
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceActivationPolicy',
} as const;
export const kindOperation = {apiVersion: 'ops.crossplane.io/v1alpha1', kind: 'Operation'} as const;
export const kindCronOperation = {apiVersion: 'ops.crossplane.io/v1alpha1', kind: 'CronOperation'} as const;
export const kindWatchOperation = {apiVersion: 'ops.crossplane.io/v1alpha1', kind: 'WatchOperation'} as const;
export const kindProvider = {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider'} as const;
export const kindProviderRevision = {apiVersion: 'pkg.crossplane.io/v1', kind: 'ProviderRevision'} as const;
export const kindDeployment = {apiVersion: 'apps/v1', kind: 'Deployment'} as const;
export const kindCrd = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'} as const;
export const kindSecret = {apiVersion: 'v1', kind: 'Secret'} as const;

/** The resource name of a composed resource: its key in the pipeline. An empty one is none. */
export function resourceNameOf({metadata}: KubeObject): string | undefined {
  return metadata.annotations?.[annotationResourceName] || undefined;
}

/** True if the object has the annotation that pauses Crossplane or a provider. */
export function isPaused({metadata}: KubeObject): boolean {
  return metadata.annotations?.[annotationPaused] === 'true';
}
