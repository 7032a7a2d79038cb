// One story for each row of "What a restore waits for" in docs/reference/operations.md, each as small as the row allows. In each of
// them a template leaves out a cluster for a while, and the cluster keeps its external resource.

import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../src/cluster/json.ts';
import {profileNamed} from '../../src/harness/control-plane/profile-names.ts';
import type {Builtins, InProcessFunction} from '../../src/harness/functions/builtin.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import type {RunResult} from '../../src/harness/scenario/run-result.ts';
import {changing} from '../harmful-functions/answer.ts';
import {composition as compositionOf, definition, staticStep} from '../platform.ts';
import {registry} from './registry.ts';
import {readWhole} from './small-move.ts';
import {objectsIn} from './small-restore.ts';
import {versionsInTurn} from './versions.ts';

const versions = ['main', '2.3', '1.20', '1.19', '1.16'];

/** Two pods behind one Service. */
function everyOther(...pods: readonly InProcessFunction[]): InProcessFunction {
  let calls = 0;
  return (bytes, service) => (pods[calls++ % pods.length] as InProcessFunction)(bytes, service);
}

/** A build from before the mark of a restore. */
function withoutMark(build: InProcessFunction): InProcessFunction {
  return changing(build, ({answer: {resources}}) => {
    for (const [name, one] of resources) {
      const {'tether.fn.crossplane.io/restore': _, ...annotations} = one.object.metadata.annotations ?? {};
      const {metadata} = one.object;
      resources.set(name, {...one, object: {...one.object, metadata: {...metadata, annotations}}});
    }
  });
}

const honest = registry['function-tether'] as InProcessFunction;

interface Story {
  readonly compositions: readonly JsonObject[];
  /** All unless set. */
  readonly versions?: readonly string[];
  /** Managed kinds whose provider works in the background. */
  readonly async?: readonly string[];
  readonly steps: readonly JsonObject[];
  readonly builtins?: Builtins;
}

const managed = (kind: string, region = 'here'): JsonObject => ({
  apiVersion: 'cloud.example.org/v1',
  kind,
  spec: {forProvider: {region}},
});
const network = {name: 'network', base: managed('Network')};
const cluster = {name: 'cluster', base: managed('Cluster')};
const tether = {step: 'tether', functionRef: {name: 'function-tether'}};

function composition(resources: readonly JsonObject[], input: JsonObject = {}, kind = 'App'): JsonObject {
  const all = resources.map((one) => ({ready: 'Auto', ...one}));
  return pipelineOf([staticStep(all, input), tether], kind);
}

function pipelineOf(pipeline: readonly object[], kind = 'App'): JsonObject {
  return compositionOf({apiVersion: 'example.org/v1', kind}, ...pipeline) as unknown as JsonObject;
}

function run({compositions, steps, async = [], builtins = registry}: Story, crossplane: string): RunResult {
  const made: readonly JsonObject[] = [
    {apply: objectsIn('xr.yaml'), wait: {quiet: '90s', timeout: '10m'}},
    ...steps,
    {name: 'the end', wait: {quiet: '15m', timeout: '1h'}},
  ];
  const scenario = readWhole({
    name: 'restore-evidence',
    crossplane: [crossplane],
    fixtures: [...objectsIn('platform.yaml'), siteDefinition, releaseDefinition, ...compositions],
    functions: {'function-static': {builtin: 'function-static'}, 'function-tether': {builtin: 'function-tether'}},
    provider: {
      readyAfter: '1s',
      deleteAfter: '1s',
      async,
      externals: {Network: {publishes: {endpoint: '{id}.example.org'}}},
    },
    steps: made,
  } as unknown as JsonObject);
  const [variant] = scenario.variants;
  if (variant === undefined) throw new Error('a scenario has a variant');
  const options = {crossplane: profileNamed(crossplane), variant, seed: 1, builtins, record: false};
  return driveHere(driveScenario(scenario, options));
}

