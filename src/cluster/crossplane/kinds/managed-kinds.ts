// The kinds ManagedResourceDefinition and ManagedResourceActivationPolicy of Crossplane v2. crossplane/crossplane 2d040d2da
// cluster/crds/apiextensions.crossplane.io_managedresource{definitions,activationpolicies}.yaml, the same in v2.3.4.
// A definition is a CustomResourceDefinition's spec, whether it is active, and what is in connection Secrets.
// Not modelled: the policy `default` that Crossplane's chart makes, which activates everything: a story has the policies it
// begins with, and definitions from there or from the packages of its providers.

import type {KindDefinition} from '../../api/kinds.ts';
import {oneVersionKind} from '../../api/one-version.ts';
import {anything, choice, immutable, list, record, resource, ruled, text} from '../../api/schema-pieces.ts';
import type {JsonObject} from '../../json.ts';
import type {Profile} from '../profile.ts';
import {conditionList} from '../xr-schema.ts';
import {names} from './definition-kind.ts';

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
export function managedKinds(profile: Profile): readonly KindDefinition[] {
  if (profile.managedDefinitions === 'none') return [];
  return [
    managedKind('ManagedResourceDefinition', resource(definition, record({conditions}))),
    managedKind('ManagedResourceActivationPolicy', resource(policy, record({activated: list(text), conditions}))),
  ];
}

function managedKind(kind: string, schema: JsonObject): KindDefinition {
  return oneVersionKind('apiextensions.crossplane.io/v1alpha1', kind, schema, {rare: true});
}
