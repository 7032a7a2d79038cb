// The kinds that Crossplane brings, but for those of compositions, definitions and operations.

import {type KindDefinition, oneVersionKind} from '../../api/kinds.ts';
import {
  anything,
  choice,
  flag,
  immutable,
  list,
  record,
  resource,
  ruled,
  text,
  textMap,
  whole,
  withDefault,
} from '../../api/schema-pieces.ts';
import type {JsonObject} from '../../json.ts';
import {remembering} from '../../memo.ts';
import {groupOf, type KubeObject} from '../../object.ts';
import {labelPackage} from '../../vocabulary.ts';
import type {Profile, UsageBehaviour} from '../profile.ts';
import {conditionList} from '../xr-schema.ts';
import {compositionKind, compositionRevisionKind} from './composition-kinds.ts';
import {definitionKind, names} from './definition-kind.ts';
import {operationKinds} from './operation-kinds.ts';

// The kinds of Usage as Crossplane's own CRDs define them, with their CEL rules.
// Source: crossplane/crossplane 2d040d2da cluster/crds/{protection.crossplane.io_usages,
// protection.crossplane.io_clusterusages,apiextensions.crossplane.io_usages}.yaml; the legacy one by tag: v1.16.1 has
// v1alpha1 only, later versions have v1beta1 too but still store v1alpha1, which has the same fields.

const groupProtection = 'protection.crossplane.io';

/** One definition per kind of Usage that this version of Crossplane serves. */
export function usageKinds(behaviour: UsageBehaviour): readonly KindDefinition[] {
  return behaviour.kinds.map(({apiVersion, kind}) => {
    if (groupOf(apiVersion) !== groupProtection) return legacyUsage(apiVersion);
    return kind === 'Usage' ? namespacedUsage : clusterUsage;
  });
}

/** `place` is `{namespace: text}` where the end may be in another namespace. */
function end(place: JsonObject): JsonObject {
  const fields = {
    apiVersion: text,
    kind: text,
    resourceRef: record({name: text, ...place}, ['name']),
    resourceSelector: record({matchControllerRef: flag, matchLabels: textMap, ...place}),
  };
  return ruled(record(fields), [
    'either a resource reference or a resource selector should be set.',
    'has(self.resourceRef) || has(self.resourceSelector)',
  ]);
}

function schema(place: JsonObject, ...rules: readonly (readonly [string, string])[]): JsonObject {
  const spec = record({of: end(place), by: end({}), reason: text, replayDeletion: flag}, ['of']);
  const status = record({conditions: conditionList(true)});
  return {...resource(ruled(spec, ...rules), status), required: ['spec']};
}

const byOrReason = [
  'either "spec.by" or "spec.reason" must be specified.',
  'has(self.by) || has(self.reason)',
] as const;

const foreignOfNeedsBy = [
  'cross-namespace "spec.of" is not allowed without "spec.by" resource.',
  'has(self.by) || (!has(self.of.resourceRef) || !has(self.of.resourceRef.__namespace__)) && (!has(self.of.resourceSelector) || !has(self.of.resourceSelector.__namespace__))',
] as const;

const modern = `${groupProtection}/v1beta1`;
const ofNamespace = schema({namespace: text}, byOrReason, foreignOfNeedsBy);
const ofCluster = schema({}, byOrReason);
const namespacedUsage = oneVersionKind(modern, 'Usage', ofNamespace, {namespaced: true});
const clusterUsage = oneVersionKind(modern, 'ClusterUsage', ofCluster);

function legacyUsage(apiVersion: string): KindDefinition {
  const first = oneVersionKind('apiextensions.crossplane.io/v1alpha1', 'Usage', ofCluster);
  if (apiVersion.endsWith('/v1alpha1')) return first;
  return {...first, versions: first.versions.flatMap((one) => [one, {...one, name: 'v1beta1', storage: false}])};
}

// The kinds Provider and ProviderRevision, where a story has providers as packages. crossplane/crossplane 2d040d2da
// apis/pkg/v1/{provider,package,revision}_types.go, cluster/crds/pkg.crossplane.io_provider{s,revisions}.yaml: what the
// package manager here reads, with its defaults; their other fields are taken as they are.

export function providerKinds(profile: Profile): readonly KindDefinition[] {
  const conditions = conditionList(profile.observedGeneration === 'set');
  return [
    oneVersionKind('pkg.crossplane.io/v1', 'Provider', resource(provider, open({conditions, currentRevision: text}))),
    oneVersionKind('pkg.crossplane.io/v1', 'ProviderRevision', resource(revision, open({conditions}))),
  ];
}

const provider = open(
  {
    package: text,
    revisionActivationPolicy: choice(['Automatic', 'Manual'], 'Automatic'),
    revisionHistoryLimit: withDefault(whole, 1),
  },
  ['package'],
);

/** Not yet activated is the empty word, which upstream takes, too. */
const revision = open({desiredState: text, image: text, revision: whole}, ['desiredState', 'image', 'revision']);

function open(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return {...record(properties, required), ...anything};
}

// The kinds Function and FunctionRevision, as far as the composition controllers read them: the active revision, its endpoint and
// its capabilities. crossplane/crossplane 2d040d2da apis/pkg/v1/function_types.go, revision_types.go. Not modelled: the package
// manager; the builder of a world creates both objects.