/** An XR within the App, which has a field for the App to set and one that it sets itself. */
const siteDefinition = definition(
  {apiVersion: 'example.org/v1', kind: 'Site'},
  {
    type: 'object',
    properties: {
      spec: {type: 'object', properties: {networkId: {type: 'string'}}},
      status: {type: 'object', properties: {id: {type: 'string'}}},
    },
  },
) as unknown as JsonObject;
const site = {name: 'site', base: {apiVersion: 'example.org/v1', kind: 'Site', spec: {}}};

/** Of another controller, which writes a status without conditions. */
const releaseDefinition: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'releases.apps.example.org'},
  spec: {
    group: 'apps.example.org',
    scope: 'Cluster',
    names: {kind: 'Release', plural: 'releases'},
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {status: {}},
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              status: {type: 'object', properties: {health: {type: 'string'}, phase: {type: 'string'}}},
            },
          },
        },
      },
    ],
  },
};
/** One that no XR composes. */
const settings = {apiVersion: 'apps.example.org/v1', kind: 'Release', metadata: {name: 'settings'}};
const release = {name: 'release', ready: 'True', base: {apiVersion: 'apps.example.org/v1', kind: 'Release'}};
const healthy = {
  ...patched('Release', 'release', {status: {health: 'Healthy'}}, {subresource: 'status'}),
  by: 'controller',
  wait: '5m',
};

const allKinds = ['App', 'Site', 'Network', 'Cluster', 'Release'];
const stop = [{stop: 'crossplane'}, {stop: 'provider'}];

/** Velero restores everything, without status; the provider is back a minute after Crossplane. */
function restored(restore: JsonObject = {}, lost = allKinds, tool = 'velero'): readonly JsonObject[] {
  return [{backup: {tool, kinds: allKinds}}, ...stop, {wipe: {kinds: lost}}, {restore}];
}
const back = [{start: 'crossplane', wait: '1m'}, {start: 'provider'}];

function patched(kind: string, resource: string, body: JsonObject | readonly JsonObject[], more: JsonObject = {}) {
  return {patch: {kind, resource, type: Array.isArray(body) ? 'json' : 'merge', body, ...more}} as JsonObject;
}
const paused = (value: string | null, kind = 'Network') =>
  patched(kind, kind.toLowerCase(), {metadata: {annotations: {'crossplane.io/paused': value}}});

/** With a status subresource and the XR at rest, and the provider away for a while. */
function emptied(body: readonly JsonObject[]): JsonObject {
  return {...patched('Network', 'network', body, {subresource: 'status'}), wait: '2m'};
}
const confirmed = {
  patch: {
    kind: 'App',
    name: 'shop',
    type: 'merge',
    body: {metadata: {annotations: {'tether.fn.crossplane.io/confirm-removal': 'cluster'}}},
  },
};

const mrs = ['networks.cloud.example.org', 'clusters.cloud.example.org'];
/** As a tool leaves objects that knows no managedFields. */
const withoutManagers = {
  modifiers: [...mrs, 'sites.example.org'].map((groupResource) => ({
    groupResource,
    mergePatch: {metadata: {managedFields: null}},
  })),
};

const releaseAlone = {
  statusOf: ['clusters.cloud.example.org'],
  modifiers: [{groupResource: 'releases.apps.example.org', mergePatch: {metadata: {managedFields: null}}}],
};

/** With an input for function-tether. */
function withInput(made: JsonObject, input: JsonObject): JsonObject {
  const {pipeline} = made['spec'] as {pipeline: JsonObject[]};
  const own = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', ...input};
  const steps = pipeline.map((step) => (step['step'] === 'tether' ? {...step, input: own} : step));
  return {...made, spec: {...(made['spec'] as JsonObject), pipeline: steps}};
}

