// A rehearsal as JSON, for tools: the shape is that of `crossplane-diff xr --output json` (crossplane-contrib/crossplane-diff
// 05f0de6 cmd/diff/renderer/structured_renderer.go StructuredDiffOutput: summary, changes, errors, xrs, warnings), so that what
// reads the one reads the other. Facts that a single render cannot have stand beside it.

import {isObject, type JsonObject} from '../../cluster/json.ts';
import {type KubeObject, refOf} from '../../cluster/object.ts';
import {resourceNameOf} from '../../cluster/vocabulary.ts';
import {entryText} from '../control-plane/record/words.ts';
import {shortPath} from '../explore/path-report.ts';
import {type Concealer, concealerOf} from '../input/conceal/concealed.ts';
import {concealedSentence} from '../input/conceal/concealed-text.ts';
import {withoutValuesOf} from '../input/conceal/secret-values.ts';
import {jsonText} from '../report/visible.ts';
import {changeWords} from './change-words.ts';
import type {OwnedExternal} from './consequences.ts';
import type {FaultSearches} from './fault-search.ts';
import {findingsOf} from './findings.ts';
import type {ComposedChange, XrPlan} from './plan.ts';
import {unrestText} from './plan-text.ts';
import type {Rehearsal} from './rehearse.ts';
import {comparableFields} from './unrest.ts';

/** The version of numbers and names; raised if one of them changes or goes. */
const planVersion = 1;

export function planJson(rehearsal: Rehearsal, faults?: FaultSearches): string {
  const {plan, result, unrest, notes} = rehearsal;
  const findings = findingsOf(rehearsal);
  const concealer = concealerOf([...rehearsal.before.objects, ...result.objects]);
  const changes = plan.xrs.flatMap((one) => one.changes.flatMap((change) => changeJson(change, concealer)));
  const form = {
    version: planVersion,
    source: result.scenario,
    crossplane: result.crossplane,
    atRest: unrest.length === 0,
    unrest: unrest.map(unrestText),
    summary: summaryOf(changes),
    changes,
    errors: result.failures.map(({step, message}) => ({message: `${step}: ${concealedSentence(message)}`})),
    xrs: plan.xrs.map((one) => xrJson(one, concealer)),
    warnings: notes.map((message) => ({message})),
    findings,
    externals: {
      before: rehearsal.before.externals.length,
      after: result.externals.alive,
      destroyed: plan.destroyed.map(externalJson),
      created: plan.created.map(externalJson),
      leftBehind: plan.leftBehind.map(externalJson),
      doubled: plan.doubled.map(({managed, first, second}) => ({
        managed: refOf(managed),
        first: first.id,
        second: second.id,
      })),
    },
    orphans: plan.orphans.map(({object, resourceName}) => ({...refOf(object), resourceName})),
    neverReady: plan.neverReady.map(({object, says}) => ({...refOf(object), says})),
    stillUnready: plan.stillUnready.map(({object, says}) => ({...refOf(object), says})),
    stuck: plan.stuck,
    ...(faults === undefined ? {} : {faults: faultsJson(faults)}),
    timeline: result.timeline.map((entry) => ({
      atMs: Math.round(entry.atMs),
      actor: entry.actor,
      kind: entry.change.kind,
      text: entryText(entry),
    })),
  };
  return jsonText(withoutValuesOf([...rehearsal.before.objects, ...result.objects])(form));
}

function faultsJson({faultless, searches}: FaultSearches) {
  return {
    faultless: faultless ?? null,
    searches: searches.map(({units, states, ends, extent, found}) => ({
      units,
      states,
      ends,
      ended: extent.kind === 'ended',
      ...(extent.kind === 'ended' ? {} : {cutOffBy: extent.reasons}),
      found: found.map(({findings, path}) => ({findings, path: shortPath(path)})),
    })),
  };
}

function xrJson(plan: XrPlan, concealer: Concealer) {
  const changes = plan.changes.flatMap((change) => changeJson(change, concealer));
  const {apiVersion, kind, metadata} = plan.xr;
  const where = metadata.namespace === undefined ? {} : {namespace: metadata.namespace};
  return {
    xr: {apiVersion, kind, name: metadata.name, ...where},
    status: changes.length === 0 ? 'unchanged' : 'changed',
    fate: plan.fate,
    ready: plan.ready,
    summary: summaryOf(changes),
    changes,
    unchanged: plan.unchanged,
  };
}

/** Something that is held and otherwise as it was has no diff: crossplane-diff has no word for that. */
function changeJson(change: ComposedChange, concealer: Concealer): readonly JsonObject[] {
  const {before, after, type = 'held', isOrphan} = change;
  const object = after ?? before;
  if (object === undefined) return [];
  const {verbs, details, atMs} = changeWords(change);
  const resourceName = resourceNameOf(object);
  return [
    {
      type,
      ...refOf(object),
      ...(resourceName === undefined ? {} : {resourceName}),
      verbs,
      details,
      ...(atMs === undefined ? {} : {atMs: Math.round(atMs)}),
      ...(isOrphan ? {orphan: true} : {}),
      diff: diffOf(change, concealer),
    },
  ];
}

function diffOf({type, before, after}: ComposedChange, {value}: Concealer): JsonObject {
  const clean = (object: KubeObject | undefined): JsonObject => {
    const one = object === undefined ? {} : value(comparableFields(object));
    return isObject(one) ? one : {};
  };
  if (type === 'added') return {spec: clean(after)};
  if (type === 'removed') return {spec: clean(before)};
  return type === 'modified' ? {old: clean(before), new: clean(after)} : {};
}

function summaryOf(changes: readonly JsonObject[]) {
  const count = (type: string): number => changes.filter((one) => one['type'] === type).length;
  return {added: count('added'), modified: count('modified'), removed: count('removed')};
}

function externalJson({external: {type, id}, managed}: OwnedExternal) {
  return {type, id, ...(managed === undefined ? {} : {managed: refOf(managed)})};
}
