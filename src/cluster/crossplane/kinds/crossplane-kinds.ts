import type {KindDefinition} from '../../api/kinds.ts';
import {remembering} from '../../memo.ts';
import type {Profile} from '../profile.ts';
import {usageKinds} from '../usage-kinds.ts';
import {compositionKind, compositionRevisionKind} from './composition-kinds.ts';
import {definitionKind} from './definition-kind.ts';
import {functionKinds} from './function-kinds.ts';
import {idleKinds} from './idle-kinds.ts';
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
