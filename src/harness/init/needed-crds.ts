// The CustomResourceDefinitions of what a Composition composes: cut out of what is given, as they stand there, or made up as
// open schemas. A provider's package has hundreds, of which a story needs ten: the others are never parsed.

import {extname} from 'node:path';
import {stringify} from 'yaml';
import {versionsOf} from '../../cluster/defined-kinds.ts';
import {at, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {groupOf, type KubeObject, versionOf} from '../../cluster/object.ts';
import {InputError} from '../input/input-error.ts';
import {manifestFiles} from '../input/manifests/manifest-files.ts';
import {anything, openCrd} from '../input/manifests/open-kind.ts';
import {readPackage} from '../input/manifests/xpkg.ts';
import {parseYaml} from '../input/yaml.ts';
import {readText} from '../input/yaml-file.ts';

export interface NeededKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** How it is composed: its scope and its references can be seen on these. */
  readonly composed: readonly JsonObject[];
}

export interface NeededCrd {
  readonly object: KubeObject;
  /** YAML, without the line that begins a document. */
  readonly text: string;
  /** The file it is from; undefined where it is made up. */
  readonly from: string | undefined;
}

export interface GivenCrds {
  find(kind: NeededKind): NeededCrd | undefined;
}

/** Throws InputError where a name holds no definitions. */
export function givenCrds(names: readonly string[]): GivenCrds {
  const documents = names.flatMap((name) => {
    const files = manifestFiles(name, '').files;
    const found = files.flatMap((file) => documentsIn(file).map((text) => ({text, file})));
    if (found.length > 0) return found;
    throw new InputError(`--crds "${name}" must hold CustomResourceDefinitions, got none`);
  });
  return {
    find: ({apiVersion, kind}) => {
      const group = groupOf(apiVersion);
      for (const {text, file} of documents) {
        if (!text.includes(kind) || !text.includes(group)) continue;
        const object = definitionsIn(text, file).find(
          ({spec}) => spec?.['group'] === group && at(spec, ['names', 'kind']) === kind,
        );
        if (object !== undefined)
          return {object, text: isOne(text) ? withoutStatus(text) : stringify(object), from: file};
      }
      return undefined;
    },
  };
}

function documentsIn(file: string): readonly string[] {
  const text = extname(file) === '.xpkg' ? readPackage(file) : readText(file);
  return text.split(/^---.*$/m).filter((one) => one.includes('CustomResourceDefinition'));
}

function isOne(text: string): boolean {
  return /^kind: *['"]?CustomResourceDefinition/m.test(text);
}

/** In a package a definition has the empty status that Go writes; a cluster has its own. */
function withoutStatus(text: string): string {
  return text.replace(/^status:.*\n(?: .*\n?)*/m, '');
}

function definitionsIn(text: string, file: string): readonly KubeObject[] {
  return parseYaml(text, file).flatMap(({value}) => {
    const list = isObject(value) && value['kind'] === 'List' && isList(value['items']) ? value['items'] : [value];
    return list.filter((one): one is KubeObject => at(one, ['kind']) === 'CustomResourceDefinition');
  });
}

/** An open schema for what is composed. `inNamespace`: the XR's own composed resources are in its namespace. */
export function inferredCrd({apiVersion, kind, composed}: NeededKind, inNamespace: boolean): NeededCrd {
  const namespaced = inNamespace || composed.some((one) => at(one, ['metadata', 'namespace']) !== undefined);
  const isManaged = composed.some((one) =>
    ['forProvider', 'providerConfigRef'].some((field) => isObject(at(one, ['spec', field]))),
  );
  const open = {apiVersion, kind, versions: versionsIn(composed), namespaced};
  const object = openCrd(
    isManaged ? {...open, categories: ['crossplane', 'managed'], spec: managedSpec(apiVersion, composed)} : open,
  );
  return {object, text: stringify(object, {aliasDuplicateObjects: false}), from: undefined};
}

function versionsIn(composed: readonly JsonObject[]): readonly string[] {
  return [...new Set(composed.map((one) => versionOf(String(one['apiVersion']))))].sort();
}

/** True if the definition serves every version in which the kind is composed. */
export function servesAll({object}: NeededCrd, {apiVersion, composed}: NeededKind): boolean {
  const served = versionsOf(object).map((one) => one['name']);
  return [versionOf(apiVersion), ...versionsIn(composed)].every((version) => served.includes(version));
}

/** They look like references and stand beside `forProvider`: a template alone does not decide. */
const notOfForProvider = ['providerConfigRef', 'writeConnectionSecretToRef'];

/** The common fields of Crossplane's managed resources, and the references in use. */
function managedSpec(apiVersion: string, composed: readonly JsonObject[]): JsonObject {
  const fields = composed.flatMap((one) => {
    const forProvider = at(one, ['spec', 'forProvider']);
    return isObject(forProvider) ? Object.keys(forProvider) : [];
  });
  const references = fields.flatMap((field) => {
    const [, base] = /^(.+?)(?:Selector|Refs?)$/.exec(field) ?? [];
    return base === undefined || notOfForProvider.includes(field) ? [] : [base, field, `${base}Selector`];
  });
  const policies: JsonObject = {
    managementPolicies: {type: 'array', items: {type: 'string'}, default: ['*']},
    ...(isModern(apiVersion) ? {} : {deletionPolicy: {type: 'string', enum: ['Orphan', 'Delete'], default: 'Delete'}}),
  };
  const known = Object.fromEntries([...new Set(references)].sort().map((field): [string, Json] => [field, anything]));
  return {properties: {...policies, forProvider: {type: 'object', ...anything, properties: known}}};
}

/** Namespaced managed resources have `.m.` in their group and no deletionPolicy. */
function isModern(apiVersion: string): boolean {
  return groupOf(apiVersion).split('.').includes('m');
}
