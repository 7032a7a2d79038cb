// The managed kinds among a scenario's CustomResourceDefinitions and ManagedResourceDefinitions: those of the category
// `managed`, as every provider marks them. The rest of a provider's knowledge is read off the schema: `vpcIdSelector` makes
// `vpcId` a field that refers to a VPC. If a field's name does not give the kind, the scenario does.

import {groupKindDefined, kindDefined, versionsOf} from '../../cluster/defined-kinds.ts';
import {at, isList, isObject, type JsonObject} from '../../cluster/json.ts';
import {groupKindOf, groupOf, type KubeObject} from '../../cluster/object.ts';
import {type ManagedKind, managedKind, type ReferenceField} from '../../cluster/provider/managed-kind.ts';
import type {ProviderSetting} from './provider-form.ts';

export type ManagedKindHints = Pick<ProviderSetting, 'async' | 'references' | 'externals'>;

/** The cloud's name for what a kind, or `Kind.group`, stands for. */
export function cloudTypeOf(word: string, externals: ManagedKindHints['externals']): string {
  const hinted = Object.keys(externals).find(
    (other) => other === word || word.startsWith(`${other}.`) || other.startsWith(`${word}.`),
  );
  return externals[hinted ?? '']?.type ?? (word.split('.')[0] as string);
}

export function managedKindsOf(objects: readonly KubeObject[], hints: ManagedKindHints): readonly ManagedKind[] {
  const crds = objects.filter(isManagedCrd);
  return crds.map((crd) => {
    const kind = kindDefined(crd);
    const {apiVersion} = storedVersion(crd);
    const words = [groupKindOf({apiVersion, kind}), kind];
    const external = words.map((word) => hints.externals[word]).find((one) => one !== undefined);
    return managedKind({
      apiVersion,
      kind,
      type: external?.type ?? kind,
      nameFormat: external?.name ?? '{id}',
      shows: external?.shows ?? {},
      publishes: external?.publishes ?? {},
      publishesOnce: external?.publishesOnce ?? {},
      namedBy: external?.namedBy ?? 'author',
      client: words.some((word) => hints.async.includes(word)) ? 'async' : 'sync',
      legacy: Object.hasOwn(specProperties(crd), 'deletionPolicy'),
      references: referencesOf(crd, crds, hints),
    });
  });
}

const definitions: readonly string[] = ['CustomResourceDefinition', 'ManagedResourceDefinition'];

export function isManagedCrd({kind, spec}: KubeObject): boolean {
  const categories = at(spec, ['names', 'categories']);
  return definitions.includes(kind) && isList(categories) && categories.includes('managed');
}

/** The version of a definition that is stored: what a provider works with. */
export function storedVersion(definition: KubeObject): {readonly apiVersion: string; readonly schema: JsonObject} {
  const stored = versionsOf(definition).find(({storage}) => storage === true) ?? {};
  const schema = at(stored, ['schema', 'openAPIV3Schema']);
  return {
    apiVersion: `${String(definition.spec?.['group'])}/${String(stored['name'])}`,
    schema: isObject(schema) ? schema : {},
  };
}

function properties(schema: JsonObject, path: readonly string[]): JsonObject {
  const found = at(schema, path.flatMap((step) => ['properties', step]).concat('properties'));
  return isObject(found) ? found : {};
}

function specProperties(crd: KubeObject): JsonObject {
  return properties(storedVersion(crd).schema, ['spec']);
}

const selectorEnding = 'Selector';

type Referring = Pick<ReferenceField, 'field' | 'many'>;

/** The fields whose value another object may give: those with a selector beside them. */
export function referringFields(crd: KubeObject): readonly Referring[] {
  const fields = properties(storedVersion(crd).schema, ['spec', 'forProvider']);
  const selectors = Object.keys(fields).filter((key) => key.endsWith(selectorEnding));
  return selectors.map((selector): Referring => {
    const base = selector.slice(0, -selectorEnding.length);
    const field = Object.hasOwn(fields, base) ? base : `${base}s`;
    return Object.hasOwn(fields, `${base}Refs`) ? {field, many: {refs: `${base}Refs`, selector}} : {field};
  });
}

function referencesOf(
  crd: KubeObject,
  crds: readonly KubeObject[],
  hints: ManagedKindHints,
): readonly ReferenceField[] {
  return referringFields(crd).flatMap((referring): readonly ReferenceField[] => {
    const target = targetOf(referring.field, crd, crds, hints);
    if (target === undefined) return [];
    return [{...referring, to: {apiVersion: storedVersion(target).apiVersion, kind: kindDefined(target)}}];
  });
}

/** The kind a field refers to: the scenario's word, else the kind of the same group that the field is named after. */
function targetOf(
  field: string,
  crd: KubeObject,
  crds: readonly KubeObject[],
  hints: ManagedKindHints,
): KubeObject | undefined {
  const hinted = hints.references.find((reference) => reference.field === field)?.kind;
  const word = field.replace(/(Id|Ids|Arn|Arns|Name|Names)$/, '').toLowerCase();
  const group = groupOf(storedVersion(crd).apiVersion);
  const near = crds.filter((other) => groupOf(storedVersion(other).apiVersion) === group);
  // Two groups may have the kind, where one is left for the other.
  if (hinted !== undefined)
    return [...near, ...crds].find((other) => [kindDefined(other), groupKindDefined(other)].includes(hinted));
  return near.find((other) => kindDefined(other).toLowerCase() === word) ?? ending(near, word);
}

/** `gatewayId` names an InternetGateway where only one kind of the group ends so. */
function ending(crds: readonly KubeObject[], word: string): KubeObject | undefined {
  const found = crds.filter((crd) => kindDefined(crd).toLowerCase().endsWith(word));
  return found.length === 1 ? found[0] : undefined;
}