function functionKinds(profile: Profile): readonly KindDefinition[] {
  const conditions = conditionList(profile.observedGeneration === 'set');
  const functionSchema = resource(
    record({package: text, revisionActivationPolicy: choice(['Automatic', 'Manual'])}, ['package']),
    record({conditions, currentRevision: text}),
  );
  const revisionSchema = resource(
    record({desiredState: choice(['Active', 'Inactive']), image: text, revision: {type: 'integer', format: 'int64'}}),
    record({conditions, endpoint: text, capabilities: list(text)}),
  );
  const apiVersion = functionApiVersion(profile);
  return [
    oneVersionKind(apiVersion, 'Function', functionSchema),
    oneVersionKind(apiVersion, 'FunctionRevision', revisionSchema),
  ];
}

/** FunctionRevisions were v1beta1 in v1.16. */
export function functionApiVersion(profile: Profile): string {
  return `pkg.crossplane.io/${profile.functionService === 'apiextensions.fn.proto.v1beta1' ? 'v1beta1' : 'v1'}`;
}

/**
 * An installed, healthy function: the objects its package would have made. `endpoint` is the target it is called at.
 * The status is part of the revision, so it must be created with it or written through the status subresource.
 */
export function installedFunction(
  name: string,
  endpoint: string,
  profile: Profile,
  capabilities: readonly string[] = ['composition'],
): readonly KubeObject[] {
  const apiVersion = functionApiVersion(profile);
  const revision = firstRevisionOf(name);
  return [
    {
      apiVersion,
      kind: 'Function',
      metadata: {name},
      spec: {package: `xpkg.example.org/${name}:v1.0.0`},
      status: {currentRevision: revision},
    },
    {
      apiVersion,
      kind: 'FunctionRevision',
      metadata: {name: revision, labels: {[labelPackage]: name}},
      spec: {desiredState: 'Active', image: `xpkg.example.org/${name}:v1.0.0`, revision: 1},
      status: {endpoint, capabilities},
    },
  ];
}

/** The name of the revision of an installed function. */
export function firstRevisionOf(name: string): string {
  return `${name}-000000000001`;
}

// The kinds ManagedResourceDefinition and ManagedResourceActivationPolicy of Crossplane v2. crossplane/crossplane 2d040d2da
// cluster/crds/apiextensions.crossplane.io_managedresource{definitions,activationpolicies}.yaml, the same in v2.3.4.
// A definition is a CustomResourceDefinition's spec, whether it is active, and what is in connection Secrets.
// Not modelled: the policy `default` that Crossplane's chart makes, which activates everything: a story has the policies it
// begins with, and definitions from there or from the packages of its providers.

const conditions = conditionList(true);
const stays = ['state cannot be changed once it becomes Active', "self == oldSelf || oldSelf != 'Active'"] as const;

const definition = record(
  {
    connectionDetails: list(record({name: text, description: text}, ['description', 'name'])),
    conversion: anything,
    group: ruled(text, immutable),
    names: ruled(names, immutable),
    preserveUnknownFields: {type: 'boolean'},
    scope: ruled(choice(['Namespaced', 'Cluster'], 'Namespaced'), immutable),
    state: ruled(choice(['Active', 'Inactive'], 'Inactive'), stays),
    versions: list({...anything, properties: {name: text}, required: ['name', 'served', 'storage']}),
  },
  ['group', 'names', 'versions'],
);

const policy = record({activate: {...list(text), minItems: 1}}, ['activate']);

/** None before v2. */
function managedKinds(profile: Profile): readonly KindDefinition[] {
  if (profile.managedDefinitions === 'none') return [];
  return [
    managedKind('ManagedResourceDefinition', resource(definition, record({conditions}))),
    managedKind('ManagedResourceActivationPolicy', resource(policy, record({activated: list(text), conditions}))),
  ];
}

function managedKind(kind: string, schema: JsonObject): KindDefinition {
  return oneVersionKind('apiextensions.crossplane.io/v1alpha1', kind, schema, {rare: true});
}

/** The kinds a Crossplane of this version brings. */
export const crossplaneKinds = remembering((profile: Profile): readonly KindDefinition[] => [
  definitionKind(profile),
  compositionKind(profile),
  compositionRevisionKind(profile),
  ...functionKinds(profile),
  ...managedKinds(profile),
  ...operationKinds(profile),
  ...usageKinds(profile.usages),
  ...idleKinds(profile),
]);

// Kinds that Crossplane brings and that no controller of the simulated one acts on: their objects can be made, read and
// composed. crossplane/crossplane cluster/crds at v1.16.1, v1.19.1, v1.20.11, v2.3.0 and 2d040d2da.
//
// Not modelled: the schemas of all but EnvironmentConfigs; a wrong field of the others is taken.

/** Packages are none of them if a story installs packages of providers: kinds of their controllers take their place. */
function idleKinds({idleKinds: kinds, environmentConfigs}: Profile): readonly KindDefinition[] {
  const others = kinds.map((one) => {
    const [apiVersion = '', kind = ''] = one.split(' ');
    return oneVersionKind(apiVersion, kind, anything, {rare: true});
  });
  return [environmentConfig(environmentConfigs), ...others];
}

const environmentSchema = record({apiVersion: text, kind: text, metadata: {type: 'object'}, data: anything});

function environmentConfig({served, stored}: Profile['environmentConfigs']): KindDefinition {
  const first = oneVersionKind('apiextensions.crossplane.io/v1beta1', 'EnvironmentConfig', environmentSchema, {
    rare: true,
    status: false,
  });
  const versions = first.versions.flatMap((one) => served.map((name) => ({...one, name, storage: name === stored})));
  return {...first, versions};
}