const needing = {...cluster, needs: {resource: 'network', field: 'status.atProvider.id'}};
const byId = composition([network, needing]);
/** The XR is never Ready by this one, so its own condition says nothing. */
const neverReady = composition([network, {...needing, ready: 'False'}]);
/** No apply of this network is accepted. */
const wrong = {...network.base, spec: {...(network.base['spec'] as JsonObject), managementPolicies: 'none'}};
const rejected = composition([{...network, base: wrong}, needing]);
const bySite = composition([site, {...cluster, needs: {resource: 'site', field: 'status.id'}}]);
const siteWithNetwork = composition(
  [network],
  {relays: [{resource: 'network', field: 'status.atProvider.id', to: 'id'}]},
  'Site',
);
/** It is Ready without its network, and says so while it holds its own cluster. */
const readySite = composition(
  [
    {...network, ready: 'True'},
    {...needing, name: 'inner', ready: 'True'},
  ],
  {relays: [{resource: 'network', field: 'status.atProvider.id', to: 'id'}]},
  'Site',
);
/** It is Ready without its network, and holds nothing. */
const emptySite = composition(
  [{...network, ready: 'True'}],
  {relays: [{resource: 'network', field: 'status.atProvider.id', to: 'id'}]},
  'Site',
);
/** As that, while its pipeline fails. */
const failingSite = composition([{...network, ready: 'True'}], {fatal: true}, 'Site');
/** As the empty one, and it refuses a Usage for good, which its condition has to report, too. */
const refusingSite = pipelineOf(
  [
    {
      step: 'compose',
      functionRef: {name: 'function-static'},
      input: {
        apiVersion: 'static.fn.example.org/v1',
        kind: 'Input',
        resources: [
          {...network, ready: 'True'},
          {
            name: 'note',
            ready: 'True',
            base: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'note', namespace: 'default'}},
          },
        ],
        relays: [{resource: 'network', field: 'status.atProvider.id', to: 'id'}],
      },
    },
    {
      ...tether,
      input: {
        apiVersion: 'tether.fn.crossplane.io/v1beta1',
        kind: 'Input',
        usages: [{of: 'network', by: 'note'}],
      },
    },
  ],
  'Site',
);
/** The id takes two reconciles: into a field of the XR's status, and from there into another. */
const relaying = composition([network, {...cluster, needs: {field: 'status.clusterId'}}], {
  relays: [
    {resource: 'network', field: 'status.atProvider.id', to: 'networkId'},
    {field: 'status.networkId', to: 'clusterId'},
  ],
});

/** So it does from one value to another: the fields are there all the time. */
const relayingValues = pipelineOf([
  {
    step: 'compose',
    functionRef: {name: 'function-static'},
    input: {
      apiVersion: 'static.fn.example.org/v1',
      kind: 'Input',
      resources: [{ready: 'Auto', ...network}],
      xrStatus: {networkId: 'none', clusterId: 'none'},
      relays: [
        {resource: 'network', field: 'status.atProvider.id', to: 'networkId'},
        {field: 'status.networkId', to: 'clusterId'},
      ],
    },
  },
  {
    ...tether,
    input: {
      apiVersion: 'tether.fn.crossplane.io/v1beta1',
      kind: 'Input',
      resources: [{...cluster, include: 'has(xr.status.clusterId) && xr.status.clusterId != "none"'}],
    },
  },
]);

/** The App sets a field of the Site to the network's id, empty while it has none, and the Site composes the cluster only with it. */
const giving = pipelineOf([
  {
    ...tether,
    input: {
      apiVersion: 'tether.fn.crossplane.io/v1beta1',
      kind: 'Input',
      resources: [
        network,
        {
          ...site,
          base: {
            ...site.base,
            spec: {
              networkId: '${has(resources.network.status.atProvider.id) ? resources.network.status.atProvider.id : ""}',
            },
          },
        },
      ],
    },
  },
]);
const given = pipelineOf(
  [
    {
      ...tether,
      input: {
        apiVersion: 'tether.fn.crossplane.io/v1beta1',
        kind: 'Input',
        resources: [{...cluster, include: 'has(xr.spec.networkId) && xr.spec.networkId != ""'}],
      },
    },
  ],
  'Site',
);

function withSecret({name, base}: typeof network) {
  const spec = {
    ...(base['spec'] as JsonObject),
    writeConnectionSecretToRef: {name, namespace: 'default'},
  };
  return {name, base: {...base, spec}};
}

