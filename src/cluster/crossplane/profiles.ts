// The recorded versions of Crossplane. Each was recorded against kube-apiserver 1.34.4 (control-plane-versions/,
// control-plane/), each behaviour's source is at its declaration in profile.ts. Versions between the recorded ones are
// not listed: ranges there come from tags and pull requests, not from runs.

import type {Profile, UsageBehaviour} from './profile.ts';

export type ProfileName = '1.16' | '1.19' | '1.20' | '2.3' | 'main';

const legacyUsages: UsageBehaviour = {
  kinds: [{apiVersion: 'apiextensions.crossplane.io/v1beta1', kind: 'Usage'}],
  webhook: 'nousages.apiextensions.crossplane.io',
  denial: 'short',
  waitsForBy: 'composed',
  ownerCheck: 'first',
  indexSeparator: '.',
  resolvedEnds: 'resolved',
  observedGeneration: 'absent',
};

const typedUsages: UsageBehaviour = {
  kinds: [
    {apiVersion: 'protection.crossplane.io/v1beta1', kind: 'Usage'},
    {apiVersion: 'protection.crossplane.io/v1beta1', kind: 'ClusterUsage'},
    {apiVersion: 'apiextensions.crossplane.io/v1beta1', kind: 'Usage'},
  ],
  webhook: 'nousages.protection.crossplane.io',
  denial: 'typed',
  waitsForBy: 'composed',
  ownerCheck: 'any',
  indexSeparator: '.',
  resolvedEnds: 'unread',
  observedGeneration: 'set',
};

const packageKinds = [
  'pkg.crossplane.io/v1 Provider',
  'pkg.crossplane.io/v1 ProviderRevision',
  'pkg.crossplane.io/v1 Configuration',
  'pkg.crossplane.io/v1 ConfigurationRevision',
  'pkg.crossplane.io/v1beta1 DeploymentRuntimeConfig',
  'pkg.crossplane.io/v1beta1 Lock',
];
const imageConfig = 'pkg.crossplane.io/v1beta1 ImageConfig';
const goneInV2 = ['pkg.crossplane.io/v1alpha1 ControllerConfig', 'secrets.crossplane.io/v1alpha1 StoreConfig'];

const v1161: Profile = {
  version: 'v1.16.1',
  ownerlessUndesired: 'skip',
  foreignUndesired: 'skip',
  composedLabels: 'keep',
  composedDelete: 'plain',
  reads: 'live',
  composedNames: 'random',
  generateName: 'always-prefix',
  composedClaimLabels: 'always',
  invalidNames: 'applied',
  referencesError: 'cannot update composite resource spec.resourceRefs',
  definitionApi: 'v1',
  fixedFields: 'changeable',
  selectRevision: 'patch',
  statusApply: 'without-conditions',
  statusUpdate: 'always',
  observedGeneration: 'absent',
  functionConditions: 'ignored',
  revisionConditions: 'none',
  revisionEvents: 'create',
  composedEvents: 'update',
  engine: 'informers',
  realtimeByDefault: false,
  realtimeRestart: 'dead-controllers',
  realtimePolling: 'keeps-polling',
  circuitBreaker: 'none',
  definitionRestart: 'referenceable-version',
  managedDefinitions: 'none',
  packageRevisions: 'by-digest',
  deletedPackages: 'reconciled',
  packageHealth: 'one',
  idleProviders: 'run',
  operations: 'none',
  claimSync: 'client-side',
  functionService: 'apiextensions.fn.proto.v1beta1',
  requirements: 'extra',
  callsPerStep: 5,
  seededRequirements: false,
  capabilities: false,
  workQueue: 'delaying',
  usages: {
    ...legacyUsages,
    kinds: [{apiVersion: 'apiextensions.crossplane.io/v1alpha1', kind: 'Usage'}],
    waitsForBy: 'always',
  },
  environmentConfigs: {served: ['v1alpha1'], stored: 'v1alpha1'},
  idleKinds: [...packageKinds, ...goneInV2],
};

const v1191: Profile = {
  ...v1161,
  version: 'v1.19.1',
  ownerlessUndesired: 'delete',
  foreignUndesired: 'refuse',
  composedLabels: 'strip',
  reads: 'cache-then-live',
  fixedFields: 'immutable',
  functionConditions: 'applied',
  callsPerStep: 6,
  engine: 'collects-all',
  realtimeRestart: 'works',
  claimSync: 'server-side',
  functionService: 'apiextensions.fn.proto.v1',
  usages: legacyUsages,
  environmentConfigs: {served: ['v1alpha1', 'v1beta1'], stored: 'v1alpha1'},
  idleKinds: [...packageKinds, imageConfig, ...goneInV2],
};

const v12011: Profile = {
  ...v1191,
  version: 'v1.20.11',
  selectRevision: 'update',
  engine: 'collects-composed',
  realtimeByDefault: true,
  realtimePolling: 'off',
  usages: {...legacyUsages, ownerCheck: 'any'},
  environmentConfigs: {served: ['v1alpha1', 'v1beta1'], stored: 'v1beta1'},
};

const v234: Profile = {
  ...v12011,
  version: 'v2.3.4',
  composedDelete: 'foreground-uid',
  composedNames: 'uid-hash',
  generateName: 'observed-or-prefix',
  composedClaimLabels: 'with-claim',
  invalidNames: 'refused',
  referencesError: 'cannot update composed resource references',
  definitionApi: 'v1-and-v2',
  statusApply: 'with-conditions',
  statusUpdate: 'when-changed',
  observedGeneration: 'set',
  revisionConditions: 'valid-pipeline',
  revisionEvents: 'all',
  composedEvents: 'all',
  circuitBreaker: 'token-bucket',
  definitionRestart: 'generation',
  managedDefinitions: 'activated',
  packageHealth: 'two',
  operations: 'behind-flag',
  requirements: 'extra-and-required',
  capabilities: true,
  workQueue: 'priority',
  usages: typedUsages,
  environmentConfigs: {served: ['v1beta1'], stored: 'v1beta1'},
  idleKinds: [...packageKinds, imageConfig],
};

const main: Profile = {
  ...v234,
  version: '2d040d2da',
  ownerlessUndesired: 'skip',
  engine: 'tracker',
  seededRequirements: true,
  packageRevisions: 'by-digest-and-generation',
  deletedPackages: 'left',
  idleProviders: 'scaled-to-zero',
  usages: {...typedUsages, indexSeparator: '/'},
};

export const profiles: {readonly [name in ProfileName]: Profile} = {
  '1.16': v1161,
  '1.19': v1191,
  '1.20': v12011,
  '2.3': v234,
  main,
};
