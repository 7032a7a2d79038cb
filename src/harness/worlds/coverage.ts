// Which stories had what: so that nothing is clean because it never happened.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {Json, JsonObject} from '../../cluster/json.ts';
import {annotationExternalName} from '../../cluster/vocabulary.ts';
import type {FaultKind, Scenario} from '../scenario/scenario.ts';
import {actors, faultKinds} from '../scenario/step-form.ts';
import {laterComposer} from './composition.ts';
import type {Topic} from './generate.ts';
import {ruleParts} from './hand-over.ts';
import {isModern} from './platform.ts';

/** The tags of a story; `happened`: the faults whose opportunity came. */
export function tagsOf({steps, fixtures}: Scenario, happened: readonly FaultKind[]): ReadonlySet<string> {
  const tags = new Set<string>();
  for (const fault of happened) tags.add(`fault ${fault}`);
  const xrKinds = new Map(
    fixtures
      .filter(({kind}) => kind === 'CompositeResourceDefinition')
      .map(({spec}) => [
        `${String(spec?.['group'])}/v1 ${String(((spec?.['names'] ?? {}) as JsonObject)['kind'])}`,
        String(spec?.['scope'] ?? 'LegacyCluster'),
      ]),
  );
  for (const {name, by, early, action} of steps) {
    tags.add(`actor ${by ?? 'user'}`);
    tags.add(`move ${name}`);
    if (early !== undefined) tags.add('before all is at rest');
    if (action?.kind === 'restore')
      tags.add(hasStatus(action.options) ? 'a restore with status' : 'a restore without status');
    for (const object of action?.kind === 'apply' ? action.objects : []) {
      const scope = xrKinds.get(`${object.apiVersion} ${object.kind}`);
      if (scope !== undefined) tags.add(`XR ${scope}`);
      if (object.kind === 'Composition') for (const tag of tagsOfComposition(object.spec ?? {})) tags.add(tag);
    }
  }
  return tags;
}

function hasStatus(options: {readonly statusOf?: readonly string[] | undefined}): boolean {
  return options.statusOf !== undefined;
}

/** How templates of people compose, by what an entry of function-static needs. */
const templates = {
  sibling: 'composed once a sibling is Ready',
  status: 'composed by the status of a sibling',
  object: 'composed by an EnvironmentConfig',
  count: 'composed as often as the XR says',
};

function templatesOf({needs, count}: JsonObject): readonly string[] {
  if (count !== undefined) return [templates.count];
  const {object, field} = (needs ?? {}) as JsonObject;
  if (needs === undefined) return [];
  return [object !== undefined ? templates.object : field === undefined ? templates.sibling : templates.status];
}

const annotationNamed = 'composed with an external name of its author';
const named = 'composed with a name of its author';
/** Fields of the spec that authors write. */
const authored = {
  deletionPolicy: 'composed with deletionPolicy Orphan',
  managementPolicies: 'composed with managementPolicies without Delete',
  writeConnectionSecretToRef: 'composed with a Secret of connection details',
};
const published = 'an XR with connection details';

function tagsOfEntry(entry: JsonObject): readonly string[] {
  const {metadata, spec = {}} = entry['base'] as {readonly metadata?: JsonObject; readonly spec?: JsonObject};
  const annotations = metadata?.['annotations'] as JsonObject | undefined;
  return [
    ...templatesOf(entry),
    ...(annotations?.[annotationExternalName] === undefined ? [] : [annotationNamed]),
    ...(metadata?.['name'] === undefined ? [] : [named]),
    ...Object.entries(authored).flatMap(([field, tag]) => (spec[field] === undefined ? [] : [tag])),
  ];
}

const stepsAfter = {passing: 'steps after the function', [laterComposer]: 'a step after the function composes'};

function tagsOfComposition(spec: JsonObject): readonly string[] {
  const pipeline = spec['pipeline'] as readonly {readonly input: JsonObject; readonly functionRef: JsonObject}[];
  const [composing, tether, after] = pipeline;
  const resources = (composing?.input['resources'] ?? []) as readonly {readonly base: JsonObject}[];
  const ways = [
    ...resources.flatMap((entry) => tagsOfEntry(entry as unknown as JsonObject)),
    ...(composing?.input['connectionDetails'] === undefined ? [] : [published]),
    ...(after === undefined ? [] : [stepsAfter[after.functionRef['name'] as keyof typeof stepsAfter]]),
  ];
  return [...ways, ...tagsOfInput(resources, tether?.input ?? {})];
}

