// Which Composition and which of its revisions an XR uses.
// crossplane/crossplane 2d040d2da internal/controller/apiextensions/composite/api.go.
//
// Selectors write the XR, so each answers it as written. A default that was chosen but not yet written is written with
// the revision that follows from it.

import {at, type JsonObject} from '../../json.ts';
import {choose, type Step} from '../../kernel/call.ts';
import {controllerOf, groupKindOf, type KubeObject} from '../../object.ts';
import {kindComposition, kindDefinition, kindRevision, labelCompositionName} from '../../vocabulary.ts';
import {applyByPatch, getCached, listCached, update} from '../client.ts';
import {failed, type Result, record, success, wrapped} from '../failure.ts';
import type {Profile} from '../profile.ts';
import type {XrFields} from '../xr.ts';

export interface Selecting {
  readonly xrdName: string;
  readonly fields: XrFields;
  readonly profile: Profile;
}

/** Enforced by the XRD, else as it is, else the XRD's default, else any that fits the selector and the kind. */
export function* selectComposition(xr: KubeObject, how: Selecting): Step<Result<KubeObject>> {
  const xrd = yield* getCached({...kindDefinition, name: how.xrdName});
  if (!xrd.ok) return wrapped('cannot get CompositeResourceDefinition', xrd);
  const enforced = yield* selectEnforced(xr, xrd.value, how);
  if (!enforced.ok) return enforced;
  const defaulted = yield* selectDefault(enforced.value, xrd.value, how);
  return yield* selectByLabels(defaulted, how);
}

function* selectEnforced(xr: KubeObject, xrd: KubeObject | undefined, how: Selecting): Step<Result<KubeObject>> {
  const name = at(xrd?.spec, ['enforcedCompositionRef', 'name']);
  if (typeof name !== 'string' || how.fields.compositionName(xr) === name) return success(xr);
  yield* record(xr, 'Normal', 'CompositionSelection', 'Enforced composition has been selected');
  const updated = yield* update(how.fields.with(xr, 'compositionRef', {name}));
  return wrapped('cannot update composite resource', updated);
}

function* selectDefault(xr: KubeObject, xrd: KubeObject | undefined, {fields}: Selecting): Step<KubeObject> {
  if (fields.compositionName(xr) !== undefined || fields.compositionSelector(xr) !== undefined) return xr;
  const name = at(xrd?.spec, ['defaultCompositionRef', 'name']);
  if (typeof name !== 'string') return xr;
  yield* record(xr, 'Normal', 'CompositionSelection', 'Default composition has been selected');
  return fields.with(xr, 'compositionRef', {name});
}

function* selectByLabels(xr: KubeObject, {fields}: Selecting): Step<Result<KubeObject>> {
  if (fields.compositionName(xr) !== undefined) return success(xr);
  const matchLabels = fields.compositionSelector(xr) ?? {};
  const compositions = yield* listCached({...kindComposition, selector: {matchLabels}});
  if (!compositions.ok) return wrapped('cannot list Compositions', compositions);
  const candidates = compositions.value.filter((composition) => isFor(composition, xr));
  const chosen = candidates[yield* choose(candidates.length, 'which Composition an XR selects')];
  if (chosen === undefined) return failed('no compatible Compositions found');
  const updated = yield* update(fields.with(xr, 'compositionRef', {name: chosen.metadata.name}));
  return wrapped('cannot update composite resource', updated);
}

function isFor(composition: KubeObject, {apiVersion, kind}: KubeObject): boolean {
  const ref = at(composition.spec, ['compositeTypeRef']) as JsonObject | undefined;
  return ref?.['apiVersion'] === apiVersion && ref['kind'] === kind;
}

/** The XRD's default revision selector, where the XR has neither selector nor revision. */
export function* selectRevisionSelector(xr: KubeObject, {xrdName, fields}: Selecting): Step<Result<KubeObject>> {
  if (fields.revisionSelector(xr) !== undefined || fields.revisionName(xr) !== undefined) return success(xr);
  const xrd = yield* getCached({...kindDefinition, name: xrdName});
  if (!xrd.ok) return wrapped('cannot get CompositeResourceDefinition', xrd);
  const selector = at(xrd.value?.spec, ['defaultCompositionRevisionSelector']) as JsonObject | undefined;
  if (selector === undefined) return success(xr);
  yield* record(xr, 'Normal', 'CompositionSelection', 'Default revision selector has been selected');
  return success(fields.with(xr, 'compositionRevisionSelector', selector));
}

export interface Selected {
  readonly xr: KubeObject;
  readonly revision: KubeObject;
}

/** The revision in force: the chosen one with policy Manual, else the latest; a new choice is written to the XR. */
export function* fetchRevision(xr: KubeObject, how: Selecting): Step<Result<Selected>> {
  const {fields} = how;
  const current = fields.revisionName(xr);
  if (current !== undefined && fields.updatePolicy(xr) === 'Manual') {
    const revision = yield* getCached({...kindRevision, name: current});
    if (!revision.ok) return wrapped('cannot get CompositionRevision', revision);
    if (revision.value !== undefined) return success({xr, revision: revision.value});
    return failed(`cannot get CompositionRevision: ${groupKindOf(kindRevision)} "${current}" not found`);
  }
  const latest = yield* latestFor(xr, how);
  if (!latest.ok) return latest;
  const {name} = latest.value.metadata;
  if (current === name) return success({xr, revision: latest.value});
  const chosen = fields.with(xr, 'compositionRevisionRef', {name});
  const {selectRevision, reads} = how.profile;
  const written = yield* selectRevision === 'update' ? update(chosen) : applyByPatch(chosen, reads);
  if (!written.ok) return wrapped('cannot update composite resource', written);
  yield* record(xr, 'Normal', 'SelectComposition', `Selected composition revision: ${name}`);
  return success({xr: written.value, revision: latest.value});
}

function* latestFor(xr: KubeObject, {fields}: Selecting): Step<Result<KubeObject>> {
  const name = fields.compositionName(xr) ?? '';
  const composition = yield* getCached({...kindComposition, name});
  if (!composition.ok) return wrapped('cannot get Composition', composition);
  if (composition.value === undefined)
    return failed(`cannot get Composition: ${groupKindOf(kindComposition)} "${name}" not found`);
  const selector = fields.updatePolicy(xr) === 'Automatic' ? fields.revisionSelector(xr) : undefined;
  const matchLabels = {...selector, [labelCompositionName]: name};
  const revisions = yield* listCached({...kindRevision, selector: {matchLabels}});
  if (!revisions.ok) return wrapped('cannot fetch CompositionRevision: cannot list CompositionRevisions', revisions);
  const latest = latestRevision(composition.value, revisions.value);
  return latest === undefined ? failed('no compatible CompositionRevisions found') : success(latest);
}

/** The revision with the highest number among those the Composition controls. */
export function latestRevision(composition: KubeObject, revisions: readonly KubeObject[]): KubeObject | undefined {
  let latest: KubeObject | undefined;
  for (const revision of revisions) {
    if (controllerOf(revision)?.uid !== composition.metadata.uid) continue;
    if (latest === undefined || revisionNumber(revision) > revisionNumber(latest)) latest = revision;
  }
  return latest;
}

export function revisionNumber(revision: KubeObject): number {
  const number = revision.spec?.['revision'];
  return typeof number === 'number' ? number : 0;
}
