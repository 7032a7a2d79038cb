// One lane per object that the story is about, with a moment for every version of it.

import {kindsDefined} from '../../../cluster/defined-kinds.ts';
import {equal, isObject, type Json} from '../../../cluster/json.ts';
import {addressOf, groupOf, isDeleting, type KubeObject} from '../../../cluster/object.ts';
import {labelComposite, resourceNameOf} from '../../../cluster/vocabulary.ts';
import {
  type CloudChange,
  type History,
  type Instant,
  isLoss,
  type Version,
} from '../../control-plane/record/history.ts';
import {actorText} from '../../control-plane/record/words.ts';
import {
  type ExternalSpan,
  groupComposed,
  groupComposites,
  groupPlatform,
  groupUsages,
  type Lane,
  type LaneGroup,
  type Mark,
  type Moment,
} from './lane.ts';
import type {Life, Phase} from './phase.ts';
import type {PlacedEntries, PlacedEntry} from './placed-entries.ts';

const kindXrd = 'CompositeResourceDefinition';
/** Bookkeeping that comes with its owner. */
const hiddenKinds = new Set(['CompositionRevision', 'FunctionRevision', 'Function', 'Event', 'Lease', 'Namespace']);
/** Actors by hand: see the actors of scenario/step-form.ts. */
const people = new Set(['user', 'person', 'editor', 'tenant']);
const platformGroups = new Set(['', 'apiextensions.k8s.io', 'apiextensions.crossplane.io', 'pkg.crossplane.io']);

const phaseTexts: {readonly [phase in Phase]: string} = {
  present: '',
  'not-ready': 'not ready',
  ready: 'ready',
  unowned: 'no owner',
  held: 'held',
  orphaned: 'orphan',
  deleting: 'deleting',
};

export function objectLanes(
  lives: readonly Life[],
  history: History,
  entries: PlacedEntries,
  end: Instant,
): readonly Lane[] {
  const composites = compositeKinds(history);
  const versions = Map.groupBy(history.versions, ({object}) => addressOf(object));
  const before = new Map(history.before.map((object) => [addressOf(object), object]));
  const ordinals = new Map<string, number>();
  return lives.flatMap((life) => {
    const own = versions.get(life.address) ?? [];
    const group = groupFor(life.object, composites, own);
    if (group === undefined) return [];
    const resourceName = resourceNameOf(life.object);
    const {apiVersion, kind, metadata} = life.object;
    return [
      {
        group,
        key: laneKey(life.first, resourceName, ordinals),
        label: resourceName ?? metadata.name,
        detail: kind,
        fullName: `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name} (${apiVersion})`,
        spans: life.spans.map((span) => ({
          look: span.phase,
          from: span.from,
          to: span.to,
          text: phaseTexts[span.phase],
        })),
        moments: momentsOf(own, before.get(life.address), entries, `${kind}/${metadata.name}`),
        external: externalSpans(history.cloud, life.object, end),
      },
    ];
  });
}

function compositeKinds({before, versions}: History): ReadonlySet<string> {
  const definitions = [...before, ...versions.map(({object}) => object)].filter(({kind}) => kind === kindXrd);
  return new Set(definitions.flatMap(kindsDefined));
}

/** Undefined for objects that no group shows. */
function groupFor(object: KubeObject, composites: ReadonlySet<string>, own: readonly Version[]): LaneGroup | undefined {
  const {apiVersion, kind} = object;
  if (hiddenKinds.has(kind)) return undefined;
  if (composites.has(kind)) return groupComposites;
  if (kind === 'Usage' || kind === 'ClusterUsage') return groupUsages;
  if (!platformGroups.has(groupOf(apiVersion))) return groupComposed;
  const isStory = own.some(
    ({actor, type, object: version}) =>
      actor === 'user' || type !== 'MODIFIED' || version.metadata.deletionTimestamp !== undefined,
  );
  return isStory ? groupPlatform : undefined;
}

/** A composed resource is the n-th of its name, so that variants whose object names differ stand in one row. */
function laneKey(object: KubeObject, resourceName: string | undefined, ordinals: Map<string, number>): string {
  if (resourceName === undefined) return addressOf(object);
  const {metadata, apiVersion, kind} = object;
  const composite = metadata.labels?.[labelComposite] ?? '';
  const key = JSON.stringify([apiVersion, kind, metadata.namespace ?? '', composite, resourceName]);
  const ordinal = (ordinals.get(key) ?? 0) + 1;
  ordinals.set(key, ordinal);
  return `${key} ${ordinal}`;
}

