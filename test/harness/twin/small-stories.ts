// Small stories about one XR, and functions that do one thing wrong.

import type {ProfileName} from '../../../src/cluster/crossplane/profiles.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {runFunction} from '../../../src/function/run.ts';
import type {StepAction} from '../../../src/harness/control-plane/operator/action.ts';
import {defaultProvider} from '../../../src/harness/control-plane/provider-form.ts';
import {answeringOnce} from '../../../src/harness/functions/answer-once.ts';
import type {InProcessFunction} from '../../../src/harness/functions/builtin.ts';
import {harnessMemoryKey} from '../../../src/harness/functions/memory-key.ts';
import type {Scenario, Step} from '../../../src/harness/scenario/scenario.ts';
import type {Verdict} from '../../../src/harness/twin/grades.ts';
import {runTwins, type TwinResult} from '../../../src/harness/twin/twin.ts';
import {compositionOf, laterComposer, type Resource} from '../../../src/harness/worlds/composition.ts';
import {apply, selectorOf, step, xrObject} from '../../../src/harness/worlds/moves.ts';
import {app, composedKinds, platform, type XrKind, xrKinds} from '../../../src/harness/worlds/platform.ts';
import {decodeRequest, type RequestMessage} from '../../../src/wire/request-decode.ts';
import {encodeResponse, type ResourceChange} from '../../../src/wire/response-encode.ts';
import {twinsWith} from './opened.ts';

const kinds = composedKinds('main');
export const shop = {kind: app, namespace: undefined, name: 'shop'};

/** A resource of the kind: Bucket, Database, Note, ConfigMap ... */
export function resource(name: string, kind = 'Bucket', more: JsonObject = {}): Resource {
  const composed = kinds.find((one) => one.kind === kind) as (typeof kinds)[number];
  const {apiVersion, namespaced, body} = composed;
  const metadata = {labels: {role: name}, ...(namespaced ? {namespace: 'blue'} : {})};
  return {name, kind: composed, object: {apiVersion, kind, metadata, ...body, ...more}};
}

/** An XR that the other one may compose. */
export const site = xrKinds('main').find(({kind}) => kind === 'Site') as XrKind;
export const inner: Resource = {
  name: 'inner',
  kind: {...site, namespaced: false, managed: false, body: {}},
  object: {apiVersion: site.apiVersion, kind: site.kind, spec: {size: 'small'}},
};

/** The Composition with these resources. */
export function composed(resources: readonly Resource[], input: JsonObject = {}): Step {
  return step('user', 'compose', apply(compositionOf({xr: app, resources, input})));
}

export const asked: Step = step('user', 'ask', apply(xrObject(shop)));
export const deleted: Step = step('user', 'delete', {kind: 'delete', target: selectorOf(shop), ignoreNotFound: true});

export function by(name: string, action: StepAction): Step {
  return step('person', name, action);
}

/** What somebody writes to a composed resource. */
export function patched(key: string, body: JsonObject, kind = 'Bucket'): Step {
  const {apiVersion} = resource(key, kind).object as KubeObject;
  return by('patch', {kind: 'patch', type: 'merge', status: false, target: {apiVersion, kind, resource: key}, body});
}

export const lost = [
  step('user', 'back up', {kind: 'backup', tool: 'velero', kinds: []}),
  step('user', 'lose', {kind: 'wipe', kinds: []}),
  step('user', 'restore', {kind: 'restore', options: {priorities: ['buckets.cloud.example.org']}}),
] as const;

export const lostXrFirst = [
  ...lost.slice(0, 2),
  step('user', 'restore', {kind: 'restore', options: {priorities: ['apps.example.org']}}),
];

export function story(...steps: readonly Step[]): Scenario {
  return storyOn('main', ...steps);
}

export function storyOn(crossplane: ProfileName, ...steps: readonly Step[]): Scenario {
  return {
    name: 'small',
    description: '',
    folder: '.',
    crossplane: [crossplane],
    seed: 1,
    fixtures: platform(crossplane),
    functions: {
      'function-static': {kind: 'builtin', name: 'function-static'},
      'function-tether': {kind: 'builtin', name: 'function-tether'},
      [laterComposer]: {kind: 'builtin', name: 'function-static'},
    },
    provider: defaultProvider,
    steps,
    anyOrder: [],
    explore: {budgets: {}, without: [], properties: []},
    variants: [{name: '', without: [], expect: []}],
  };
}

const options = {ttlSeconds: 60, memoryKeys: [harnessMemoryKey]};
export const honest: InProcessFunction = answeringOnce((request) => ({
  ok: true,
  response: runFunction(request, options),
}));

/** A function that answers what the steps before it desire, but for these changes. */
export function changing(change: (message: RequestMessage) => ReadonlyMap<string, ResourceChange>): InProcessFunction {
  return (request) => {
    const message = decodeRequest(request);
    const said = {ttlSeconds: 60, results: [], conditions: [], requirements: new Map()};
    const response = encodeResponse(message, {...said, resources: change(message), requirementFields: ['resources']});
    return {ok: true, response};
  };
}

export const passes = changing(() => new Map());

/** It changes each object that the steps before it desire. */
export function rewriting(
  change: (object: KubeObject, key: string, message: RequestMessage) => JsonObject,
): InProcessFunction {
  return changing((message) => {
    const all = [...message.desired.resources].map(([key, one]) => [key, one.json() as KubeObject] as const);
    return new Map(
      all.map(
        ([key, object]) => [key, {kind: 'put', object: change(object, key, message), ready: 'unspecified'}] as const,
      ),
    );
  });
}

export function twinned(run: InProcessFunction, scenario: Scenario): TwinResult {
  return runTwins(twinsWith(run, scenario, scenario.crossplane[0] as ProfileName), scenario);
}

/** `grade place` of all that is worse; places without the XR and the kind. */
export function worse(run: InProcessFunction, scenario: Scenario): readonly string[] {
  return twinned(run, scenario).violations.map(shortText);
}

export function shortText({grade, made}: Verdict): string {
  return `${grade} ${made.key ?? made.place}`;
}
