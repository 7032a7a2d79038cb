// The kinds of ProviderConfigs of a story: those that it defines together with their usages, and has an object of. A
// story that only brings a provider's definitions along means nothing by them.

import {kindDefined} from '../../cluster/defined-kinds.ts';
import {groupOf, type KubeObject} from '../../cluster/object.ts';
import {type ConfigKind, configsFor, type KnownSecrets} from '../../cluster/provider/provider-config.ts';
import {listed} from '../input/listed.ts';
import {isManagedCrd, storedVersion} from './managed-kinds.ts';

/** `definitions` are objects with CustomResourceDefinitions among them, `others` whatever else the story writes. */
export function configKindsOf(
  definitions: readonly KubeObject[],
  others: readonly KubeObject[],
): readonly ConfigKind[] {
  const crds = definitions.filter(({kind}) => kind === 'CustomResourceDefinition');
  // A Composition that composes one has it in a text or as an object.
  const written = JSON.stringify([...definitions, ...others].filter(({kind}) => kind !== 'CustomResourceDefinition'));
  if (!/"kind":"(?:Cluster)?ProviderConfig"|kind: (?:Cluster)?ProviderConfig\b/.test(written)) return [];
  return crds.flatMap((crd): readonly ConfigKind[] => {
    const kind = kindDefined(crd);
    if (kind !== 'ProviderConfig' && kind !== 'ClusterProviderConfig') return [];
    const usage = crds.find(
      (one) => kindDefined(one) === 'ProviderConfigUsage' && one.spec?.['group'] === crd.spec?.['group'],
    );
    if (usage === undefined) return [];
    const {apiVersion} = storedVersion(crd);
    const used = {apiVersion: storedVersion(usage).apiVersion, kind: 'ProviderConfigUsage'};
    return [{apiVersion, kind, namespaced: isNamespaced(crd), usage: used, legacy: !isNamespaced(usage)}];
  });
}

/** In JSON, and in YAML or another text within JSON. */
const writesSecret = /writeConnectionSecretToRef|kind\W{1,6}Secret\b/;
const between = String.raw`(?:\\n|[^a-zA-Z0-9}]|namespace[\\"': ]{1,6}[a-z0-9.-]+)*?`;
const nameSaid = String.raw`name[\\"': ]{1,6}([a-z0-9][a-z0-9.-]*)(?![a-z0-9.{-])`;
const writtenName = new RegExp(`writeConnectionSecretToRef${between}${nameSaid}`, 'g');
const refName = new RegExp(`secretRef${between}${nameSaid}`, 'gi');
const secretName = new RegExp(String.raw`kind\W{1,6}Secret\b(?:(?!kind).){0,80}?${nameSaid}`, 'g');

/** The Secrets that a story brings or writes, as far as its objects and the texts of its Compositions show it. */
export function knownSecrets(objects: readonly KubeObject[]): KnownSecrets {
  const made = new Set(objects.filter(({kind}) => kind === 'Secret').map(({metadata}) => metadata.name));
  const texts = textsOf(objects.filter(({kind}) => kind !== 'Secret'));
  const all = texts.join('\n');
  for (const pattern of [writtenName, secretName]) for (const [, name = ''] of all.matchAll(pattern)) made.add(name);
  const foreign = [...all.matchAll(refName)].map(([, name = '']) => name).filter((name) => !made.has(name));
  return {made, foreign: new Set(foreign), areWritten: writesSecret.test(all)};
}

/** A sentence for each connection of a story that no provider here reads. */
export function connectionNotes(definitions: readonly KubeObject[], others: readonly KubeObject[]): readonly string[] {
  const objects = [...definitions, ...others];
  const isNamed = textsOf(objects).some((text) => text.includes('providerConfigRef'));
  const configs = configKindsOf(definitions, others);
  const unread = groupsWithout(configs, definitions, objects);
  const {foreign} = knownSecrets(objects);
  return [
    ...(isNamed && configs.length === 0
      ? [
          'not modelled: the configs that `providerConfigRef` names; `fixtures` have none, or not its definition and that of ProviderConfigUsage, so every managed resource connects',
        ]
      : []),
    ...(configs.length > 0 && unread.length > 0
      ? [
          `not modelled: the configs of ${listed(unread, 4)}; \`fixtures\` lack the definition of ProviderConfig or that of ProviderConfigUsage, so managed resources of these groups connect`,
        ]
      : []),
    ...(configs.length > 0 && foreign.size > 0
      ? [
          `taken to be there: Secret ${[...foreign].map((name) => `"${name}"`).join(', ')}, which configs take credentials from`,
        ]
      : []),
  ];
}

/** The groups of managed resources of the story whose configs it does not have. */
function groupsWithout(
  configs: readonly ConfigKind[],
  definitions: readonly KubeObject[],
  objects: readonly KubeObject[],
): readonly string[] {
  const written = textsOf(objects).join('\n');
  const used = definitions.filter((one) => {
    return isManagedCrd(one) && new RegExp(`kind\\W{1,6}${kindDefined(one)}\\b`).test(written);
  });
  const groups = used.map(storedVersion).filter((one) => configsFor(one, configs).length === 0);
  return [...new Set(groups.map(({apiVersion}) => groupOf(apiVersion)))].sort();
}

function textsOf(objects: readonly KubeObject[]): readonly string[] {
  return objects.filter(({kind}) => kind !== 'CustomResourceDefinition').map((object) => JSON.stringify(object));
}

function isNamespaced({spec}: KubeObject): boolean {
  return spec?.['scope'] === 'Namespaced';
}

/** The crossplane-runtime that providers are built with; 2.2 stands for all before 2.3. */
export type ProviderRuntime = '2.2' | '2.3';

/** The configs as a provider of that runtime counts their usages. */
export function configsOfRuntime(runtime: ProviderRuntime, configs: readonly ConfigKind[]): readonly ConfigKind[] {
  return runtime === '2.2' ? configs.map((config) => ({...config, countsEveryNamespace: true})) : configs;
}
