// A Usage as its controllers and webhook read it, whichever of the three kinds it is:
// protection.crossplane.io Usage (namespaced; `of` may name another namespace), ClusterUsage, and the legacy Usage of
// apiextensions.crossplane.io (cluster-scoped; neither end has a namespace).
// Source: crossplane/crossplane 2d040d2da internal/protection/{usage,wrappers,conversion}.go.

import {type Json, type JsonObject, withAt} from '../json.ts';
import {type GroupVersionKind, groupOf, type KubeObject, type ResourceRef} from '../object.ts';

export const finalizerUsage = 'usage.apiextensions.crossplane.io';
export const annotationUsageDetails = 'crossplane.io/usage-details';

const groupProtection = 'protection.crossplane.io';

/** One end of a Usage. `name` is absent until the selector was resolved. */
export interface UsageEnd extends GroupVersionKind {
  readonly name: string | undefined;
  /** As written; '' where a selector of a namespaced Usage found a cluster-scoped object. */
  readonly namespace: string | undefined;
  readonly selector: UsageSelector | undefined;
}

export interface UsageSelector {
  readonly matchLabels: {readonly [key: string]: string};
  readonly matchControllerRef: boolean;
  readonly namespace: string | undefined;
}

export function usedOf(usage: KubeObject): UsageEnd {
  const end = endOf(usage.spec?.['of']);
  return isNamespacedUsage(usage) ? end : withoutNamespaces(end);
}

/** No kind of Usage lets `by` name a namespace. */
export function usingOf(usage: KubeObject): UsageEnd | undefined {
  const by = usage.spec?.['by'];
  return by === undefined ? undefined : withoutNamespaces(endOf(by));
}

/** Where the used resource is; `end.name` must be resolved. */
export function usedRef(usage: KubeObject, end: UsageEnd): ResourceRef {
  return refFrom(end, end.namespace ?? usage.metadata.namespace);
}

/** Where the using resource is: always beside the Usage. */
export function usingRef(usage: KubeObject, end: UsageEnd): ResourceRef {
  return refFrom(end, usage.metadata.namespace);
}

/** The Usage with a resolved end. The rest of the end stays as it was written. */
export function withResolved(
  usage: KubeObject,
  which: 'of' | 'by',
  name: string,
  namespace: string | undefined,
): KubeObject {
  const keepsNamespace = which === 'of' && isNamespacedUsage(usage) && namespace !== undefined;
  const resourceRef: JsonObject = keepsNamespace ? {name, namespace} : {name};
  return withAt(usage, ['spec', which, 'resourceRef'], resourceRef);
}

export function reasonOf(usage: KubeObject): string | undefined {
  const reason = usage.spec?.['reason'];
  return typeof reason === 'string' && reason !== '' ? reason : undefined;
}

export function replaysDeletion(usage: KubeObject): boolean {
  return usage.spec?.['replayDeletion'] === true;
}

/** The value of the annotation crossplane.io/usage-details. */
export function detailsOf(usage: KubeObject): string {
  const reason = reasonOf(usage);
  if (reason !== undefined) return reason;
  const by = usingOf(usage);
  if (by === undefined) return 'undefined';
  const of = usedOf(usage);
  const text = `${by.kind}/${by.name ?? ''} uses ${of.kind}/${of.name ?? ''}`;
  return (of.namespace ?? '') === '' ? text : `${text} in namespace ${of.namespace}`;
}

export function isNamespacedUsage({apiVersion, kind}: GroupVersionKind): boolean {
  return groupOf(apiVersion) === groupProtection && kind === 'Usage';
}

function refFrom({apiVersion, kind, name}: UsageEnd, namespace: string | undefined): ResourceRef {
  const ref = {apiVersion, kind, name: name ?? ''};
  return namespace === undefined || namespace === '' ? ref : {...ref, namespace};
}

function endOf(value: Json | undefined): UsageEnd {
  const end = (value ?? {}) as JsonObject;
  const ref = (end['resourceRef'] ?? {}) as {readonly name?: string; readonly namespace?: string};
  return {
    apiVersion: (end['apiVersion'] ?? '') as string,
    kind: (end['kind'] ?? '') as string,
    name: ref.name === '' ? undefined : ref.name,
    namespace: ref.namespace,
    selector: selectorOf(end['resourceSelector']),
  };
}

function selectorOf(value: Json | undefined): UsageSelector | undefined {
  if (value === undefined) return undefined;
  const selector = value as {
    readonly matchLabels?: {readonly [key: string]: string};
    readonly matchControllerRef?: boolean;
    readonly namespace?: string;
  };
  return {
    matchLabels: selector.matchLabels ?? {},
    matchControllerRef: selector.matchControllerRef === true,
    namespace: selector.namespace,
  };
}

function withoutNamespaces(end: UsageEnd): UsageEnd {
  const selector = end.selector === undefined ? undefined : {...end.selector, namespace: undefined};
  return {...end, namespace: undefined, selector};
}

export function isUsage({apiVersion, kind}: KubeObject): boolean {
  const group = groupOf(apiVersion);
  return (kind === 'Usage' || kind === 'ClusterUsage') && /^(protection|apiextensions)\.crossplane\.io$/.test(group);
}