/** It names a Secret, for which its provider publishes an endpoint. */
const publishing = withSecret(network);
const byEndpoint = composition([publishing, {...cluster, needs: {resource: 'network', connectionDetail: 'endpoint'}}]);
const fromNetwork = {endpoint: {resource: 'network', connectionDetail: 'endpoint'}};
const byOwnKey = composition([publishing, {...cluster, needs: {connectionDetail: 'endpoint'}}], {
  connectionDetails: fromNetwork,
});
/** The endpoint takes two reconciles: into one key of the XR's own Secret, and from there into another. */
const byOwnEndpoint = composition([publishing, {...cluster, needs: {connectionDetail: 'clusterEndpoint'}}], {
  connectionDetails: {
    ...fromNetwork,
    clusterEndpoint: {connectionDetail: 'endpoint'},
  },
});
const named = {
  patch: {
    kind: 'App',
    name: 'shop',
    type: 'merge',
    body: {spec: {writeConnectionSecretToRef: {name: 'shop', namespace: 'default'}}},
  },
  wait: '5m',
};
/** Its provider publishes long after it is Ready, so a controller stands for it here. */
const late = withSecret(cluster);
const byLate = composition([late, {...network, needs: {resource: 'cluster', connectionDetail: 'endpoint'}}]);
const comesLate = {
  patch: {kind: 'Secret', name: 'cluster', namespace: 'default', type: 'merge', body: {data: {endpoint: 'aGVyZQ=='}}},
  by: 'controller',
  wait: '5m',
};
const allStatuses = {statusOf: ['apps.example.org', ...mrs]};
const withoutSecrets = restored(allStatuses, [...allKinds, 'Secret']);
/** From a backup that is older than the mark of what publishes nothing. */
const unmarked = restored(
  {
    ...allStatuses,
    modifiers: [
      {
        groupResource: 'clusters.cloud.example.org',
        mergePatch: {metadata: {annotations: {'tether.fn.crossplane.io/connection-details': null}}},
      },
    ],
  },
  [...allKinds, 'Secret'],
);
const backLater = [{start: 'crossplane', wait: '10m'}, {start: 'provider'}];
const isReady = {
  conditions: [{type: 'Ready', status: 'True', reason: 'Available', lastTransitionTime: '2026-01-01T00:00:00Z'}],
};

