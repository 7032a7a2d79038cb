// The kinds that a definition defines, be it a CustomResourceDefinition, a CompositeResourceDefinition or a
// ManagedResourceDefinition: they have the same names in the same place, and the second one may have those of a claim, too.

import {at, isList, isObject, type JsonObject} from './json.ts';
import type {KubeObject} from './object.ts';

export function isDefinition({kind}: KubeObject): boolean {
  return /^(CustomResource|CompositeResource|ManagedResource)Definition$/.test(kind);
}

export function kindDefined({spec}: KubeObject): string {
  return String(at(spec, ['names', 'kind']));
}

/** `Kind.group`. */
export function groupKindDefined(definition: KubeObject): string {
  return `${kindDefined(definition)}.${String(definition.spec?.['group'])}`;
}

/** `plural.group`, the only name that an API server takes; undefined for what is no definition of one. */
export function nameWanted(object: KubeObject): string | undefined {
  const [plural, group] = [at(object.spec, ['names', 'plural']), at(object.spec, ['group'])];
  return isDefinition(object) && typeof plural === 'string' && typeof group === 'string'
    ? `${plural}.${group}`
    : undefined;
}

/** That of claims, too, where they are offered. */
export function kindsDefined({spec}: KubeObject): readonly string[] {
  return [at(spec, ['names', 'kind']), at(spec, ['claimNames', 'kind'])].filter((kind) => typeof kind === 'string');
}

/** The same as `Kind.group`. */
export function groupKindsDefined(definition: KubeObject): readonly string[] {
  return kindsDefined(definition).map((kind) => `${kind}.${String(definition.spec?.['group'])}`);
}

/** The versions of a definition, as it is written. */
export function versionsOf({spec}: Pick<KubeObject, 'spec'>): readonly JsonObject[] {
  const versions = spec?.['versions'];
  return isList(versions) ? versions.filter(isObject) : [];
}
