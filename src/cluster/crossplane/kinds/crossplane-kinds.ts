import type {KindDefinition} from '../../api/kinds.ts';
import type {Profile} from '../profile.ts';
import {compositionKind, compositionRevisionKind} from './composition-kinds.ts';
import {definitionKind} from './definition-kind.ts';
import {functionKinds} from './function-kinds.ts';
import {managedKinds} from './managed-kinds.ts';
import {operationKinds} from './operation-kinds.ts';

/** The kinds a Crossplane of this version brings, but for Usages, which have their own. */
export function crossplaneKinds(profile: Profile): readonly KindDefinition[] {
  return [
    definitionKind(profile),
    compositionKind(profile),
    compositionRevisionKind(profile),
    ...functionKinds(profile),
    ...managedKinds(profile),
    ...operationKinds(profile),
  ];
}
