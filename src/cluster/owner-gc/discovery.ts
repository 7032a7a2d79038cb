// The kinds that discovery lists: built-in ones and those of established CustomResourceDefinitions.
// Source: kubernetes/apiextensions-apiserver pkg/apiserver/customresource_discovery_controller.go (a terminating kind is still
// listed), kubernetes/apimachinery pkg/version/helpers.go (the order of versions).

import {definitionOf, type KindDefinition} from '../api/kinds.ts';
import type {JsonObject} from '../json.ts';
import {api, type Step} from '../kernel/call.ts';
import {memo, remembering} from '../memo.ts';
import {type GroupVersionKind, isTrue, type KubeObject} from '../object.ts';

export interface DiscoveredKind extends GroupVersionKind {
  readonly namespaced: boolean;
  /** From its CustomResourceDefinition; undefined for kinds that are built in. */
  readonly schema: JsonObject | undefined;
}

export interface Discovery {
  /** Every version served. */
  readonly served: readonly DiscoveredKind[];
  /** One version of every kind, the one the API server prefers. */
  readonly preferred: readonly DiscoveredKind[];
}

/** Asks the API server; undefined where it does not answer. */
export function* discover(installed: readonly KindDefinition[]): Step<Discovery | undefined> {
  const response = yield* api({
    verb: 'list',
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
  });
  return response.ok ? discoveryOf(installed, response.items ?? []) : undefined;
}

const discovered = memo<readonly KubeObject[], {readonly installed: object; readonly discovery: Discovery}>();

/** Worked out once for a list of definitions: that of the API server is the same until one of them changes. */
function discoveryOf(installed: readonly KindDefinition[], crds: readonly KubeObject[]): Discovery {
  const before = discovered.get(crds);
  if (before?.installed === installed) return before.discovery;
  const definitions = crds.filter((crd) => isTrue(crd, 'Established')).map(definitionOf);
  const kinds = [...installed, ...definitions.filter((found) => found !== undefined)].map(servedKinds);
  const discovery = {served: kinds.flat(), preferred: kinds.flatMap((versions) => versions.slice(0, 1))};
  discovered.set(crds, {installed, discovery});
  return discovery;
}

/** The served versions of a kind, the preferred one first. */
const servedKinds = remembering(({group, kind, namespaced, versions}: KindDefinition): readonly DiscoveredKind[] => {
  return versions
    .filter((version) => version.served)
    .sort((a, b) => byPreference(a.name, b.name))
    .map(({name, schema}) => ({apiVersion: group === '' ? name : `${group}/${name}`, kind, namespaced, schema}));
});

// v2 before v1 before v1beta2 before v1beta1 before v1alpha1 before anything else.
function byPreference(left: string, right: string): number {
  const [a, b] = [rankOf(left), rankOf(right)];
  if (a === undefined || b === undefined) return a === b ? left.localeCompare(right) : a === undefined ? 1 : -1;
  return b.stage - a.stage || b.major - a.major || b.minor - a.minor;
}

function rankOf(name: string): {readonly stage: number; readonly major: number; readonly minor: number} | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(name);
  if (match === null) return undefined;
  const stage = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return {stage, major: Number(match[1]), minor: Number(match[3] ?? 0)};
}