function tagsOfInput(resources: readonly {readonly base: JsonObject}[], input: JsonObject): readonly string[] {
  const [api = ''] = String(input['apiVersion']).split('.');
  const kinds = resources.map(
    ({base}) => `composed ${String(base['kind'])}.${String(base['apiVersion']).split('/')[0]}`,
  );
  if (api !== 'tether') return [...kinds, `dialect of function-${api === 'sequencer' ? api : 'deletion-protection'}`];
  const parts = Object.keys(input).filter((key) => !['apiVersion', 'kind', 'crossplane'].includes(key));
  if (parts.length === 0) return [...kinds, 'input empty'];
  return [...kinds, ...parts.map((part) => `input ${part}`), ...details(input)];
}

/** Parts whose choices are as many features. */
function details(input: JsonObject): readonly string[] {
  const removal = (input['removal'] ?? {}) as JsonObject;
  const policies = (removal['policies'] ?? []) as readonly {readonly policy: string}[];
  const names = (input['externalNames'] ?? {}) as JsonObject;
  const remember = names['remember'] as {readonly in: string} | undefined;
  return [
    ...policies.map(({policy}) => `removal ${policy}`),
    ...(removal['budget'] === undefined ? [] : ['removal budget']),
    ...(names['from'] === undefined ? [] : ['externalNames from']),
    ...(remember === undefined ? [] : [`externalNames remember ${remember.in}`]),
    ...['restore', 'protect'].flatMap((part) => wordsIn(part, [input[part] ?? {}])),
    ...['order', 'usages', 'resources'].flatMap((part) => wordsIn(part, (input[part] ?? []) as readonly Json[])),
    ...(((input['protect'] as JsonObject)?.['resources'] as readonly Json[])?.length > 1 ? ['protect by several'] : []),
  ];
}

function wordsIn(part: string, all: readonly Json[]): readonly string[] {
  return all.flatMap((one) => Object.keys(one as JsonObject).map((word) => `${part} ${word}`));
}

const parts = ['order', 'usages', 'removal', 'protect', 'externalNames', 'restore', 'resources', 'ttl', ...ruleParts];

/**
 * The tags that a run of many stories must have had. ConfigMaps and namespaced kinds need Crossplane 2, and 1.16 serves no
 * Usages of v1beta1.
 */
export function wantedTags(crossplane: ProfileName, about: Topic = 'everything'): readonly string[] {
  return [
    ...actors.map((actor) => `actor ${actor}`),
    ...faultKinds.map((fault) => `fault ${fault}`),
    'before all is at rest',
    'input empty',
    ...parts.map((part) => `input ${part}`),
    ...['Delete', 'Orphan', 'Retain', 'Confirm'].map((policy) => `removal ${policy}`),
    'removal budget',
    'externalNames from',
    'externalNames remember Status',
    ...['lookup', 'stableNames', 'kinds'].map((word) => `restore ${word}`),
    ...['of', 'by', 'sequence', 'when', 'waitFor', 'createOnly', 'deleteOnly'].map((word) => `order ${word}`),
    ...['optional', 'reason', 'replayDeletion'].map((word) => `usages ${word}`),
    ...['resources', 'xr', 'xrMatch', 'by several'].map((word) => `protect ${word}`),
    ...['include', 'readyWhen'].map((word) => `resources ${word}`),
    'dialect of function-sequencer',
    ...(crossplane === '1.16' ? [] : ['dialect of function-deletion-protection']),
    'XR LegacyCluster',
    ...Object.values(templates),
    annotationNamed,
    named,
    ...Object.values(authored),
    published,
    ...Object.values(stepsAfter),
    'a restore with status',
    'a restore without status',
    'composed Site.example.org',
    'composed Note.example.org',
    ...(isModern(crossplane)
      ? [
          'externalNames remember ConfigMap',
          'move user: define an XR with another scope',
          'XR Cluster',
          'XR Namespaced',
          'composed ConfigMap.v1',
          'composed Secret.v1',
        ]
      : []),
    ...moveNames.map((name) => `move ${name}`),
    ...(about === 'moves'
      ? ruleParts.map((part) => `move user: take the rules of ${part} away`)
      : [
          ...trialNames,
          ...(isModern(crossplane) ? modernTrialNames : []),
          ...(crossplane === '1.16' ? [] : usageTrialNames),
        ].map((name) => `move ${name}`)),
  ];
}