const stories: {readonly [row: string]: Story} = {
  'no controller reference, for its apply is rejected': {
    compositions: [byId],
    steps: [
      ...restored({statusOf: ['clusters.cloud.example.org']}),
      {apply: [rejected]},
      {start: 'crossplane', wait: '1m'},
      {start: 'provider', wait: '1m'},
      {apply: [byId]},
    ],
  },
  'the mark of its adoption': {
    compositions: [byId],
    steps: [paused('true'), {wait: '1m'}, ...restored(withoutManagers), ...back, {wait: '10m'}, paused(null)],
  },
  'no condition, although managedFields name a status': {
    compositions: [neverReady],
    steps: [{stop: 'provider'}, emptied([{op: 'replace', path: '/status', value: {}}]), {start: 'provider'}],
  },
  'no condition and a past, while the XR says Ready': {
    compositions: [byId],
    steps: [{stop: 'provider'}, emptied([{op: 'remove', path: '/status'}]), {start: 'provider'}],
  },
  "no condition and a past, and no apply of Crossplane's": {
    compositions: [neverReady],
    steps: [...restored({}, ['Network'], 'kubectl'), ...back],
  },
  // Before it applies what it did not apply yet Crossplane takes all managers away, and it may die in between.
  'no condition and a past, and no manager at all': {
    compositions: [neverReady],
    steps: [
      ...restored({}, ['Network'], 'kubectl'),
      patched('Network', 'network', {metadata: {managedFields: [{}]}}),
      ...back,
    ],
  },
  'no status, of a kind that is never Ready': {
    compositions: [composition([release, {...cluster, needs: {resource: 'release', field: 'status.health'}}])],
    steps: [
      healthy,
      ...restored({statusOf: ['clusters.cloud.example.org']}),
      {start: 'provider', wait: '1m'},
      {start: 'crossplane', wait: '10m'},
      healthy,
    ],
  },
  'no status and no manager, of a kind that is never Ready': {
    compositions: [composition([release, {...cluster, needs: {resource: 'release', field: 'status.health'}}])],
    steps: [
      healthy,
      ...restored(releaseAlone),
      {start: 'provider', wait: '1m'},
      {start: 'crossplane', wait: '10m'},
      healthy,
    ],
  },
  'no status and no manager, of a kind that is never Ready, under another resource name': {
    compositions: [composition([release, {...cluster, needs: {resource: 'release', field: 'status.health'}}])],
    steps: [
      healthy,
      ...restored(releaseAlone),
      {
        apply: [
          withInput(
            composition([
              {...release, name: 'rollout'},
              {...cluster, needs: {resource: 'rollout', field: 'status.health'}},
            ]),
            {
              handover: [{from: {resources: ['release']}, to: {resource: 'rollout'}}],
            },
          ),
        ],
      },
      {start: 'provider', wait: '1m'},
      {start: 'crossplane', wait: '10m'},
      {
        ...patched('Release', 'rollout', {status: {health: 'Healthy'}}, {subresource: 'status'}),
        by: 'controller',
        wait: '5m',
      },
    ],
  },
  'no status, of a kind that is never Ready, into a living XR': {
    compositions: [composition([release, {...cluster, needs: {resource: 'release', field: 'status.health'}}])],
    steps: [healthy, ...restored({}, ['Release'], 'kubectl'), ...back, {wait: '10m'}, healthy],
  },
  'an XR within it that is not Ready': {
    compositions: [bySite, siteWithNetwork],
    steps: [
      paused('true', 'Site'),
      {wait: '1m'},
      ...restored({...withoutManagers, statusOf: ['clusters.cloud.example.org']}),
      ...back,
      {wait: '10m'},
      paused(null, 'Site'),
    ],
  },
  // 1.16 shows no condition that a function says.
  'an XR within it that says Restoring': {
    versions: versions.filter((version) => version !== '1.16'),
    compositions: [bySite, readySite],
    steps: [paused('true'), {wait: '1m'}, ...restored(), ...back, {wait: '10m'}, paused(null)],
  },
  'an XR within it that waits itself, and holds nothing': {
    versions: versions.filter((version) => version !== '1.16'),
    compositions: [bySite, emptySite],
    steps: [paused('true'), {wait: '1m'}, ...restored(), ...back, {wait: '10m'}, paused(null)],
  },
  // Before 1.17 functions set no conditions.
  'an XR within it that waits itself, and whose pipeline fails for a while': {
    versions: ['main', '2.3', '1.20', '1.19'],
    compositions: [bySite, emptySite],
    steps: [
      paused('true'),
      {wait: '1m'},
      ...restored(),
      ...back,
      {wait: '5m'},
      {apply: [failingSite], wait: '5m'},
      {apply: [emptySite], wait: '5m'},
      paused(null),
    ],
  },
  // Crossplane 1 composes no ConfigMap.
  'an XR within it that waits itself, and refuses something': {
    versions: ['main', '2.3'],
    compositions: [bySite, refusingSite],
    steps: [paused('true'), {wait: '1m'}, ...restored(), ...back, {wait: '10m'}, paused(null)],
  },
  'the mark on the XR itself': {
    compositions: [giving, given],
    steps: [paused('true'), {wait: '1m'}, ...restored(), ...back, {wait: '10m'}, paused(null)],
  },
  'what the pipeline wants is not there': {
    compositions: [byId],
    steps: [
      ...restored({exclude: ['networks.cloud.example.org'], statusOf: ['clusters.cloud.example.org']}),
      {apply: [rejected]},
      {start: 'crossplane', wait: '10s'},
      {start: 'provider', wait: '10s'},
      {apply: [byId]},
    ],
  },
  'a field of its status that the pipeline sets': {
    compositions: [relaying],
    steps: [...restored(), ...back],
  },
  'a field of its status that the pipeline sets to another value': {
    compositions: [relayingValues],
    steps: [...restored(), ...back],
  },
  'no finalizer of its provider, although it has an external name': {
    compositions: [composition([network, {...cluster, needs: {resource: 'network', field: 'spec.forProvider.zone'}}])],
    steps: [
      {...patched('Network', 'network', {spec: {forProvider: {zone: 'a'}}}), by: 'controller', wait: '5m'},
      ...restored({
        ...allStatuses,
        modifiers: [
          {
            groupResource: 'networks.cloud.example.org',
            mergePatch: {metadata: {finalizers: null}, spec: {forProvider: {zone: null}}},
          },
        ],
      }),
      ...backLater,
    ],
  },
  'no connection details in the Secret that it names': {
    compositions: [byEndpoint],
    steps: [...withoutSecrets, ...backLater],
  },
  'no connection details in the Secret that it names, of an asynchronous provider': {
    compositions: [byEndpoint],
    async: ['Network', 'Cluster'],
    steps: [...withoutSecrets, ...backLater],
  },
  'no connection details, although it came back as it was': {
    compositions: [byEndpoint],
    steps: [
      ...restored({}, ['Network', 'Secret'], 'kubectl'),
      patched('Network', 'network', {status: isReady}, {subresource: 'status'}),
      ...backLater,
    ],
  },
  'no connection details, which came late before the backup, too': {
    compositions: [byLate],
    steps: [
      {...comesLate, expect: [{externals: 'creates', is: 2}]},
      ...withoutSecrets,
      ...back,
      {wait: '10m'},
      comesLate,
    ],
  },
  'no connection details, which came after the backup from which it alone came back': {
    compositions: [byLate],
    steps: [
      {backup: {tool: 'velero', kinds: ['Cluster']}},
      {...comesLate, expect: [{externals: 'creates', is: 2}]},
      ...stop,
      {wipe: {kinds: ['Cluster', 'Secret']}},
      {restore: allStatuses},
      ...back,
      {wait: '10m'},
      comesLate,
    ],
  },
  'no connection details any more, because a person deletes their Secret': {
    compositions: [byEndpoint],
    steps: [
      {stop: 'provider'},
      {delete: {kind: 'Secret', name: 'network', namespace: 'default'}, wait: '10m'},
      {start: 'provider'},
    ],
  },
  // An XR of Crossplane 2 publishes none.
  "no connection details in the XR's own Secret": {
    compositions: [byOwnEndpoint],
    steps: [named, ...withoutSecrets, ...backLater],
  },
  "no connection details in the XR's own Secret any more, because a person deletes it": {
    compositions: [byOwnKey],
    steps: [named, {delete: {kind: 'Secret', name: 'shop', namespace: 'default', ignoreNotFound: true}}],
  },
  'a confirmation of before the restore': {
    compositions: [byId],
    steps: [confirmed, {wait: '1m'}, ...restored(), ...back],
  },
};

