// The target of a request: the served version of a kind, and objects in that version's shape.
// kubernetes/apiextensions-apiserver 1aa2717a5 pkg/apiserver/customresource_handler.go (crdConversionRESTOptionsGetter,
// schemaCoercingConverter).

import type {JsonObject} from '../json.ts';
import {memo, remembering} from '../memo.ts';
import {conditionOf, type GroupVersionKind, groupKindOf, type KubeObject, versionOf} from '../object.ts';
import {coerce, pruned} from './coerce.ts';
import {badRequest, forbidden, noSuchResource, notFound} from './errors.ts';
import type {Version} from './kinds.ts';
import {normalMetadata} from './metadata.ts';
import type {ApiError, Subresource} from './request.ts';
import {allOf, crdGroupKind, keyOf, lookUp, type ServerState} from './store.ts';

export type Scope = Version;

/** The served version, or the 404 of a kind, version or subresource that is not there. */
export function scopeOf(server: ServerState, ref: GroupVersionKind, subresource?: Subresource): Scope | ApiError {
  const version = server.kinds.get(groupKindOf(ref))?.versions.get(ref.apiVersion);
  if (version === undefined || !version.served || !isEstablished(server, version)) return noSuchResource();
  return subresource === 'status' && !version.status ? noSuchResource() : version;
}

export function isError(value: object): value is ApiError {
  return (value as Partial<ApiError>).ok === false;
}

/**
 * An object as a client sent it, as the server goes on with it: pruned, defaulted, metadata in its one shape. An object
 * that needs none of that is returned as it is.
 */
export function decodeObject(scope: Scope, object: KubeObject, namespace: string | undefined): KubeObject | ApiError {
  const sent = normalMetadata(object.metadata);
  if (sent === undefined) return malformed(scope);
  if (sent.namespace !== undefined && namespace !== undefined && sent.namespace !== namespace) return wrongNamespace();
  const wanted = scope.kind.definition.namespaced ? (sent.namespace ?? namespace) : undefined;
  const metadata = sent.namespace === wanted ? sent : namespaced(sent, wanted);
  const based = metadata === object.metadata ? object : {...object, metadata};
  return coerce(based, scope.structural) as KubeObject;
}

/** An object in the shape of a version, and in those it was read in before. */
interface Shape {
  readonly scope: Scope;
  readonly object: KubeObject;
  readonly others: Shape | undefined;
}

const shaped = memo<KubeObject, Shape>();

/**
 * A stored object in the version of the scope. It is completed by the schema of the version it was stored in, which may
 * have changed since; another version takes away what it does not know and fills nothing in.
 */
export function readAs(scope: Scope, stored: KubeObject): KubeObject {
  const known = shaped.get(stored);
  for (let shape = known; shape !== undefined; shape = shape.others) if (shape.scope === scope) return shape.object;
  const {versions, storage} = scope.kind;
  const decoded = coerce(stored, (versions.get(stored.apiVersion) ?? storage).structural) as KubeObject;
  const object = inVersion(scope, decoded);
  shaped.set(stored, {scope, object, others: known});
  return object;
}

/** A whole object of the kind in another of its versions (conversion None). */
export function inVersion({apiVersion, structural}: Scope, object: KubeObject): KubeObject {
  return object.apiVersion === apiVersion ? object : (pruned({...object, apiVersion}, structural) as KubeObject);
}

export function existing(
  server: ServerState,
  scope: Scope,
  namespace: string | undefined,
  name: string,
): KubeObject | ApiError {
  const stored = lookUp(server, scope.kind, scope.kind.definition.namespaced ? namespace : undefined, name);
  return stored === undefined ? notFound(scope.kind.resource, name) : readAs(scope, stored);
}

/** Why nothing may be created: the CRD is going, or the namespace is missing or going. */
export function createRefusal(server: ServerState, scope: Scope, object: KubeObject): ApiError | undefined {
  const {kind} = scope;
  const {name, namespace} = object.metadata;
  if (crdOf(server, scope)?.metadata.deletionTimestamp !== undefined) {
    return forbidden(kind.resource, name, 'create not allowed while custom resource definition is terminating');
  }
  if (namespace === undefined) return undefined;
  const home = server.objects.get('Namespace')?.get(keyOf(undefined, namespace));
  if (home === undefined) return notFound('namespaces', namespace);
  if ((home.status as JsonObject | undefined)?.['phase'] !== 'Terminating') return undefined;
  const detail = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return {...forbidden(kind.resource, name, detail), causes: [cause]};
}

/** The CustomResourceDefinition behind a kind; undefined for kinds that are built in or installed as data. */
function crdOf(server: ServerState, scope: Scope): KubeObject | undefined {
  return server.objects.get(crdGroupKind)?.get(scope.kind.resource);
}

function isEstablished(server: ServerState, scope: Scope): boolean {
  const crd = crdOf(server, scope);
  return crd === undefined || mayServe(crd);
}

const mayServe = remembering((crd: KubeObject): boolean => {
  const condition = conditionOf(crd, 'Established');
  return condition === undefined || condition.status === 'True';
});

export function objectsOf(server: ServerState, scope: Scope, namespace: string | undefined): readonly KubeObject[] {
  const all = allOf(server, scope.kind.groupKind);
  return namespace === undefined ? all : all.filter((object) => object.metadata.namespace === namespace);
}

function namespaced(metadata: KubeObject['metadata'], namespace: string | undefined): KubeObject['metadata'] {
  const {namespace: _, ...rest} = metadata;
  return namespace === undefined ? (rest as KubeObject['metadata']) : {...(rest as KubeObject['metadata']), namespace};
}

function malformed({kind, apiVersion}: Scope): ApiError {
  const name = kind.definition.kind;
  const version = versionOf(apiVersion);
  return badRequest(
    `${name} in version "${version}" cannot be handled as a ${name}: json: cannot unmarshal metadata into Go struct ObjectMeta`,
  );
}

function wrongNamespace(): ApiError {
  return badRequest('the namespace of the provided object does not match the namespace sent on the request');
}
