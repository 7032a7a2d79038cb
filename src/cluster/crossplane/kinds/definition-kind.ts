// The kind CompositeResourceDefinition. crossplane/crossplane 2d040d2da
// cluster/crds/apiextensions.crossplane.io_compositeresourcedefinitions.yaml (v1 stored, v2 served beside it since
// v2.0.0; no conversion) and v1.20.11 the same file. v2's schema has no defaults for the two policies, but objects are
// stored as v1, whose defaults every read applies, so both versions have them here.

import type {KindDefinition, KindVersion} from '../../api/kinds.ts';
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
} from '../../api/schema-pieces.ts';
import type {JsonObject} from '../../json.ts';
import type {Profile} from '../profile.ts';
import {conditionList} from '../xr-schema.ts';
import {typeRef} from './composition-kinds.ts';

export function definitionKind(profile: Profile): KindDefinition {
  const versions =
    profile.definitionApi === 'v1'
      ? [definitionVersion('v1', profile, profile.fixedFields === 'changeable' ? commonFields : fixed(commonFields))]
      : [
          definitionVersion('v1', profile, v1Fields, ...v1Rules),
          definitionVersion('v2', profile, v2Fields, ...v2Rules),
        ];
  return {
    group: 'apiextensions.crossplane.io',
    kind: 'CompositeResourceDefinition',
    plural: 'compositeresourcedefinitions',
    namespaced: false,
    versions,
  };
}

type Rules = Parameters<typeof ruled> extends [JsonObject, ...infer R] ? R : never;

function definitionVersion(name: string, profile: Profile, fields: JsonObject, ...rules: Rules): KindVersion {
  const spec = record(fields, ['group', 'names', 'versions']);
  const schema = resource(
    rules.length === 0 ? spec : ruled(spec, ...rules),
    record({
      conditions: conditionList(profile.observedGeneration === 'set'),
      controllers: record({compositeResourceClaimType: typeRef, compositeResourceType: typeRef}),
    }),
  );
  return {name, served: true, storage: name === 'v1', status: true, schema};
}

const nameRef = record({name: text}, ['name']);
export const names = record(
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

/** The same fields, of which these may not change. */
function fixed(fields: JsonObject): JsonObject {
  const {claimNames, enforcedCompositionRef, group, names: own} = fields as {readonly [field: string]: JsonObject};
  const kept = {claimNames, enforcedCompositionRef, group, names: own};
  const made = Object.entries(kept).map(([field, schema]) => [field, ruled(schema as JsonObject, immutable)] as const);
  return {...fields, ...Object.fromEntries(made)};
}

const lowerCase = [
  immutable,
  ['Plural name must be lowercase', 'self.plural == self.plural.lowerAscii()'],
  ['Singular name must be lowercase', '!has(self.singular) || self.singular == self.singular.lowerAscii()'],
] as const;

function modernFields(scopes: readonly string[], scope: string): JsonObject {
  return {...fixed(commonFields), names: ruled(names, ...lowerCase), scope: ruled(choice(scopes, scope), immutable)};
}

const v1Fields: JsonObject = {
  ...modernFields(['LegacyCluster', 'Namespaced', 'Cluster'], 'LegacyCluster'),
  claimNames: ruled(names, ...lowerCase),
  // As upstream has it, which refuses strategy None as well.
  conversion: ruled(commonFields['conversion'] as JsonObject, [
    'Webhook configuration is required when conversion strategy is Webhook',
    "self.strategy == 'Webhook' && has(self.webhook)",
  ]),
};

const v1Rules: Rules = [
  ['Only LegacyCluster composite resources can offer claims', "self.scope == 'LegacyCluster' || !has(self.claimNames)"],
  [
    'Only LegacyCluster composite resources support connection secrets',
    "self.scope == 'LegacyCluster' || !has(self.connectionSecretKeys)",
  ],
];

const v2Fields = modernFields(['Namespaced', 'Cluster'], 'Namespaced');

const v2Rules: Rules = [
  ["Claims aren't supported in apiextensions.crossplane.io/v2", '!has(self.claimNames)'],
  ["XR connection secrets aren't supported in apiextensions.crossplane.io/v2", '!has(self.connectionSecretKeys)'],
];