describe('the cluster keeps its external resource, as long as', () => {
  for (const [index, [row, story]] of Object.entries(stories).entries()) {
    for (const crossplane of versionsInTurn(story.versions ?? versions, index)) {
      test(`${row}, on ${crossplane}`, () => {
        const {failures, externals} = run(story, crossplane);
        expect(failures).toEqual([]);
        expect(externals.deletes).toBe(0);
      });
    }
  }
});

describe('a person deletes what is awaited, and it is made again', () => {
  for (const crossplane of versionsInTurn(versions, 0)) {
    test(`the cluster is kept meanwhile, on ${crossplane}`, () => {
      const steps = [
        ...restored(),
        {start: 'crossplane', wait: '20s'},
        {delete: {kind: 'Network', resource: 'network'}, wait: '1m'},
        {start: 'provider'},
      ];
      const {failures, externals} = run({compositions: [byId], steps}, crossplane);
      expect(failures).toEqual([]);
      // The network's own.
      expect([externals.creates, externals.deletes]).toEqual([3, 1]);
    });
  }
});

describe('whatever answers or is read meanwhile, the cluster keeps its external resource', () => {
  const meanwhile: {readonly [what: string]: Pick<Story, 'steps'>} = {
    'Crossplane reads what was there before the restore': {
      steps: [
        ...restored(),
        {start: 'crossplane'},
        {fault: {stale: 'crossplane', for: '30s'}},
        {wait: '1m'},
        {start: 'provider'},
      ],
    },
    'Crossplane begins once more, with empty caches, before the provider is back': {
      steps: [...restored(), {start: 'crossplane', wait: '1m'}, {kill: 'crossplane'}, ...back],
    },
    'Crossplane begins once more as the provider reports': {
      steps: [...restored(), ...back, {wait: '1s'}, {kill: 'crossplane'}, {start: 'crossplane'}],
    },
  };

  for (const [what, story] of Object.entries(meanwhile)) {
    for (const crossplane of versionsInTurn(versions, 1)) {
      test(`${what}, on ${crossplane}`, () => {
        const {failures, externals} = run({compositions: [byId], ...story}, crossplane);
        expect(failures).toEqual([]);
        expect([externals.creates, externals.deletes]).toEqual([2, 0]);
      });
    }
  }
});

