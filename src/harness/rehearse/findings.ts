import type {KubeObject} from '../../cluster/object.ts';
import {objectText} from '../record/words.ts';
import type {Rehearsal} from './rehearse.ts';

// What somebody must look at before the step is made on the real control plane, each in one sentence.

export const findingKinds = [
  'destroyed',
  'doubled',
  'left-behind',
  'orphaned',
  'not-ready',
  'stuck',
  'step-failed',
] as const;

type FindingKind = (typeof findingKinds)[number];

export interface Finding {
  readonly kind: FindingKind;
  readonly text: string;
}

export function findingsOf({plan, result}: Pick<Rehearsal, 'plan' | 'result'>): readonly Finding[] {
  return [
    ...result.failures.map(({step, message}): Finding => ({kind: 'step-failed', text: `${step}: ${message}`})),
    ...plan.destroyed.map(({external: {type, id}, managed}): Finding => {
      return {
        kind: 'destroyed',
        text: `${type} ${id} is destroyed${managed === undefined ? '' : `: ${named(managed)}`}`,
      };
    }),
    ...plan.doubled.map(({managed, first, second}): Finding => {
      return {kind: 'doubled', text: `${named(managed)} has ${second.id} while ${first.id} lives on`};
    }),
    ...plan.leftBehind.map(({external: {type, id}, managed}): Finding => {
      const whose = managed === undefined ? '' : `; it was of ${named(managed)}`;
      return {kind: 'left-behind', text: `${type} ${id} lives on and no managed resource leads to it${whose}`};
    }),
    ...plan.orphans.map(({object}): Finding => {
      return {
        kind: 'orphaned',
        text: `${named(object)} lives on: nobody owns it, no XR lists it, nobody will ever delete it`,
      };
    }),
    ...plan.neverReady.map(({object, says}): Finding => {
      return {kind: 'not-ready', text: `${object.kind}/${object.metadata.name} never becomes ready: ${says}`};
    }),
    ...plan.stuck.map((text): Finding => ({kind: 'stuck', text})),
  ];
}

/** `replica (Instance) orders-0123`: both names, for people look for either. */
export function named(object: KubeObject): string {
  const text = objectText(object);
  const {namespace, name} = object.metadata;
  const full = namespace === undefined ? name : `${namespace}/${name}`;
  return text.includes(`/${name}`) ? text : `${text} ${full}`;
}
