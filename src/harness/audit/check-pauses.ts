// Pauses without an end. The managed fields of the annotation, or the condition of the object, give their beginning.

import {at, isList} from '../../cluster/json.ts';
import {conditionOf, groupOf, type KubeObject} from '../../cluster/object.ts';
import {managementPoliciesOf} from '../../cluster/provider/policies.ts';
import {annotationPaused, isPaused} from '../../cluster/vocabulary.ts';
import {type Finding, findingOf, type Judged} from './finding.ts';
import type {Inventory} from './inventory.ts';

/** A younger pause may be a person at work. */
const patienceMs = 24 * 3_600_000;

export function checkPauses({objects, managed, xrs, claims, nowMs}: Inventory): Judged {
  const reconciled = new Set([...managed, ...claims, ...xrs.map(({object}) => object)]);
  const findings = objects.flatMap((object): readonly Finding[] => {
    const by = reconciled.has(object) || isCrossplanes(object) ? pausedBy(object) : undefined;
    if (by === undefined) return [];
    const since = sinceOf(object, by);
    const forMs = since === undefined ? undefined : nowMs - since;
    return forMs !== undefined && forMs < patienceMs ? [] : [findingOf(object, {class: 'paused', by, forMs})];
  });
  return {findings, notJudged: []};
}

export function pausedBy(object: KubeObject): 'annotation' | 'policies' | undefined {
  if (isPaused(object)) return 'annotation';
  return managementPoliciesOf(object)?.length === 0 ? 'policies' : undefined;
}

function sinceOf(object: KubeObject, by: 'annotation' | 'policies'): number | undefined {
  const path =
    by === 'annotation' ? ['f:metadata', 'f:annotations', `f:${annotationPaused}`] : ['f:spec', 'f:managementPolicies'];
  const {managedFields} = object.metadata;
  const writes = (isList(managedFields) ? managedFields : []).filter(({fieldsV1}) => at(fieldsV1, path) !== undefined);
  const condition = conditionOf(object, 'Synced');
  const moments = [
    ...writes.map(({time}) => time),
    condition?.reason === 'ReconcilePaused' ? condition.lastTransitionTime : undefined,
  ].map((text) => Date.parse(text ?? ''));
  return moments.filter((ms) => !Number.isNaN(ms)).toSorted((left, right) => left - right)[0];
}

function isCrossplanes({apiVersion}: KubeObject): boolean {
  return /(^|\.)crossplane\.io$/.test(groupOf(apiVersion));
}
