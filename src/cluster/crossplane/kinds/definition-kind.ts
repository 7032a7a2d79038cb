import type {KindDefinition, KindVersion} from '../../api/kinds.ts';
import type {Rule} from '../../api/rules.ts';
import {isObject, type JsonObject} from '../../json.ts';
import type {Profile} from '../profile.ts';
import {conditionList} from '../xr-schema.ts';
import {anything, choice, flag, immutable, list, record, resource, text, textMap} from './schema.ts';

// The kind CompositeResourceDefinition. crossplane/crossplane 2d040d2da
// cluster/crds/apiextensions.crossplane.io_compositeresourcedefinitions.yaml (v1 stored, v2 served beside it since
// v2.0.0; no conversion) and v1.20.11 the same file. v2's schema has no defaults for the two policies, but objects are
// stored as v1, whose defaults every read applies, so both versions have them here.

export function definitionKind(profile: Profile): KindDefinition {
  const versions =
    profile.definitionApi === 'v1'
      ? [definitionVersion('v1', profile, {}, profile.fixedFields === 'changeable' ? [] : fixedFields)]
      : [
          definitionVersion('v1', profile, scope(['LegacyCluster', 'Namespaced', 'Cluster'], 'LegacyCluster'), v1Rules),
          definitionVersion('v2', profile, scope(['Namespaced', 'Cluster'], 'Namespaced'), v2Rules),
        ];
  return {
    group: 'apiextensions.crossplane.io',
    kind: 'CompositeResourceDefinition',
    plural: 'compositeresourcedefinitions',
    namespaced: false,
    versions,
    generation: true,
  };
}

function definitionVersion(name: string, profile: Profile, fields: JsonObject, rules: readonly Rule[]): KindVersion {
  const schema = resource(
    record({...commonFields, ...fields}, ['group', 'names', 'versions']),
    record({
      conditions: conditionList(profile.observedGeneration === 'set'),
      controllers: record({compositeResourceClaimType: typeRef, compositeResourceType: typeRef}),
    }),
  );
  return {name, served: true, storage: name === 'v1', status: true, schema, rules};
}

function scope(values: readonly string[], value: string): JsonObject {
  return {scope: choice(values, value)};
}

const typeRef = record({apiVersion: text, kind: text}, ['apiVersion', 'kind']);
const nameRef = record({name: text}, ['name']);
const names = record(
  {kind: text, plural: text, singular: text, listKind: text, categories: list(text), shortNames: list(text)},
  ['kind', 'plural'],
);

const printerColumn = record(
  {
    name: text,
    type: text,
    jsonPath: text,
    description: text,
    format: text,
    priority: {type: 'integer', format: 'int32'},
  },
  ['jsonPath', 'name', 'type'],
);

const commonFields: JsonObject = {
  group: text,
  names,
  claimNames: names,
  connectionSecretKeys: list(text),
  conversion: record({strategy: text, webhook: anything}, ['strategy']),
  defaultCompositeDeletePolicy: choice(['Background', 'Foreground'], 'Background'),
  defaultCompositionRef: nameRef,
  defaultCompositionRevisionSelector: anything,
  defaultCompositionUpdatePolicy: choice(['Automatic', 'Manual'], 'Automatic'),
  enforcedCompositionRef: nameRef,
  metadata: record({labels: textMap, annotations: textMap}),
  versions: list(
    record(
      {
        name: text,
        served: flag,
        referenceable: flag,
        deprecated: flag,
        deprecationWarning: {type: 'string', maxLength: 256},
        additionalPrinterColumns: list(printerColumn),
        schema: record({openAPIV3Schema: anything}),
        subresources: anything,
      },
      ['name', 'referenceable', 'served'],
    ),
  ),
};

const fixedFields = ['claimNames', 'enforcedCompositionRef', 'group', 'names'].map(immutable);

const v1Rules: readonly Rule[] = [
  specRule('Only LegacyCluster composite resources can offer claims', (spec) => {
    return isLegacy(spec) || spec['claimNames'] === undefined;
  }),
  specRule('Only LegacyCluster composite resources support connection secrets', (spec) => {
    return isLegacy(spec) || spec['connectionSecretKeys'] === undefined;
  }),
  ...fixedFields,
  immutable('scope'),
  ...lowerCase('names'),
  ...lowerCase('claimNames'),
  {
    field: 'spec.conversion',
    message: 'Webhook configuration is required when conversion strategy is Webhook',
    // As upstream has it, which refuses strategy None as well.
    holds: (self) => isObject(self) && self['strategy'] === 'Webhook' && self['webhook'] !== undefined,
  },
];

const v2Rules: readonly Rule[] = [
  specRule("Claims aren't supported in apiextensions.crossplane.io/v2", (spec) => spec['claimNames'] === undefined),
  specRule("XR connection secrets aren't supported in apiextensions.crossplane.io/v2", (spec) => {
    return spec['connectionSecretKeys'] === undefined;
  }),
  ...fixedFields,
  immutable('scope'),
  ...lowerCase('names'),
];

function isLegacy(spec: JsonObject): boolean {
  return (spec['scope'] ?? 'LegacyCluster') === 'LegacyCluster';
}

function specRule(message: string, holds: (spec: JsonObject) => boolean): Rule {
  return {field: 'spec', message, holds: (self) => !isObject(self) || holds(self)};
}

function lowerCase(field: string): readonly Rule[] {
  return (['plural', 'singular'] as const).map((which) => ({
    field: `spec.${field}`,
    message: `${which === 'plural' ? 'Plural' : 'Singular'} name must be lowercase`,
    holds: (self) => {
      const name = isObject(self) ? self[which] : undefined;
      return typeof name !== 'string' || name === name.toLowerCase();
    },
  }));
}
