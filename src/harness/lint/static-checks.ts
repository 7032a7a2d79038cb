// Checks of a Composition or a definition as it is written, before anything runs.

import {isNative} from '../../cluster/crossplane/native-mode.ts';
import {type ProfileName, profiles} from '../../cluster/crossplane/profiles.ts';
import {nameWanted} from '../../cluster/defined-kinds.ts';
import {at, isList, isObject, type JsonObject} from '../../cluster/json.ts';
import {pipelineSteps} from '../functions/pipeline-functions.ts';
import type {Found} from '../init/configuration.ts';
import {isOwn, onlySetsReadiness, placeIn} from './composition-steps.ts';
import type {Finding} from './finding.ts';

export function nativeFindings(found: Found, crossplane: ProfileName): readonly Finding[] {
  const {object} = found;
  if (!isNative(object, profiles[crossplane].definitionApi)) return [];
  const {spec} = object;
  const sentence = spec?.['mode'] === 'Pipeline' ? 'spec must have a pipeline' : 'spec.mode must be Pipeline';
  return [
    {
      class: 'native-mode',
      place: placeIn(found, ['spec', 'mode']),
      object: `Composition/${object.metadata.name}`,
      sentence,
    },
  ];
}

/** Of the steps of function-tether: their place in the pipeline, and their input. */
export function stepFindings(found: Found): readonly Finding[] {
  const of = `Composition/${found.object.metadata.name}`;
  return [...orderFindings(found, of), ...policyFindings(found, of)];
}

function orderFindings(found: Found, object: string): readonly Finding[] {
  const steps = pipelineSteps(found.object);
  return steps.flatMap((own, index): readonly Finding[] => {
    const later = isOwn(own) ? steps.slice(index + 1).filter((step) => !onlySetsReadiness(step)) : [];
    if (later.length === 0) return [];
    const again = later.filter(isOwn);
    const sentence =
      again.length > 0
        ? `step ${namesOf(again)} after function-tether replaces its condition Tethered`
        : `${later.length === 1 ? 'step' : 'steps'} ${namesOf(later)} after function-tether can remove what it keeps`;
    return [{class: 'not-last', place: placeIn(found, ['spec', 'pipeline', index]), object, sentence}];
  });
}

function namesOf(steps: readonly JsonObject[]): string {
  return steps.map((step) => `"${String(step['step'])}"`).join(', ');
}

function policyFindings(found: Found, object: string): readonly Finding[] {
  return pipelineSteps(found.object).flatMap((step, index) => {
    const policies = isOwn(step) ? at(step, ['input', 'removal', 'policies']) : undefined;
    return (isList(policies) ? policies : []).flatMap((policy, entry): readonly Finding[] => {
      const match = at(policy, ['match']);
      const name = String(at(policy, ['policy']));
      const keeps = name === 'Retain' || name === 'Confirm';
      if (!keeps || (isObject(match) && Object.keys(match).length > 0)) return [];
      const path = ['spec', 'pipeline', index, 'input', 'removal', 'policies', entry];
      const sentence = `removal.policies[${entry}] with policy ${name} has no match`;
      return [{class: 'keeps-everything', place: placeIn(found, path), object, sentence}];
    });
  });
}

/** A CustomResourceDefinition of another name is refused; the rest of it is generated. */
export function nameFindings(found: Found): readonly Finding[] {
  const {metadata, kind} = found.object;
  const wanted = nameWanted(found.object);
  if (wanted === undefined || metadata.name === wanted) return [];
  const sentence = `metadata.name must be ${wanted}, got ${metadata.name}`;
  const place = placeIn(found, ['metadata', 'name']);
  return [{class: 'refused', place, object: `${kind}/${metadata.name}`, sentence}];
}
