// Compositions of two to four resources: a step that lists them, and the function under test with an input of its own.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Draw} from './draw.ts';
import {type ComposedKind, composedKinds, isModern, namespaces, type XrKind} from './platform.ts';

export interface Resource {
  readonly name: string;
  readonly kind: ComposedKind;
  readonly object: JsonObject;
}

export interface Blueprint {
  readonly xr: XrKind;
  readonly resources: readonly Resource[];
  /** The function's own input, without apiVersion and kind. */
  readonly input: JsonObject;
  /** Another API's words instead. */
  readonly dialect?: JsonObject;
}

const keys = ['a', 'b', 'c', 'd'];

/** `nested`: an XR that is composed, too. Of an XR kind that is `shared` there are several, so names are not explicit. */
export function drawResources(
  draw: Draw,
  crossplane: ProfileName,
  xr: XrKind,
  {nested, shared}: {readonly nested: XrKind | undefined; readonly shared: boolean},
): readonly Resource[] {
  const count = 2 + draw.below(3);
  const kinds = composedKinds(crossplane).filter(({namespaced}) => xr.scope !== 'Namespaced' || namespaced);
  const resources = keys.slice(0, count).map((name) => drawResource(draw, xr, name, draw.pick(kinds), !shared));
  if (nested === undefined) return resources;
  const {apiVersion, kind} = nested;
  const inner: ComposedKind = {apiVersion, kind, namespaced: false, managed: false, body: {}};
  const last = {name: 'inner', kind: inner, object: {apiVersion, kind, spec: {size: 'small'}}};
  return [...resources.slice(0, count - 1), last];
}

export function drawResource(draw: Draw, xr: XrKind, name: string, composed: ComposedKind, explicit = true): Resource {
  const {apiVersion, kind, namespaced, body} = composed;
  const isExplicit = explicit && draw.chance(25);
  const metadata: JsonObject = {
    // Every XR kind has names of its own, as a team would give them.
    ...(isExplicit ? {name: `${xr.plural}-${apiGroupWord(xr)}-${name}`} : {}),
    ...(namespaced && xr.scope !== 'Namespaced' ? {namespace: draw.pick(namespaces)} : {}),
    labels: {role: name, ...(draw.chance(15) ? {protect: 'true'} : {})},
    ...(draw.chance(10) ? {annotations: {team: 'blue'}} : {}),
  };
  return {name, kind: composed, object: {apiVersion, kind, metadata, ...body}};
}

function apiGroupWord({apiVersion}: XrKind): string {
  return apiVersion.split('.')[0] as string;
}

function compositionName({apiVersion, plural}: XrKind): string {
  return `${plural}.${apiVersion.split('/')[0]}`;
}

export function compositionOf(blueprint: Blueprint): KubeObject {
  const {xr, resources} = blueprint;
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: {name: compositionName(xr)},
    spec: {
      compositeTypeRef: {apiVersion: xr.apiVersion, kind: xr.kind},
      mode: 'Pipeline',
      pipeline: [
        {
          step: 'static',
          functionRef: {name: 'function-static'},
          input: {
            apiVersion: 'static.fn.example.org/v1',
            kind: 'Input',
            resources: resources.map(({name, kind, object}) => ({
              name,
              // What has no status says nothing of its being ready.
              ready: kind.managed || kind.kind === 'Site' ? 'Auto' : 'True',
              base: object,
            })),
          },
        },
        {
          step: 'tether',
          functionRef: {name: 'function-tether'},
          input: blueprint.dialect ?? {
            apiVersion: 'tether.fn.crossplane.io/v1beta1',
            kind: 'Input',
            ...blueprint.input,
          },
        },
      ],
    },
  };
}

/** Where an XR keeps what it composes. */
export function refsIn(xr: XrKind, refs: readonly JsonObject[]): JsonObject {
  return xr.scope === 'LegacyCluster' ? {resourceRefs: refs} : {crossplane: {resourceRefs: refs}};
}

export function versionWord(crossplane: ProfileName): string | undefined {
  return isModern(crossplane)
    ? undefined
    : {'1.16': '1.16.1', '1.19': '1.19.1', '1.20': '1.20.11'}[crossplane as '1.16'];
}
