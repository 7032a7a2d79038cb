// What the input makes of templates is there with the function only. That its kind is not served any more, or that it is not ready, is
// said of its XR, as of whatever an XR composes.

import {isNamespaced} from '../../cluster/api/server.ts';
import {at, isObject, type JsonObject} from '../../cluster/json.ts';
import {conditionOf, groupKindOf, type KubeObject} from '../../cluster/object.ts';
import {finalizerManaged} from '../../cluster/provider/managed-delete.ts';
import type {Ending} from './ending.ts';
import type {Harm} from './harm.ts';
import {areAllNamed} from './named-in.ts';

/** In its own words once Crossplane started anew: it never knew the kind then. */
const isUnread = /Informer to sync|cannot get composed resource: no matches for kind/;
const isGone = /not find the requested resource|no matches for kind|definition is terminating/;

/**
 * Whether the XR is not Synced, not Ready or never at rest because of what its input's templates make, and nothing else; or that is
 * never gone because its provider, as one that died while it created it, does not let it go.
 */
export function isOfTemplates({kind, place, resourceName = ''}: Harm, xr: string, ending: Ending): boolean {
  const object = ending.living.get(xr)?.at(-1)?.object;
  const templates = templatesOf(xr, ending);
  if (kind === 'deleting' && templates.has(resourceName))
    return (ending.deleting.get(place) ?? []).every((one) => waitsForProvider(one.object));
  if (object === undefined || templates.size === 0) return false;
  // Up to 1.20 Crossplane lists what it cannot make under another name each time.
  if (kind === 'restless') return goneAmong(templates, ending).length > 0;
  const isUnsynced = isUnsyncedOver(object, templates, ending, xr);
  if (kind === 'not-synced') return isUnsynced;
  return kind === 'not-ready' && (isUnsynced || isUnreadyOver(object, templates));
}

/** Whether nobody but its provider keeps it. */
export function waitsForProvider({metadata: {finalizers = []}}: KubeObject): boolean {
  return finalizers.length > 0 && finalizers.every((one) => one === finalizerManaged);
}

/** The input's templates by the resource names that no earlier step desires. */
function templatesOf(xr: string, {asked}: Ending): ReadonlyMap<string, JsonObject> {
  const {input = {}, desired = new Set()} = asked.get(xr) ?? {};
  const listed = at(input, ['resources']);
  const templates = (Array.isArray(listed) ? listed : []).filter(isObject);
  return new Map(templates.map((one) => [String(one['name']), one] as const).filter(([name]) => !desired.has(name)));
}

function isUnsyncedOver(object: KubeObject, templates: ReadonlyMap<string, JsonObject>, ending: Ending, xr: string) {
  // A restored XR says nothing before its first reconcile ends, and the first read of what is not served waits.
  const {status, message = 'Informer to sync'} = conditionOf(object, 'Synced') ?? {};
  if (status === 'True') return false;
  const [, name] = /cannot apply composed resource "([^"]+)"/.exec(message) ?? [];
  if (name !== undefined) return templates.has(name) && isGone.test(message);
  // No name is said where what is listed cannot be read.
  const gone = goneAmong(templates, ending);
  const wanted = new Set(ending.asked.get(xr)?.kinds.values());
  return isUnread.test(message) && gone.length > 0 && gone.every((one) => !wanted.has(groupKindOf(one)));
}

/** The kinds of templates that are not served. */
function goneAmong(templates: ReadonlyMap<string, JsonObject>, {run}: Ending) {
  return [...templates.values()].map(kindOf).filter((one) => isNamespaced(run.world.server, one) === undefined);
}

function kindOf({base}: JsonObject): {readonly apiVersion: string; readonly kind: string} {
  const {apiVersion, kind} = isObject(base) ? base : {};
  return {apiVersion: String(apiVersion), kind: String(kind)};
}

function isUnreadyOver(object: KubeObject, templates: ReadonlyMap<string, JsonObject>): boolean {
  return areAllNamed(conditionOf(object, 'Ready')?.message, 'Unready resources', (name) => templates.has(name));
}
