// A CustomResourceDefinition for a kind of which only objects are known: an open schema, which takes anything.

import {pluralOf} from '../../../cluster/api/kinds.ts';
import type {JsonObject} from '../../../cluster/json.ts';
import {groupOf, type KubeObject, versionOf} from '../../../cluster/object.ts';

export interface OpenKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Further versions that are served; that of apiVersion is stored. */
  readonly versions?: readonly string[];
  readonly namespaced: boolean;
  /** The schema of the spec, open at its end; anything where left out. */
  readonly spec?: JsonObject;
  readonly categories?: readonly string[];
}

export const anything: JsonObject = {'x-kubernetes-preserve-unknown-fields': true};

export function openCrd({
  apiVersion,
  kind,
  namespaced,
  versions = [],
  spec = {},
  categories = [],
}: OpenKind): KubeObject {
  const group = groupOf(apiVersion);
  const plural = pluralOf(kind);
  const open = {type: 'object', ...anything};
  const schema = {...open, properties: {spec: {...open, ...spec}, status: open}};
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: group === '' ? plural : `${plural}.${group}`},
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: {kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List`, categories: [...categories]},
      versions: [...new Set([versionOf(apiVersion), ...versions])].map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        subresources: {status: {}},
        schema: {openAPIV3Schema: schema},
      })),
    },
  };
}
