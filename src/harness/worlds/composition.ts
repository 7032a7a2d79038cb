// Compositions of two to four resources: a step that lists them, and the function under test with an input of its own.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {annotationExternalName} from '../../cluster/vocabulary.ts';
import type {Draw} from './draw.ts';
import {
  type ComposedKind,
  isModern,
  kindsFor,
  namespaces,
  noText,
  settings,
  settingsKind,
  type XrKind,
} from './platform.ts';

export interface Resource {
  readonly name: string;
  readonly kind: ComposedKind;
  readonly object: JsonObject;
  /** Its entry in the template step: the fields that it waits for, and the count. */
  readonly composes?: JsonObject;
  /** By the word of the step, whatever is observed. */
  readonly ready?: 'False';
}

export interface Blueprint {
  readonly xr: XrKind;
  readonly resources: readonly Resource[];
  /** The function's own input, without apiVersion and kind. */
  readonly input: JsonObject;
  /** Another API's words instead. */
  readonly dialect?: JsonObject;
  /** The step after the function in the pipeline: one that changes nothing, or one that composes a resource of its own. */
  readonly after?: 'passes' | 'composes';
  /** A connection detail of the XR. */
  readonly publishes?: true;
  /** The object that the function's step requires. */
  readonly requires?: JsonObject;
  /** More of the input of the first step: a status, or other connection details. */
  readonly says?: JsonObject;
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
  const kinds = kindsFor(crossplane, xr);
  const drawn = keys.slice(0, count).map((name) => drawResource(draw, xr, name, draw.pick(kinds), !shared));
  const resources = draw.chance(35) ? asTemplates(draw, crossplane, drawn) : drawn;
  if (nested === undefined) return resources;
  const {apiVersion, kind} = nested;
  const inner: ComposedKind = {apiVersion, kind, namespaced: false, managed: false, body: {}};
  const last = {name: 'inner', kind: inner, object: {apiVersion, kind, spec: {size: 'small'}}};
  return [...resources.slice(0, count - 1), last];
}

/**
 * Composes one of the resources as people's templates do: by the status of a sibling, by another object, or as many as the XR
 * asks for.
 */
function asTemplates(draw: Draw, crossplane: ProfileName, resources: readonly Resource[]): readonly Resource[] {
  const at = draw.below(resources.length);
  const siblings = resources.filter(({kind}, index) => index !== at && kind.managed);
  const sibling = siblings.length === 0 ? undefined : draw.pick(siblings).name;
  const other = sibling === undefined ? 0 : 3;
  const composes = draw.weighted<JsonObject>([
    [other, {needs: {resource: sibling ?? ''}}],
    [other, {needs: {resource: sibling ?? '', field: 'status.atProvider.id', to: 'metadata.annotations.reads'}}],
    [
      2,
      {
        needs: {
          object: {...settingsKind(crossplane), name: settings},
          field: 'data.region',
          to: 'metadata.annotations.region',
        },
      },
    ],
    [6, {count: 'spec.count'}],
  ]);
  const apart = composes['count'] === undefined ? (one: Resource) => one : withoutItsOwn;
  return resources.map((one, index) => (index === at ? {...apart(one), composes} : one));
}

/** Of several objects only one may write a Secret of one name, or lead to an external resource of one name. */
function withoutItsOwn({object: {spec, metadata, ...object}, ...one}: Resource): Resource {
  const {writeConnectionSecretToRef: _, ...rest} = (spec ?? {}) as JsonObject;
  const {annotations, ...named} = metadata as JsonObject;
  const {[annotationExternalName]: __, ...others} = (annotations ?? {}) as JsonObject;
  const kept = Object.keys(others).length === 0 ? named : {...named, annotations: others};
  return {...one, object: {...object, metadata: kept, ...(spec === undefined ? {} : {spec: rest})}};
}

/** The resource name of one object of it: of a resource that the XR counts the first. */
export function resourceNameOf({name, composes}: Resource): string {
  return composes?.['count'] === undefined ? name : `${name}-0`;
}

