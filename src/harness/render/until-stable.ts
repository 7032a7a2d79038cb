// Reconcile after reconcile, each observing the resources of the one before, until one changes nothing. Between two of them
// every composed resource becomes Ready and Synced, as a provider would make it; a resource with conditions of its own keeps
// them. A deleted resource is gone in the next one.

import {XrFields} from '../../cluster/crossplane/xr.ts';
import {equal, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {conditionOf, type KubeObject, withConditions} from '../../cluster/object.ts';
import {labelComposite} from '../../cluster/vocabulary.ts';
import type {Drive} from '../functions/drive.ts';
import {addressOf} from './fake-store.ts';
import {type Rendered, type RenderInput, reconcileOnce} from './reconcile-once.ts';

export interface Round {
  readonly observed: readonly KubeObject[];
  readonly rendered: Rendered;
}

type Stability =
  | {readonly kind: 'stable'}
  /** The same state came back after `period` reconciles. */
  | {readonly kind: 'cycle'; readonly period: number}
  | {readonly kind: 'failed'}
  | {readonly kind: 'out-of-rounds'};

export interface ManyRounds {
  readonly rounds: readonly [Round, ...Round[]];
  readonly ended: Stability;
}

export function* reconcileUntilStable(input: RenderInput, roundsMax: number): Drive<ManyRounds> {
  let next = input;
  const first = {observed: input.observed, rendered: yield* reconcileOnce(input)};
  const rounds: [Round, ...Round[]] = [first];
  for (;;) {
    const last = rounds.at(-1) ?? first;
    if (last.rendered.error !== undefined) return {rounds, ended: {kind: 'failed'}};
    const earlier = rounds.slice(0, -1).findLastIndex((round) => saysTheSame(round.rendered, last.rendered));
    if (earlier >= 0) return {rounds, ended: endOf(rounds.length - 1 - earlier)};
    if (rounds.length >= roundsMax) return {rounds, ended: {kind: 'out-of-rounds'}};
    next = following(next, last.rendered);
    rounds.push({observed: next.observed, rendered: yield* reconcileOnce(next)});
  }
}

function endOf(period: number): Stability {
  return period === 1 ? {kind: 'stable'} : {kind: 'cycle', period};
}

function saysTheSame(left: Rendered, right: Rendered): boolean {
  return equal(comparable(left), comparable(right));
}

function comparable({xr, composed, deleted}: Rendered): Json {
  const byAddress = (objects: readonly KubeObject[]) => Object.fromEntries(objects.map((one) => [addressOf(one), one]));
  return {xr, composed: byAddress(composed), deleted: byAddress(deleted)};
}

function following(input: RenderInput, {xr, composed}: Rendered): RenderInput {
  const before = new Map(input.observed.map((object) => [addressOf(object), object]));
  const observed = composed.map((object) => ready(applied(before.get(addressOf(object)), object)));
  const {status} = xr;
  return {...input, observed, xr: {...configured(input), ...(status === undefined ? {} : {status})}};
}

/** The XR as the reconcile wrote it: with its Composition and the label its composed resources are named after. */
function configured({xr, schema, composition}: RenderInput): KubeObject {
  const labels = {...xr.metadata.labels, [labelComposite]: xr.metadata.labels?.[labelComposite] ?? xr.metadata.name};
  const labelled = {...xr, metadata: {...xr.metadata, labels}};
  return new XrFields(schema).with(labelled, 'compositionRef', {name: composition.metadata.name});
}

/** Maps are merged and lists replaced: about what server-side apply does where one manager writes. */
function applied(before: KubeObject | undefined, body: KubeObject): KubeObject {
  return before === undefined ? body : (laidOver(before, body) as KubeObject);
}

function laidOver(under: JsonObject, over: JsonObject): JsonObject {
  const entries = Object.entries(over).map(([key, value]): [string, Json] => {
    const before = under[key];
    return [key, isObject(value) && !isList(value) && isObject(before) ? laidOver(before, value) : value];
  });
  return {...under, ...Object.fromEntries(entries)};
}

const readyTime = '2024-01-01T00:00:00Z';

function ready(object: KubeObject): KubeObject {
  const missing = [
    {type: 'Ready', status: 'True', reason: 'Available'} as const,
    {type: 'Synced', status: 'True', reason: 'ReconcileSuccess'} as const,
  ].filter(({type}) => conditionOf(object, type) === undefined);
  return missing.length === 0 ? object : withConditions(object, missing, readyTime);
}
