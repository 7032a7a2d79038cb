// A file holds no uid. crossplane/crossplane 2d040d2da internal/render/composite/render.go gives the XR one that only
// depends on its kind, namespace and name, so that names made of it stay and owner references in files can carry it.

import {createHash} from 'node:crypto';
import {groupOf, type KubeObject} from '../../cluster/object.ts';

/** The XR as the API server would have it: with a uid and a resourceVersion. */
export function identifiedXr(xr: KubeObject): KubeObject {
  const {metadata} = xr;
  return {...xr, metadata: {...metadata, uid: metadata.uid ?? uidOf(xr), resourceVersion: '999'}};
}

function uidOf({apiVersion, kind, metadata}: KubeObject): string {
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(group === '' ? 0 : group.length + 1);
  const gvk = `${group}/${version}, Kind=${kind}`;
  return nameUuid([gvk, metadata.namespace ?? '', metadata.name].join('\0'));
}

/** RFC 4122 version 5 in the nil namespace. */
function nameUuid(name: string): string {
  const hash = createHash('sha1').update(Buffer.alloc(16)).update(name).digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
