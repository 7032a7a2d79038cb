// Decides if two managed resources are about one external resource. An external name is unique for some kinds in the world, for
// others in a region, an account or another resource. So the same name alone is no evidence, unless a cloud made it up.

import {at, isList, isObject, type Json} from '../../cluster/json.ts';
import {groupOf, type KubeObject} from '../../cluster/object.ts';
import {externalNameOf} from '../../cluster/provider/annotations.ts';
import {inClusterId} from '../../cluster/provider/in-cluster.ts';
import {managementPoliciesOf} from '../../cluster/provider/policies.ts';
import {concealedText} from '../input/conceal/concealed-text.ts';

/** The way to it, for people, who need it to look in the cloud; one that looks like a secret is not shown. */
export function shownName(object: KubeObject): string {
  return concealedText(inClusterId(object) ?? externalNameOf(object));
}

/** True if a provider may do it to the external resource; without policies it may do everything. */
export function allowsAction(what: 'Create' | 'Update' | 'Delete' | 'Observe', object: KubeObject): boolean {
  const policies = managementPoliciesOf(object);
  if (policies === undefined) return true;
  return policies.includes('*') || policies.includes(what);
}

/** The same for two that must not be about one external resource; undefined where nothing is known or changed. */
export function externalIdentityOf(object: KubeObject): string | undefined {
  const name = externalNameOf(object);
  const placed = name === '' ? undefined : inClusterId(object);
  if (name === '' || !(allowsAction('Update', object) || allowsAction('Delete', object))) return undefined;
  if (placed !== undefined) return JSON.stringify([object.kind, placed]);
  const config = at(object.spec, ['providerConfigRef', 'name']) ?? '';
  const place = isMadeUp(name) ? [] : placeOf(object.spec?.['forProvider'], []);
  const family = `${object.kind}.${familyOf(groupOf(object.apiVersion))}`;
  return JSON.stringify([family, name, isWhole(name) ? '' : config, place]);
}

/**
 * The common part of two kinds of one cloud: `s3.aws` of `s3.aws.upbound.io`, its namespaced `s3.aws.m.upbound.io` and
 * `s3.aws.crossplane.io`.
 */
function familyOf(group: string): string {
  const labels = group.split('.').filter((label) => label !== 'm');
  return (labels.length > 2 ? labels.slice(0, -2) : labels).join('.');
}

/** Names that include their account: any config leads to the same resource. */
function isWhole(name: string): boolean {
  return /^arn:|^\/subscriptions\/|^projects\/|^[0-9a-f]{8}-[0-9a-f]{4}-/.test(name);
}

/** Ids such as `subnet-0a1b2c3d4e`, ARNs, UUIDs and paths of Azure or Google: no two resources have the same. */
function isMadeUp(name: string): boolean {
  return /^arn:|^\/|^projects\/|[-/][0-9a-f]{8,}$|^[0-9a-f]{8}-[0-9a-f]{4}-/.test(name);
}

const placing =
  /(?:name|id|ids|arn|region|location|project|zone|account|namespace|cluster|parent|path|host|domain|type)$/i;

/** Everything that may give its place, or the resource that it lies in. */
function placeOf(value: Json | undefined, path: readonly string[]): readonly string[] {
  if (isList(value)) return value.flatMap((part) => placeOf(part, path));
  if (isObject(value))
    return Object.keys(value)
      .sort()
      .flatMap((key) => placeOf(value[key], [...path, key]));
  return value !== undefined && placing.test(path.at(-1) ?? '') ? [`${path.join('.')}=${String(value)}`] : [];
}

/** True if status has another external resource: an id of the same form that is not the name. */
export function hasOtherExternal(object: KubeObject): boolean {
  const name = externalNameOf(object);
  const id = at(object.status, ['atProvider', 'id']);
  if (name === '' || typeof id !== 'string' || id === '') return false;
  if (id.includes(name) || name.includes(id)) return false;
  const form = formOf(id);
  return form.includes('#') && form === formOf(name);
}

/** `subnet-0a1b` as `subnet-#`. */
function formOf(text: string): string {
  return text.replaceAll(/(?<![A-Za-z])[0-9a-f]*\d[0-9a-f]*(?![A-Za-z])/g, '#');
}
