// The words of the timeline. Only this file turns what happened into sentences.

import type {KubeObject} from '../../../cluster/object.ts';
import {annotationResourceName} from '../../../cluster/vocabulary.ts';
import type {Change} from './changes.ts';
import type {TimelineEntry} from './timeline.ts';

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

/** The sentence without its subject: `adopted by Network/payments: mysql (SecurityGroupRule)`. */
export function changeText(change: Change): string {
  switch (change.kind) {
    case 'step':
      return change.name;
    case 'created':
      return `created ${objectText(change.object)}`;
    case 'gone':
      return `${objectText(change.object)} is gone`;
    case 'orphaned':
      return `${objectText(change.object)} is an orphan: no object owns it, no XR lists it`;
    case 'deleting':
      return `${objectText(change.object)} is being deleted`;
    case 'adopted':
      return `${objectText(change.object)} adopted by ${change.by}`;
    case 'disowned':
      return `${objectText(change.object)} lost its owner`;
    case 'condition': {
      const message = change.message === undefined ? '' : `: ${change.message}`;
      return `${objectText(change.object)} ${change.type}=${change.status} ${change.reason}${message}`;
    }
    case 'forgotten':
      return `${objectText(change.object)} no longer lists ${change.names.join(', ')}`;
    case 'listed':
      return `${objectText(change.object)} lists ${change.names.length} composed resource${plural(change.names)}`;
    case 'named':
      return `${objectText(change.object)} has external name ${change.externalName}`;
    case 'refused':
      return `${change.verb} of ${change.about} refused: ${change.message}`;
    case 'process':
      return `${actorText(change.process)} ${change.change}${change.message === undefined ? '' : `: ${change.message}`}`;
    case 'event':
      return `${change.about}: ${change.reason}: ${change.message}`;
    case 'cloud':
      return change.what === 'create'
        ? `cloud created ${change.type} ${change.id}`
        : `cloud deleted ${change.type} ${change.id}`;
  }
}

export function plural(list: readonly unknown[]): string {
  return list.length === 1 ? '' : 's';
}

/** The actor; empty if the sentence names it. */
export function subjectText({actor, change}: TimelineEntry): string {
  return change.kind === 'process' && change.process === actor ? '' : actorText(actor);
}

/** One entry as a line: who, what, and in which reconcile since Crossplane started. */
export function entryText(entry: TimelineEntry): string {
  const who = subjectText(entry);
  const reconcile = entry.reconcile === undefined ? '' : ` (reconcile ${entry.reconcile})`;
  return `${who === '' ? '' : `${who}: `}${changeText(entry.change)}${reconcile}`;
}
