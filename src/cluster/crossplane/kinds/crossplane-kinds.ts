import type {KindDefinition} from '../../api/kinds.ts';
import {oneVersionKind} from '../../api/one-version.ts';
import {anything, record, text} from '../../api/schema-pieces.ts';
import {remembering} from '../../memo.ts';
import type {Profile} from '../profile.ts';
import {usageKinds} from '../usage-kinds.ts';
import {compositionKind, compositionRevisionKind} from './composition-kinds.ts';
import {definitionKind} from './definition-kind.ts';
import {functionKinds} from './function-kinds.ts';
import {managedKinds} from './managed-kinds.ts';
import {operationKinds} from './operation-kinds.ts';

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
