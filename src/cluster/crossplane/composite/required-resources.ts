// Required resources: what a function asks to see beside observed state.
// crossplane/crossplane 2d040d2da internal/xfn/required_resources.go (ExistingRequiredResourcesFetcher).

import type {ResourceSelector} from '../../../wire/resource-message.ts';
import {at, type JsonObject} from '../../json.ts';
import type {Step} from '../../kernel/call.ts';
import type {KubeObject, ResourceRef} from '../../object.ts';
import {get, listCached, listLive} from '../client.ts';
import type {Reference} from '../engine/tracker.ts';
import {type Result, success, wrapped} from '../failure.ts';
import type {Profile} from '../profile.ts';

interface UpFront extends Partial<ResourceRef> {
  readonly requirementName: string;
  readonly matchLabels?: {readonly [key: string]: string};
}

/** The objects a selector finds, ordered by namespace and name; none where nothing matches. */
export function* fetchRequired(selector: ResourceSelector, profile: Profile): Step<Result<readonly JsonObject[]>> {
  const {apiVersion, kind, namespace, match} = selector;
  const place = namespace === undefined || namespace === '' ? {} : {namespace};
  if (match?.kind === 'name') {
    const ref = {apiVersion, kind, ...place, name: match.name};
    const found = yield* get(ref, profile.reads);
    if (!found.ok) return wrapped('cannot get required resource by name', found);
    return success(found.value === undefined ? [] : [found.value]);
  }
  const matchLabels = match?.labels ?? {};
  const list = {apiVersion, kind, ...place, selector: {matchLabels}};
  const found = yield* profile.reads === 'live' ? listLive(list) : listCached(list);
  if (!found.ok) return wrapped('cannot list required resources', found);
  return success([...found.value].sort(byPlace));
}

/** The resources that a step of the Composition requires before its function is called, by the requirement's name. */
export function requiredUpFront(step: JsonObject): readonly (readonly [string, ResourceSelector])[] {
  const wanted = (at(step, ['requirements', 'requiredResources']) ?? []) as unknown as readonly UpFront[];
  return wanted.map(({requirementName, apiVersion = '', kind = '', namespace, name, matchLabels: labels}) => {
    const named = name === undefined ? {} : {match: {kind: 'name', name} as const};
    const match = labels === undefined ? named : {match: {kind: 'labels', labels} as const};
    return [requirementName, {apiVersion, kind, ...(namespace === undefined ? {} : {namespace}), ...match}];
  });
}

export function* fetchUpFront(step: JsonObject, profile: Profile): Step<Result<Map<string, readonly JsonObject[]>>> {
  const answers = new Map<string, readonly JsonObject[]>();
  for (const [name, selector] of requiredUpFront(step)) {
    const found = yield* fetchRequired(selector, profile);
    if (!found.ok) return wrapped(`cannot fetch bootstrap required resources for requirement "${name}"`, found);
    answers.set(name, found.value);
  }
  return success(answers);
}

export function selectorOf(reference: Reference): ResourceSelector {
  const {apiVersion, kind, namespace, name, labels} = reference;
  const place = namespace === undefined ? {} : {namespace};
  if (name !== undefined) return {apiVersion, kind, ...place, match: {kind: 'name', name}};
  return {apiVersion, kind, ...place, ...(labels === undefined ? {} : {match: {kind: 'labels', labels}})};
}

export function referenceOf(selector: ResourceSelector): Reference {
  const {apiVersion, kind, namespace, match} = selector;
  const place = namespace === undefined || namespace === '' ? {} : {namespace};
  if (match?.kind === 'name') return {apiVersion, kind, ...place, name: match.name};
  return {apiVersion, kind, ...place, labels: match?.labels ?? {}};
}

function byPlace(left: KubeObject, right: KubeObject): number {
  return placeOf(left) < placeOf(right) ? -1 : 1;
}

function placeOf({metadata}: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