const moveNames = [
  'user: drop a resource',
  'user: drop everything',
  'user: rename a key',
  'user: change a kind',
  'user: rename a key and change a value',
  'user: change a value',
  'user: change an immutable field',
  'user: take resources back',
  'user: restore with velero',
  'user: restore with gitops',
  'user: restore with etcd',
  'user: restore with kubectl',
  'user: move to another resource name',
  'user: move to another kind',
  'user: use the name of what moved again',
  'user: take from another XR',
  'user: give to another XR',
  'user: delete an XR',
  'user: delete an XR in the foreground',
  'user: delete an XR and orphan its dependents',
  'user: ask for the XR again',
  'user: edit an XR',
  'user: count down to none',
  'user: count up or down',
  'user: count up to a fleet',
  'user: change settings',
  'user: remove settings',
  'user: bring settings back',
  'user: start the provider after the restore',
  'user: pause an XR',
  'user: confirm removals',
  'user: change the input',
  'user: remove a definition',
  'user: install the definition again',
  'user: restart crossplane',
  'user: restart provider',
  'user: restart owner-gc',
  'user: stop the provider',
  'user: take rights from crossplane',
  'user: take rights from provider',
  'user: give the rights back',
  'person: delete a composed resource',
  'person: delete a composed resource in the foreground',
  'person: delete a composed resource and orphan its dependents',
  'person: label a composed resource',
  'person: write labels that selectors read',
  'person: annotate a composed resource',
  'person: leave a stale in-use label',
  'person: take the owner away',
  'person: add a finalizer',
  'person: forget who wrote what',
  'person: keep the external resource',
  'person: edit a field',
  'controller: scale',
  'controller: write a label of its own',
  'controller: write a large integer',
  'editor: empty resourceRefs',
  'editor: list what belongs to nobody',
  'editor: list another XR',
  'editor: plant names in status',
  'editor: empty the status',
  'editor: claim an identity',
  'editor: annotate the XR',
  'editor: change spec',
  'editor: forget who wrote what',
  'tenant: make a decoy',
];

/** Only stories about everything end with a trial. */
const trialNames = [
  'user: change one field',
  'user: take the field away again',
  'user: change the field again',
  'user: mark an XR',
  'user: write the name in the cloud elsewhere',
  'user: take the edit back',
  'user: drop what is used and its user',
  'user: drop the user after that',
  'user: delete a protected XR',
  'person: delete what is in use',
  'person: delete what is protected',
  'person: pause a composed resource',
  'person: let a composed resource go on',
  'controller: find an external resource unavailable',
  'user: add a resource that the XR counts',
  'user: write a value that is none',
  'user: confirm one removal',
  'user: have the first step say more of the XR',
  'user: add resources in an order',
  'person: delete the first of an order',
  'user: edit a nested XR',
  'user: drop two of a sort',
  'user: switch off',
  'user: compose by connection details',
  'person: delete what comes first',
  'user: drop what comes first',
  'user: take two in an order back',
  'person: delete what is unavailable',
  'user: add what a create is interrupted of',
  'user: claim an XR',
  'user: write values of many sorts',
  'user: label an XR',
  'person: delete what is retained',
  'person: delete one of what is protected',
  'user: name what is absent',
  'user: add an order whose first is never ready',
  'user: drop what the XR has lost',
  'user: compose what has a stable name',
  'user: compose what the cloud names',
  'user: protect one thing by each rule',
  'user: have a later step compose',
  'user: drop what a later step composes',
  'user: have the input contradict itself',
  'user: make a template that never is ready',
  'user: call a resource not ready',
  'user: compose what has a long name',
  'controller: write a condition to an XR',
  'person: delete what a finalizer holds',
  'user: write what is refused',
  'user: drop what a policy names',
  'user: edit an XR of a nested one',
  'person: delete what an order may select',
  'user: move what one word selects',
  'user: name by two rules',
];

const usageTrialNames = ['person: delete what is labelled', 'person: delete what is in a sequence'];
const modernTrialNames = ['person: delete what an XR requires'];
