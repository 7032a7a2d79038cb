// The life of an XR as steps: what README calls the unsafe moments, with what must hold after each.

import {patchBetween} from '../../cluster/backup/velero-object.ts';
import type {JsonObject} from '../../cluster/json.ts';
import type {Removal} from './candidates.ts';
import {nameFrom} from './configuration.ts';
import type {StoryPlan} from './plan-story.ts';

export interface StoryStep {
  readonly comments: readonly string[];
  readonly step: JsonObject;
}

/** Longer than Crossplane waits before it looks again, which it does once a minute where too many events came. */
const rest: JsonObject = {wait: {quiet: '2m', timeout: '2h'}};
/** Kubernetes' garbage collector tries a deletion that a Usage denied again after up to 1,000 s. */
const deletionRest: JsonObject = {wait: {quiet: '20m', timeout: '6h'}};
const sound: readonly JsonObject[] = [{orphans: 0}, {stuck: 0}];

export function stepsOf(plan: StoryPlan, folder: string): readonly StoryStep[] {
  const {api, tried} = plan;
  const {kind, metadata} = api.xr;
  const object: JsonObject = {kind, name: metadata.name};
  const condition: JsonObject = {type: tried?.isReady === true ? 'Ready' : 'Synced'};
  const isReady: readonly JsonObject[] = [{object, condition}];
  const called = `${kind} ${metadata.name}`;
  const counts: readonly JsonObject[] =
    tried === undefined || tried.creates === 0 ? [] : [{externals: 'creates', is: tried.creates}];
  const alive: JsonObject = {externals: 'alive', is: tried?.kept ?? 0};
  return [
    {
      comments: readyComment(plan),
      step: {
        name: `${called} is created`,
        apply: api.file === undefined ? api.xr : nameFrom(folder, api.file),
        ...rest,
        expect: [...isReady, ...counts, ...sound],
      },
    },
    ...editStep(plan, object, isReady),
    ...removalStep(plan, object),
    {comments: [], step: {name: 'a backup is taken', backup: {tool: 'velero'}}},
    {comments: [], step: {name: 'Crossplane stops', stop: 'crossplane'}},
    {
      comments: ['All that the backup holds is lost; the cloud keeps what it has.'],
      step: {name: 'everything is lost', wipe: {}},
    },
    {comments: [], step: {name: 'the backup comes back', restore: {}}},
    {
      comments: counts.length === 0 ? [] : ['Nothing may be created a second time.'],
      step: {name: 'Crossplane is back', start: 'crossplane', ...rest, expect: [...isReady, ...counts, ...sound]},
    },
    {
      comments: keptComment(plan),
      step: {
        name: `${called} is deleted`,
        delete: object,
        ...deletionRest,
        expect: [{object, absent: true}, ...(counts.length === 0 ? [] : [alive]), ...sound],
      },
    },
  ];
}

function keptComment({tried}: StoryPlan): readonly string[] {
  const keeps = tried?.keeps ?? [];
  if (keeps.length === 0) return [];
  return [
    `The policies of ${keeps.join(', ')} keep the external resource: managementPolicies without Delete, or deletionPolicy Orphan.`,
  ];
}

function readyComment({tried, api}: StoryPlan): readonly string[] {
  if (tried === undefined || tried.isReady) return [];
  return [
    `${api.xr.kind} does not become Ready here, so that is not expected: does a function of the pipeline say when it is?`,
  ];
}

function editStep({tried}: StoryPlan, object: JsonObject, isReady: readonly JsonObject[]): readonly StoryStep[] {
  if (tried?.edit === undefined) {
    return [
      {
        comments: [
          ...(tried === undefined
            ? []
            : ['No edit of the XR was found that changes a composed resource and keeps all.']),
          'An edit: patch what a team would change, and say what must become of it.',
        ],
        step: {
          name: 'a team edits it',
          patch: {...object, body: {metadata: {labels: {edited: 'yes'}}}},
          ...rest,
          expect: [...sound],
        },
      },
    ];
  }
  const {edit, kind, resource, match} = tried.edit;
  const shown = {object: {kind, resource}, match};
  return [
    {
      comments: [],
      step: {
        name: `a team edits it: ${edit.what}`,
        patch: {...object, body: edit.patch},
        ...rest,
        expect: [...isReady, shown, ...sound],
      },
    },
  ];
}

function removalStep(plan: StoryPlan, xr: JsonObject): readonly StoryStep[] {
  const found = plan.tried?.removal;
  if (found === undefined) return [noRemoval(plan)];
  const {removal, left, changed, leavesOthers} = found;
  const names = left.map(({resource}) => resource);
  const name = `${names.join(' and ')} ${names.length === 1 ? 'leaves' : 'leave'}: ${removal.what}`;
  const absent = left.map((one) => ({object: {kind: one.kind, resource: one.resource}, absent: true}));
  const others = leavesOthers ? [{untouched: {since: name, except: [...names, ...changed]}}] : [];
  const expect = [...absent, ...others, ...sound];
  return [
    {
      comments: ['Between backup and restore the same would be harder: try it there, too.'],
      step: {name, ...actionOf(removal, plan, xr), ...rest, expect},
    },
  ];
}

function noRemoval({tried}: StoryPlan): StoryStep {
  return {
    comments: [
      ...(tried === undefined ? [] : ['No change was found by which a resource leaves.']),
      'To remove a resource, apply a Composition that no longer names it before the backup, or between backup and restore:',
      '- name: a resource leaves',
      '  apply: composition-without-it.yaml',
      '  wait: {quiet: 2m, timeout: 2h}',
      '  expect: [{object: {kind: KIND, resource: NAME}, absent: true}, {orphans: 0}, {stuck: 0}]',
    ],
    step: {name: 'time passes', wait: '5m', expect: [...sound]},
  };
}

function actionOf({patch, object}: Removal, plan: StoryPlan, xr: JsonObject): JsonObject {
  const before = plan.tried?.edit?.edit.xr ?? plan.api.xr;
  if (patch !== undefined) {
    return {patch: {kind: 'Composition', name: object.metadata.name, type: 'json', body: patch}};
  }
  if (object.kind === 'Composition') return {apply: compositionName(plan)};
  return {patch: {...xr, body: {spec: patchBetween(before.spec ?? {}, object.spec ?? {}) ?? {}}}};
}

/** The file with the Composition that lacks what is removed. */
export function compositionName({tried}: StoryPlan): string {
  const resource = tried?.removal?.left[0]?.resource ?? 'it';
  return `composition-without-${resource.replaceAll(/[^\w.-]+/g, '-')}.yaml`;
}