describe('a person confirms what leaves, while what is awaited never publishes', () => {
  const naming = withSecret(cluster);
  const called = {...network, base: {...network.base, metadata: {name: 'net'}}};

  for (const crossplane of versionsInTurn(versions, 2)) {
    test(`and it goes, on ${crossplane}`, () => {
      const value = 'network@${uid:Network/net}';
      const body = {metadata: {annotations: {'tether.fn.crossplane.io/confirm-removal': value}}};
      const steps = [
        ...unmarked,
        ...back,
        {apply: [composition([naming])], wait: '10m', expect: [{externals: 'deletes', is: 0}]},
        {patch: {kind: 'App', name: 'shop', type: 'merge', body}, wait: '10m'},
      ];
      const {failures, externals} = run({compositions: [composition([called, naming])], steps}, crossplane);
      expect(failures).toEqual([]);
      expect([externals.creates, externals.deletes]).toEqual([2, 1]);
    });
  }
});

describe('a kind that never publishes connection details', () => {
  const naming = withSecret(cluster);
  const other = {...network, name: 'other'};
  const reason = (status: string, more: JsonObject) => [
    {object: {kind: 'App', name: 'shop'}, condition: {type: 'Tethered', status, ...more}},
    {object: {kind: 'App', name: 'shop'}, condition: {type: 'Ready'}},
  ];

  for (const crossplane of versionsInTurn(versions, 1)) {
    test(`keeps nothing after a restore, if it was Ready without any before, on ${crossplane}`, () => {
      const steps = [...withoutSecrets, {apply: [composition([naming, other])]}, ...backLater];
      const {failures, externals} = run({compositions: [composition([network, naming])], steps}, crossplane);
      expect(failures).toEqual([]);
      expect([externals.creates, externals.deletes]).toEqual([3, 1]);
    });

    test(`keeps what leaves until its reference is taken out, if the backup does not show that, on ${crossplane}`, () => {
      const saysSo = crossplane !== '1.16';
      const steps = [
        ...unmarked,
        ...back,
        {wait: '5m', ...(saysSo ? {expect: reason('True', {})} : {})},
        {
          apply: [composition([naming, other])],
          wait: '10m',
          expect: [
            {externals: 'creates', is: 3},
            {externals: 'deletes', is: 0},
            ...(saysSo ? reason('False', {reason: 'Restoring'}) : []),
          ],
        },
        {apply: [composition([cluster, other])], wait: '10m'},
      ];
      const {failures, externals} = run({compositions: [composition([network, naming])], steps}, crossplane);
      expect(failures).toEqual([]);
      expect([externals.creates, externals.deletes]).toEqual([3, 1]);
    });
  }
});

