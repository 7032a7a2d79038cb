// The words of the timeline. Only this file turns what happened into sentences.

import type {KubeObject} from '../../../cluster/object.ts';
import {annotationResourceName} from '../../../cluster/vocabulary.ts';

const actors: {readonly [actor: string]: string} = {
  crossplane: 'Crossplane',
  'kube-controller-manager': 'owner GC',
  velero: 'backup tool',
  user: 'user',
  scenario: '',
};

export function actorText(actor: string): string {
  return actors[actor] ?? actor;
}

/** The composed resource's name where it has one, with its kind: `mysql (SecurityGroupRule)`; else `Kind/name`. */
export function objectText({kind, metadata}: KubeObject): string {
  const resource = metadata.annotations?.[annotationResourceName];
  return resource === undefined ? `${kind}/${metadata.name}` : `${resource} (${kind})`;
}

interface Of {
  readonly object: KubeObject;
}

interface Said {
  readonly about: string;
  readonly message: string;
}

interface ConditionSet extends Of {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message?: string;
}

/** A change of one object as a sentence without its subject, and of several as its beginning: `many` gets `3 objects`. */
const rows = {
  step: {one: ({name}: {readonly name: string}) => name},
  created: {one: ({object}: Of) => `created ${objectText(object)}`, many: (objects: string) => `created ${objects}`},
  gone: {one: ({object}: Of) => `${objectText(object)} is gone`, many: (objects: string) => `${objects} are gone`},
  /** Its XR lists it no longer, and no object controls it. */
  orphaned: {
    one: ({object}: Of) => `${objectText(object)} is an orphan: no object owns it, no XR lists it`,
    many: (objects: string) => `${objects} are orphans`,
  },
  deleting: {
    one: ({object}: Of) => `${objectText(object)} is being deleted`,
    many: (objects: string) => `${objects} are being deleted`,
  },
  /** Got a controller reference where it had none of this uid before. */
  adopted: {
    one: ({object, by}: Of & {readonly by: string}) => `${objectText(object)} adopted by ${by}`,
    many: (objects: string, {by}: {readonly by: string}) => `${objects} adopted by ${by}`,
  },
  /** Lost its controller reference. */
  disowned: {
    one: ({object}: Of) => `${objectText(object)} lost its owner`,
    many: (objects: string) => `${objects} lost their owner`,
  },
  condition: {
    one: ({object, type, status, reason, message}: ConditionSet) =>
      `${objectText(object)} ${type}=${status} ${reason}${message === undefined ? '' : `: ${message}`}`,
    many: (objects: string, {type, status, reason}: ConditionSet) => `${objects} ${type}=${status} ${reason}`,
  },
  /** An XR lists these composed resources no longer, or now. */
  forgotten: {
    one: ({object, names}: Of & {readonly names: readonly string[]}) =>
      `${objectText(object)} no longer lists ${names.join(', ')}`,
  },
  listed: {
    one: ({object, names}: Of & {readonly names: readonly string[]}) =>
      `${objectText(object)} lists ${names.length} composed resource${plural(names)}`,
  },
  named: {
    one: ({object, externalName}: Of & {readonly externalName: string}) =>
      `${objectText(object)} has external name ${externalName}`,
    many: (objects: string) => `${objects} have an external name`,
  },
  refused: {one: ({verb, about, message}: Said & {readonly verb: string}) => `${verb} of ${about} refused: ${message}`},
  process: {
    one: (of: {readonly process: string; readonly change: string; readonly message?: string}) =>
      `${actorText(of.process)} ${of.change}${of.message === undefined ? '' : `: ${of.message}`}`,
  },
  event: {one: ({about, reason, message}: Said & {readonly reason: string}) => `${about}: ${reason}: ${message}`},
  cloud: {
    one: ({what, type, id}: {readonly what: 'create' | 'delete'; readonly type: string; readonly id: string}) =>
      `cloud ${what}d ${type} ${id}`,
  },
};

type Rows = typeof rows;
/** An event of a run, by the kind of its row. */
export type Change = {readonly [K in keyof Rows]: {readonly kind: K} & Parameters<Rows[K]['one']>[0]}[keyof Rows];

interface Row {
  readonly one: (change: never) => string;
  readonly many?: (objects: string, change: never) => string;
}

/** The sentence without its subject: `adopted by Network/payments: mysql (SecurityGroupRule)`. */
export function changeText(change: Change): string {
  const {one}: Row = rows[change.kind];
  return one(change as never);
}

/** The beginning of a sentence about changes of so many objects, undefined if there is none for that kind. */
export function manyText(change: Change, count: number): string | undefined {
  const {many}: Row = rows[change.kind];
  return many?.(`${count} objects`, change as never);
}

export function plural(list: readonly unknown[]): string {
  return list.length === 1 ? '' : 's';
}

export interface Entry {
  /** The actor: `user`, `crossplane`, `kube-controller-manager`, a provider. */
  readonly actor: string;
  readonly change: Change;
  /** Which reconcile of its XR this was: of those that ran the pipeline, since the last start of Crossplane. */
  readonly reconcile?: number;
}

/** The actor; empty if the sentence names it. */
export function subjectText({actor, change}: Entry): string {
  return change.kind === 'process' && change.process === actor ? '' : actorText(actor);
}

/** One entry as a line: who, what, and in which reconcile since Crossplane started. */
export function entryText(entry: Entry): string {
  const who = subjectText(entry);
  const reconcile = entry.reconcile === undefined ? '' : ` (reconcile ${entry.reconcile})`;
  return `${who === '' ? '' : `${who}: `}${changeText(entry.change)}${reconcile}`;
}
