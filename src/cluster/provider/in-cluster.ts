// External resources that are in a cluster. The external name is not all that leads to them: an Object is about the object of its
// manifest, whatever its annotation says (crossplane-contrib/provider-kubernetes 350ef9a internal/controller/cluster/object/object.go:505
// parseManifest), a Release about its name in a namespace (crossplane-contrib/provider-helm 4854188
// pkg/controller/cluster/release/release.go:152, 218). Both are in the cluster of their config. Both providers write the object's
// own name as external name, before they look, and nothing after a create.
//
// Not modelled: two configs of one cluster, which are two clusters here.

import {at, isObject} from '../json.ts';
import {groupKindOf, groupOf, type KubeObject} from '../object.ts';
import {externalNameOf} from './annotations.ts';

const kinds: readonly string[] = ['Object.kubernetes', 'Release.helm'];

/** True for kinds whose external resource is in a cluster. */
export function isInCluster(object: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  const word = groupKindOf(object).replace(/\.(?:m\.)?crossplane\.io$/, '');
  return kinds.includes(word) && groupOf(object.apiVersion).endsWith('crossplane.io');
}

/** The external resource by its place, as in `ConfigMap/kube-system/aws-auth@my-config`; undefined for other kinds. */
export function inClusterId(managed: KubeObject): string | undefined {
  if (!isInCluster(managed)) return undefined;
  const {metadata, spec} = managed;
  if (managed.kind === 'Release') {
    const namespace = at(spec, ['forProvider', 'namespace']) ?? 'default';
    return `${String(namespace)}/${externalNameOf(managed) || metadata.name}@${configOf(managed)}`;
  }
  const manifest = at(spec, ['forProvider', 'manifest']);
  if (!isObject(manifest)) return undefined;
  const kind = groupKindOf({apiVersion: String(manifest['apiVersion']), kind: String(manifest['kind'])});
  const [namespace, name] = ['namespace', 'name'].map((field) => String(at(manifest, ['metadata', field]) ?? ''));
  const place = [kind, ...(namespace === '' ? [] : [namespace]), name === '' ? metadata.name : name];
  return `${place.join('/')}@${configOf(managed)}`;
}

/** A config of a namespace is another one in each. */
function configOf({metadata, spec}: KubeObject): string {
  const name = String(at(spec, ['providerConfigRef', 'name']) ?? 'default');
  const isOfNamespace =
    metadata.namespace !== undefined && at(spec, ['providerConfigRef', 'kind']) === 'ProviderConfig';
  return isOfNamespace ? `${metadata.namespace}/${name}` : name;
}