describe('without a restore nothing is awaited, and what an edit drops goes', () => {
  const siteThatIsNeverReady = composition(
    [{...network, ready: 'False'}],
    {relays: [{resource: 'network', field: 'metadata.name', to: 'id'}]},
    'Site',
  );
  const calledReady = (name: string) => composition([{...site, name, ready: 'True'}]);

  for (const crossplane of versionsInTurn(versions, 2)) {
    test(`although a new XR has a status before it has a condition, and is never Ready, on ${crossplane}`, () => {
      const steps = [{apply: [calledReady('other')], wait: '10m'}];
      const {failures, externals} = run({compositions: [calledReady('site'), siteThatIsNeverReady], steps}, crossplane);
      expect(failures).toEqual([]);
      expect([externals.creates, externals.deletes]).toEqual([2, 1]);
    });
  }
});

/** What a template reads is gone for a while, and nothing on any object shows it. */
const unseen: {readonly [what: string]: Story} = {
  'a part of a status, while its conditions stay': {
    compositions: [byId],
    steps: [{stop: 'provider'}, emptied([{op: 'remove', path: '/status/atProvider'}]), {start: 'provider'}],
  },
  'an object that the pipeline requires': {
    compositions: [
      composition([network, {...cluster, needs: {object: {...settings, name: 'settings'}, field: 'metadata.name'}}]),
    ],
    steps: [
      {apply: settings, wait: '5m'},
      {delete: {kind: 'Release', name: 'settings'}, wait: '5m'},
      {apply: settings, wait: '5m'},
    ],
  },
  'a status that comes after the first one, after a restore, of a kind that is never Ready': {
    compositions: [composition([release, {...cluster, needs: {resource: 'release', field: 'status.health'}}])],
    steps: [
      healthy,
      ...restored({statusOf: ['clusters.cloud.example.org']}),
      {start: 'provider', wait: '1m'},
      {start: 'crossplane', wait: '1m'},
      {...healthy, ...patched('Release', 'release', {status: {phase: 'Pending'}}, {subresource: 'status'})},
      healthy,
    ],
  },
  'what is restored without managers, while an older build answers every other call': {
    compositions: [byId],
    builtins: {...registry, 'function-tether': everyOther(withoutMark(honest), honest)},
    steps: [paused('true'), {wait: '1m'}, ...restored(withoutManagers), ...back, {wait: '10m'}, paused(null)],
  },
  'what an XR within it reported': {
    compositions: [bySite, siteWithNetwork],
    steps: [{stop: 'provider'}, emptied([{op: 'remove', path: '/status/atProvider'}]), {start: 'provider'}],
  },
};

function withRemoval({compositions, ...story}: Story, removal: JsonObject): Story {
  const input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', removal};
  return {
    ...story,
    compositions: compositions.map((one) => {
      const {pipeline} = one['spec'] as {readonly pipeline: readonly JsonObject[]};
      return pipelineOf(
        pipeline.map((step) => (step['step'] === 'tether' ? {...step, input} : step)),
        (one['spec'] as {readonly compositeTypeRef: {readonly kind: string}}).compositeTypeRef.kind,
      );
    }),
  };
}

describe('the cluster is made anew if a template misses', () => {
  const deletesOf = (story: Story, crossplane: string) => {
    const {failures, externals} = run(story, crossplane);
    expect(failures).toEqual([]);
    return [externals.creates - externals.alive, externals.deletes];
  };

  for (const [what, story] of Object.entries(unseen)) {
    for (const crossplane of ['main', '1.16']) {
      test(`${what}, unless the input has Confirm or a budget, on ${crossplane}`, () => {
        expect(deletesOf(story, crossplane)).toEqual([1, 1]);
        const confirm = {policies: [{match: {resources: ['cluster']}, policy: 'Confirm'}]};
        expect(deletesOf(withRemoval(story, confirm), crossplane)).toEqual([0, 0]);
        expect(deletesOf(withRemoval(story, {budget: {resources: 0}}), crossplane)).toEqual([0, 0]);
      });
    }
  }
});
