// Findings to look at before the step is made on the real control plane, each in one sentence.

import {keyOf} from '../../cluster/cloud/cloud-ledger.ts';
import type {External} from '../../cluster/cloud/ledger-state.ts';
import {type KubeObject, shortName} from '../../cluster/object.ts';
import type {TimelineEntry} from '../control-plane/record/timeline.ts';
import {objectText} from '../control-plane/record/words.ts';
import {type Consequences, rolesOf} from './consequences.ts';

export const findingKinds = [
  'destroyed',
  'doubled',
  'left-behind',
  'orphaned',
  'lost',
  'not-ready',
  'stuck',
  'step-failed',
] as const;

type FindingKind = (typeof findingKinds)[number];

export interface Finding {
  readonly kind: FindingKind;
  /** The subject, the same in every run of the same steps. */
  readonly about: string;
  readonly text: string;
}

/** The judged part of a run's result. */
export interface Judged {
  readonly plan: Omit<Consequences, 'created' | 'stillUnready'> & {readonly stuck: readonly string[]};
  readonly result: {
    readonly failures: readonly {readonly step: string; readonly message: string}[];
    readonly timeline?: readonly TimelineEntry[];
  };
}

export function findingsOf({plan, result}: Judged): readonly Finding[] {
  return [
    ...result.failures.map(({step, message}): Finding => {
      return {kind: 'step-failed', about: step, text: `${step}: ${message}`};
    }),
    ...plan.destroyed.map(({external, managed}): Finding => {
      const whose = managed === undefined ? '' : `: ${named(managed)}`;
      return {kind: 'destroyed', about: keyOf(external), text: `${idText(external)} is destroyed${whose}`};
    }),
    ...plan.doubled.map(({managed, first, second}): Finding => {
      const text = `${named(managed)} has ${second.id} while ${first.id} lives on`;
      return {kind: 'doubled', about: keyOf(first), text};
    }),
    ...plan.leftBehind.map(({external, managed}): Finding => {
      const whose = managed === undefined ? '' : `; it was of ${named(managed)}`;
      const text = `${idText(external)} lives on and no managed resource leads to it${whose}`;
      return {kind: 'left-behind', about: keyOf(external), text};
    }),
    ...plan.orphans.map(({object, controller}): Finding => {
      const fate =
        controller === undefined
          ? 'no object owns it, no XR lists it, nothing will ever delete it'
          : `${shortName(controller)} lists it no more, and deletes it only with itself`;
      const text = `${named(object)} lives on: ${fate}`;
      return {kind: 'orphaned', about: roleOf(object), text};
    }),
    ...plan.lost.map(({object, xr}): Finding => {
      const text = `${named(object)} is gone, and ${shortName(xr)} is not`;
      return {kind: 'lost', about: roleOf(object), text};
    }),
    ...plan.neverReady.map(({object, isReady, says}): Finding => {
      const fate = isReady ? 'is ready as it was, and cannot be reconciled any more' : 'never becomes ready';
      const text = `${shortName(object)} ${fate}: ${says}`;
      return {kind: 'not-ready', about: roleOf(object), text};
    }),
    ...refusedDefinitions(result.timeline ?? []),
    ...plan.stuck.map((text): Finding => ({kind: 'stuck', about: text.split(' ', 1).join(), text})),
  ];
}

/**
 * Edits of XRDs that never arrive: Crossplane cannot render the CustomResourceDefinition, or the API server refused it, and no later
 * step is about the XRD. Other failures of Crossplane may pass.
 */
function refusedDefinitions(timeline: readonly TimelineEntry[]): readonly Finding[] {
  const last = new Map<string, Finding>();
  for (const {actor, change} of timeline) {
    if (change.kind === 'step') for (const name of last.keys()) if (change.name.includes(name)) last.delete(name);
    if (change.kind !== 'event' && change.kind !== 'refused') continue;
    const {about} = change;
    const [kind, name = ''] = about.split('/');
    const isRefused = change.kind === 'refused' && kind === 'CustomResourceDefinition' && actor === 'crossplane';
    if (!isRefused && !(change.kind === 'event' && change.reason === 'RenderCRD')) continue;
    last.set(name, {kind: 'not-ready', about, text: `${about} does not take effect: ${change.message}`});
  }
  return [...last.values()];
}

function idText({type, id}: Pick<External, 'type' | 'id'>): string {
  return `${type} ${id}`;
}

export function findingText({kind, text}: {readonly kind: string; readonly text: string}): string {
  return `${kind}: ${text}`;
}

/** Names are generated, and what a composed resource is to its XR is not. */
function roleOf(object: KubeObject): string {
  const [own, place] = rolesOf(object);
  return place ?? (own as string);
}

/** `replica (Instance) orders-0123`: both names, for people look for either. */
export function named(object: KubeObject): string {
  const text = objectText(object);
  const {namespace, name} = object.metadata;
  const full = namespace === undefined ? name : `${namespace}/${name}`;
  return text.includes(`/${name}`) ? text : `${text} ${full}`;
}
