// The content of a golden file: the timeline so far, or the objects that exist.

import {groupOf, type KubeObject, type OwnerReference, refOf} from '../../../cluster/object.ts';
import {chaptersOf, timeText} from '../../control-plane/record/condense.ts';
import type {TimelineEntry} from '../../control-plane/record/timeline.ts';
import {concealerOf} from '../../input/conceal/concealed.ts';
import {documentsText} from '../../render/render-output.ts';

/** The steps and what happened in each, times counted from the first. */
export function goldenTimeline(timeline: readonly TimelineEntry[]): string {
  const startMs = timeline[0]?.atMs ?? 0;
  const entries = timeline.map((entry) => ({...entry, atMs: entry.atMs - startMs}));
  const lines = chaptersOf(entries).flatMap(({name, atMs, lines: happened}, index) => [
    `${index + 1}. ${name} (${timeText(atMs)})`,
    ...happened.map((line) => `   ${timeText(line.atMs).padStart(9)}  ${line.text}`),
  ]);
  return `${lines.join('\n')}\n`;
}

/** Definitions, packages and revisions are the stage, not the story. */
const stageGroups = new Set(['apiextensions.k8s.io', 'apiextensions.crossplane.io', 'pkg.crossplane.io']);
const usages = new Set(['Usage', 'ClusterUsage']);

/** The objects as YAML, by kind and name, without what the API server alone knows and without what is secret. */
export function goldenObjects(objects: readonly KubeObject[]): string {
  const kept = objects.filter(({apiVersion, kind}) => !stageGroups.has(groupOf(apiVersion)) || usages.has(kind));
  const {object: concealed} = concealerOf(objects);
  const sorted = kept.map((object) => ({key: keyOf(object), object: withoutServerFields(concealed(object))}));
  sorted.sort((left, right) => (left.key < right.key ? -1 : 1));
  return documentsText(sorted.map(({object}) => object));
}

function keyOf(object: KubeObject): string {
  const {kind, apiVersion, namespace = '', name} = refOf(object);
  return [kind, apiVersion, namespace, name].join(' ');
}

const serverFields = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'selfLink',
]);

function withoutServerFields(object: KubeObject): KubeObject {
  const {ownerReferences, ...rest} = object.metadata;
  const kept = Object.entries(rest).filter(([key]) => !serverFields.has(key));
  const owners = ownerReferences === undefined ? {} : {ownerReferences: ownerReferences.map(withoutUid)};
  return {...object, metadata: {...(Object.fromEntries(kept) as KubeObject['metadata']), ...owners}};
}

function withoutUid(owner: OwnerReference): OwnerReference {
  const {uid: _, ...rest} = owner;
  return rest as OwnerReference;
}