function momentsOf(
  versions: readonly Version[],
  first: KubeObject | undefined,
  entries: PlacedEntries,
  name: string,
): readonly Moment[] {
  let before = first;
  let isGone = first === undefined;
  const moments = versions
    .filter((version) => !isLoss(version))
    .map((version): Moment => {
      const own = entries.ofVersion(version.object);
      const moment = momentOf(version, before, isGone, own);
      if (version.type !== 'DELETED') before = version.object;
      isGone = version.type === 'DELETED';
      return moment;
    });
  const spoken = entries.about(name).map(spokenMoment);
  return [...moments, ...spoken].sort((one, other) => one.step - other.step || one.atMs - other.atMs);
}

function momentOf(
  version: Version,
  before: KubeObject | undefined,
  isGone: boolean,
  own: readonly PlacedEntry[],
): Moment {
  const {step, atMs, actor, type, object} = version;
  const texts = own.map(({text}) => text);
  const who = actorText(actor);
  const mark = markOf(version, before, isGone && before !== undefined, own);
  const base = {step, atMs, ...(mark === undefined ? {} : {mark})};
  if (type === 'DELETED') return {...base, texts: texts.length > 0 ? texts : [`${who}: gone`]};
  const change =
    before === undefined ? 'made it' : `changed ${changedFields(before, object).join(', ') || 'nothing that shows'}`;
  const versions = before === undefined ? {after: object} : {before, after: object};
  const restored = isGone && before !== undefined ? ['the same address lived before: compared with what was lost'] : [];
  return {...base, texts: [...(texts.length > 0 ? texts : [`${who} ${change}`]), ...restored], ...versions};
}

function markOf(
  {type, actor, object}: Version,
  before: KubeObject | undefined,
  wasLost: boolean,
  own: readonly PlacedEntry[],
): Mark | undefined {
  const kinds = new Set(own.map(({entry}) => entry.change.kind));
  if (type === 'DELETED') return 'gone';
  if (type === 'ADDED') return wasLost ? 'restored' : 'created';
  if (isDeleting(object) && before !== undefined && !isDeleting(before)) return 'deleting';
  if (kinds.has('adopted')) return 'adopted';
  if (kinds.has('forgotten')) return 'forgot';
  return people.has(actor) ? 'edited' : undefined;
}

function spokenMoment({step, atMs, entry, text}: PlacedEntry): Moment {
  const marks: {readonly [kind: string]: Mark} = {orphaned: 'orphaned', refused: 'refused'};
  return {step, atMs, texts: [text], mark: marks[entry.change.kind] ?? 'warned'};
}

const fieldsMax = 5;

/** `metadata.finalizers`, `spec`, `status`: as deep as helps. */
function changedFields(before: KubeObject, after: KubeObject): readonly string[] {
  const quiet = new Set(['resourceVersion', 'managedFields', 'generation']);
  const keysOf = (one: Json | undefined, other: Json | undefined): readonly string[] =>
    [...new Set([...Object.keys(isObject(one) ? one : {}), ...Object.keys(isObject(other) ? other : {})])].sort();
  const metadata = keysOf(before.metadata, after.metadata).filter(
    (key) => !quiet.has(key) && !equal(before.metadata[key], after.metadata[key]),
  );
  const others = keysOf(before, after).filter((key) => key !== 'metadata' && !equal(before[key], after[key]));
  return [...metadata.map((key) => `metadata.${key}`), ...others].slice(0, fieldsMax);
}

function externalSpans(
  cloud: readonly CloudChange[],
  {kind, metadata}: KubeObject,
  end: Instant,
): readonly ExternalSpan[] {
  const own = cloud.filter(({owner, type}) => owner === metadata.name && type === kind);
  const alive = new Set<string>();
  return own.flatMap(({what, id, step, atMs}) => {
    if (what === 'delete') {
      alive.delete(id);
      return [];
    }
    const isDouble = alive.size > 0;
    alive.add(id);
    const from = {step: Math.max(0, step), atMs: Math.max(0, atMs)};
    const to = own.find((other) => other.what === 'delete' && other.id === id) ?? end;
    return [{from, to, text: `${isDouble ? 'a second one ' : ''}in the cloud as ${id}`, isDouble}];
  });
}