export function drawResource(draw: Draw, xr: XrKind, name: string, composed: ComposedKind, explicit = true): Resource {
  const {apiVersion, kind, namespaced, body} = composed;
  const isExplicit = explicit && draw.chance(25);
  // As a team names what it has in the cloud. Of a namespaced XR there may be two, which would share it.
  const isNamed = explicit && composed.managed && xr.scope !== 'Namespaced' && draw.chance(12);
  const given = `${xr.plural}-${apiGroupWord(xr)}-${name}-${kind.toLowerCase()}`;
  const policies = composed.managed ? drawPolicies(draw, composed) : {};
  const isPublished = explicit && composed.managed && xr.scope !== 'Namespaced' && draw.chance(8);
  const secret = isPublished ? {writeConnectionSecretToRef: secretOf(draw, given, namespaced)} : {};
  const metadata: JsonObject = {
    // Every XR kind has names of its own, as a team would give them.
    ...(isExplicit ? {name: `${xr.plural}-${apiGroupWord(xr)}-${name}`} : {}),
    ...(namespaced && xr.scope !== 'Namespaced' ? {namespace: draw.pick(namespaces)} : {}),
    labels: {role: name, ...(draw.chance(15) ? {protect: 'true'} : {})},
    ...(isNamed
      ? {annotations: {[annotationExternalName]: given}}
      : draw.chance(10)
        ? {annotations: {team: 'blue'}}
        : {}),
  };
  const spec = body['spec'] === undefined ? {} : {spec: {...(body['spec'] as JsonObject), ...policies, ...secret}};
  return {name, kind: composed, object: {apiVersion, kind, metadata, ...body, ...spec}};
}

/** Policies by which a provider leaves the external resource alone. Kinds with a namespace have no deletionPolicy. */
function drawPolicies(draw: Draw, {namespaced}: ComposedKind): JsonObject {
  return draw.weighted<JsonObject>([
    [88, {}],
    [6, namespaced ? {} : {deletionPolicy: 'Orphan'}],
    [6, {managementPolicies: ['Observe', 'Create', 'Update', 'LateInitialize']}],
  ]);
}

function secretOf(draw: Draw, name: string, namespaced: boolean): JsonObject {
  return namespaced ? {name} : {name, namespace: draw.pick(namespaces)};
}

function apiGroupWord({apiVersion}: XrKind): string {
  return apiVersion.split('.')[0] as string;
}

function compositionName({apiVersion, plural}: XrKind): string {
  return `${plural}.${apiVersion.split('/')[0]}`;
}

export function compositionOf(blueprint: Blueprint): KubeObject {
  const {xr, resources, publishes, after, says, requires} = blueprint;
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
            ...(publishes && {connectionDetails: {password: 'of the XR', user: 'its user', key: {base64: noText}}}),
            ...(after === 'composes' && {context: {[environment]: {aim: 'other'}, region: 'late'}}),
            ...(after === 'passes' && {conditions: [{type: 'DatabaseReady', status: 'True', reason: 'Ready'}]}),
            ...says,
            resources: resources.map(({name, kind, object, composes, ready}) => ({
              ...composes,
              name,
              // A kind without status has no readiness of its own.
              ready: ready ?? (kind.managed || kind.kind === 'Site' ? 'Auto' : 'True'),
              base: object,
            })),
          },
        },
        {
          step: 'tether',
          functionRef: {name: 'function-tether'},
          ...(requires && {requirements: {requiredResources: [requires]}}),
          input: blueprint.dialect ?? {
            apiVersion: 'tether.fn.crossplane.io/v1beta1',
            kind: 'Input',
            ...blueprint.input,
          },
        },
        ...stepsAfter(blueprint),
      ],
    },
  };
}

/** It composes by the context of the first step. A function of its own: a stale answer of the function that composes first would be one of another step. */
export const laterComposer = 'function-static-later';

/** The key under which functions that read EnvironmentConfigs pass them on. */
const environment = 'apiextensions.crossplane.io/environment';

function stepsAfter({xr, after}: Blueprint): readonly JsonObject[] {
  if (after === undefined) return [];
  if (after === 'passes') return ['check', 'say'].map((step) => ({step, functionRef: {name: 'passing'}}));
  const base = {...bucketOf(xr), metadata: {labels: {role: 'late'}}};
  const and = {context: environment, to: 'spec.forProvider.tags'};
  const needs = {context: 'region', to: 'spec.forProvider.region', and};
  const input = {
    apiVersion: 'static.fn.example.org/v1',
    kind: 'Input',
    resources: [{name: 'late', ready: 'Auto', needs, base}],
  };
  return [{step: 'add', functionRef: {name: laterComposer}, input}];
}

/** A managed resource that every XR of that scope may compose. */
function bucketOf({scope}: XrKind): JsonObject {
  const group = scope === 'Namespaced' ? 'cloud.m.example.org' : 'cloud.example.org';
  return {apiVersion: `${group}/v1`, kind: 'Bucket', spec: {forProvider: {}}};
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
