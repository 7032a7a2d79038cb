// The kinds of ProviderConfigs of a story: those that it defines together with their usages, and has an object of. A
// story that only brings a provider's definitions along means nothing by them.

import {kindDefined} from '../../cluster/defined-kinds.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {ConfigKind} from '../../cluster/provider/provider-config.ts';
import {storedVersion} from './managed-kinds.ts';

/** `definitions` are objects with CustomResourceDefinitions among them, `others` whatever else the story writes. */
export function configKindsOf(
  definitions: readonly KubeObject[],
  others: readonly KubeObject[],
): readonly ConfigKind[] {
  const crds = definitions.filter(({kind}) => kind === 'CustomResourceDefinition');
  // A Composition that composes one has it in a text or as an object.
  const written = JSON.stringify([...definitions, ...others].filter(({kind}) => kind !== 'CustomResourceDefinition'));
  return crds.flatMap((crd): readonly ConfigKind[] => {
    const kind = kindDefined(crd);
    if (kind !== 'ProviderConfig' && kind !== 'ClusterProviderConfig') return [];
    const isThere = new RegExp(`"kind":"${kind}"|kind: ${kind}\\b`).test(written);
    const usage = crds.find(
      (one) => kindDefined(one) === 'ProviderConfigUsage' && one.spec?.['group'] === crd.spec?.['group'],
    );
    if (!isThere || usage === undefined) return [];
    const {apiVersion} = storedVersion(crd);
    const used = {apiVersion: storedVersion(usage).apiVersion, kind: 'ProviderConfigUsage'};
    return [{apiVersion, kind, namespaced: isNamespaced(crd), usage: used, legacy: !isNamespaced(usage)}];
  });
}

function isNamespaced({spec}: KubeObject): boolean {
  return spec?.['scope'] === 'Namespaced';
}
