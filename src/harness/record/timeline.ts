// What happened, as an operator would tell it: objects that come, become ready, are adopted, are marked for deletion and
// go; deletes that were refused; XRs that forget a resource; processes that start and stop. One entry per change; writes
// that change nothing worth telling leave none. Words are in words.ts.

import type {ApiRequest, ApiResponse, WatchEvent} from '../../cluster/api/request.ts';
import {annotationExternalName, annotationResourceName} from '../../cluster/crossplane/vocabulary.ts';
import type {TraceEntry} from '../../cluster/kernel/world.ts';
import {conditionOf, controllerOf, isDeleting, type KubeObject} from '../../cluster/object.ts';
import type {Happening} from '../control-plane/session.ts';
import type {DeleteSent} from '../oracle/untouched.ts';

export type Change =
  | {readonly kind: 'step'; readonly name: string}
  | {readonly kind: 'created' | 'gone' | 'deleting'; readonly object: KubeObject}
  /** Its XR lists it no longer, and nobody controls it. */
  | {readonly kind: 'orphaned'; readonly object: KubeObject}
  /** Got a controller reference where it had none of this uid before. */
  | {readonly kind: 'adopted'; readonly object: KubeObject; readonly by: string}
  /** Lost its controller reference. */
  | {readonly kind: 'disowned'; readonly object: KubeObject}
  | {
      readonly kind: 'condition';
      readonly object: KubeObject;
      readonly type: string;
      readonly status: string;
      readonly reason: string;
      readonly message?: string;
    }
  /** An XR lists these composed resources no longer, or now. */
  | {readonly kind: 'forgotten' | 'listed'; readonly object: KubeObject; readonly names: readonly string[]}
  | {readonly kind: 'named'; readonly object: KubeObject; readonly externalName: string}
  | {readonly kind: 'refused'; readonly about: string; readonly verb: string; readonly message: string}
  | {readonly kind: 'process'; readonly process: string; readonly change: string; readonly message?: string}
  | {readonly kind: 'event'; readonly about: string; readonly reason: string; readonly message: string}
  | {readonly kind: 'cloud'; readonly what: 'create' | 'delete'; readonly type: string; readonly id: string};

export interface TimelineEntry {
  readonly atMs: number;
  /** Who did it: `user`, `crossplane`, `kube-controller-manager`, a provider. */
  readonly actor: string;
  readonly change: Change;
  /** Which reconcile of its XR this was: of those that ran the pipeline, since the last start of Crossplane. */
  readonly reconcile?: number;
}

export interface Recorder {
  readonly observe: (happening: Happening) => void;
  /** These objects are there already: what changes about them from now on is told. */
  readonly know: (objects: readonly KubeObject[]) => void;
  /** A step of the scenario begins. */
  readonly step: (atMs: number, name: string) => void;
  readonly entries: () => readonly TimelineEntry[];
  /** Reconciles of XRs so far. */
  readonly reconciles: () => number;
  /** Every request to delete one object, in order. */
  readonly deletes: () => readonly DeleteSent[];
  /** Names of composed resources seen so far. */
  readonly resourceNames: () => ReadonlySet<string>;
}

/** Kinds whose coming and going is nobody's story. */
const silentKinds = new Set(['CompositionRevision', 'FunctionRevision', 'Function', 'CustomResourceDefinition']);
const shownConditions = ['Ready', 'Synced', 'Responsive', 'Tethered'];

export function recordTimeline(): Recorder {
  const entries: TimelineEntry[] = [];
  const last = new Map<string, KubeObject>();
  const refusals = new Set<string>();
  const counts = new Map<string, number>();
  const fresh = new Set<string>();
  const resourceNames = new Set<string>();
  const deletes: DeleteSent[] = [];
  let reconciles = 0;

  const note = (atMs: number, actor: string, change: Change, run = ''): void => {
    const reconcile = counts.get(run);
    entries.push(reconcile === undefined ? {atMs, actor, change} : {atMs, actor, change, reconcile});
  };

  const see = (atMs: number, actor: string, run: string, {type, object}: WatchEvent): void => {
    if (silentKinds.has(object.kind)) return;
    const resourceName = object.metadata.annotations?.[annotationResourceName];
    if (resourceName !== undefined) resourceNames.add(resourceName);
    const id = object.metadata.uid ?? '';
    const before = last.get(id);
    if (type === 'DELETED') last.delete(id);
    else last.set(id, object);
    for (const change of changesOf(type, before, object)) {
      note(atMs, actor, change, run);
      if (change.kind !== 'forgotten') continue;
      for (const orphan of ownerless(change.names, last)) note(atMs, actor, {kind: 'orphaned', object: orphan}, run);
    }
  };

  const serve = (atMs: number, entry: TraceEntry & {readonly kind: 'api'}): void => {
    if (entry.request.verb === 'delete') {
      const {kind, name} = entry.request.ref;
      deletes.push({atMs, actor: entry.actor, kind, name});
    }
    for (const event of entry.events) see(atMs, entry.actor, entry.run, event);
    const refused = refusalOf(entry.request, entry.response);
    if (refused === undefined) return;
    // A client that tries again and again is one refusal.
    const key = `${entry.actor} ${refused.about} ${refused.message}`;
    if (refusals.has(key)) return;
    refusals.add(key);
    note(atMs, entry.actor, refused, entry.run);
  };

  return {
    know: (objects) => keep(objects, last, resourceNames),
    step: (atMs, name) => note(atMs, 'scenario', {kind: 'step', name}),
    entries: () => entries,
    reconciles: () => reconciles,
    deletes: () => deletes,
    resourceNames: () => resourceNames,
    observe: ({atMs, entry}) => {
      if (entry.kind === 'api') serve(atMs, entry);
      if (entry.kind === 'reconcile' && entry.phase === 'start' && entry.run.startsWith('composite/')) {
        reconciles++;
        fresh.add(entry.run);
      }
      // One that ended before its pipeline decided nothing.
      if (entry.kind === 'function' && fresh.delete(entry.run)) counts.set(entry.run, (counts.get(entry.run) ?? 0) + 1);
      if (entry.kind === 'process') {
        if (entry.change === 'started' && entry.actor === 'crossplane') counts.clear();
        const message = entry.message === undefined ? {} : {message: entry.message};
        note(atMs, entry.actor, {kind: 'process', process: entry.actor, change: entry.change, ...message});
      }
      if (entry.kind === 'note' && entry.note.type === 'Warning') {
        const about = entry.note.about === undefined ? '' : `${entry.note.about.kind}/${entry.note.about.name}`;
        const {reason, message} = entry.note;
        const key = `${about} ${reason} ${message}`;
        if (refusals.has(key)) return;
        refusals.add(key);
        note(atMs, entry.actor, {kind: 'event', about, reason, message});
      }
    },
  };
}

function keep(objects: readonly KubeObject[], last: Map<string, KubeObject>, resourceNames: Set<string>): void {
  for (const object of objects) {
    const resourceName = object.metadata.annotations?.[annotationResourceName];
    if (resourceName !== undefined) resourceNames.add(resourceName);
    if (!silentKinds.has(object.kind)) last.set(object.metadata.uid ?? '', object);
  }
}

function ownerless(names: readonly string[], objects: ReadonlyMap<string, KubeObject>): readonly KubeObject[] {
  return [...objects.values()].filter(
    (object) =>
      names.includes(`${object.kind}/${object.metadata.name}`) &&
      controllerOf(object) === undefined &&
      !isDeleting(object),
  );
}

function changesOf(type: WatchEvent['type'], before: KubeObject | undefined, object: KubeObject): readonly Change[] {
  if (type === 'DELETED') return [{kind: 'gone', object}];
  const changes: Change[] = before === undefined && type === 'ADDED' ? [{kind: 'created', object}] : [];
  if (isDeleting(object) && (before === undefined || !isDeleting(before))) changes.push({kind: 'deleting', object});
  if (before === undefined) return changes;
  return [
    ...changes,
    ...ownership(before, object),
    ...conditions(before, object),
    ...references(before, object),
    ...names(before, object),
  ];
}

function ownership(before: KubeObject, object: KubeObject): readonly Change[] {
  const old = controllerOf(before);
  const owner = controllerOf(object);
  if (owner !== undefined && owner.uid !== old?.uid)
    return [{kind: 'adopted', object, by: `${owner.kind}/${owner.name}`}];
  return owner === undefined && old !== undefined ? [{kind: 'disowned', object}] : [];
}

function conditions(before: KubeObject, object: KubeObject): readonly Change[] {
  return shownConditions.flatMap((type): readonly Change[] => {
    const was = conditionOf(before, type);
    const is = conditionOf(object, type);
    if (is === undefined || (was?.status === is.status && was.reason === is.reason)) return [];
    const message = is.message === undefined || is.message === '' ? {} : {message: is.message};
    return [{kind: 'condition', object, type, status: is.status, reason: is.reason, ...message}];
  });
}

function references(before: KubeObject, object: KubeObject): readonly Change[] {
  const was = resourceRefsOf(before);
  const is = resourceRefsOf(object);
  const lost = was.filter((name) => !is.includes(name));
  const won = is.filter((name) => !was.includes(name));
  return [
    ...(lost.length === 0 ? [] : [{kind: 'forgotten', object, names: lost} as const]),
    ...(won.length === 0 ? [] : [{kind: 'listed', object, names: won} as const]),
  ];
}

/** `Kind/name` of everything an XR lists, legacy or current. */
function resourceRefsOf(xr: KubeObject): readonly string[] {
  const current = xr.spec?.['crossplane'] as {readonly resourceRefs?: unknown} | undefined;
  const list = current?.resourceRefs ?? xr.spec?.['resourceRefs'];
  return Array.isArray(list) ? list.map((ref: {kind?: string; name?: string}) => `${ref.kind}/${ref.name}`) : [];
}

function names(before: KubeObject, object: KubeObject): readonly Change[] {
  const was = before.metadata.annotations?.[annotationExternalName];
  const is = object.metadata.annotations?.[annotationExternalName];
  return is === undefined || is === was ? [] : [{kind: 'named', object, externalName: is}];
}

/** Refusals people ask about: denied deletes, invalid objects. Conflicts of two writers are everyday and left out. */
function refusalOf(request: ApiRequest, response: ApiResponse): (Change & {readonly kind: 'refused'}) | undefined {
  if (response.ok || response.code === 404 || request.verb === 'get' || request.verb === 'list') return undefined;
  if (response.code === 409 && (response.reason === 'Conflict' || response.reason === 'AlreadyExists'))
    return undefined;
  if (response.code === 415) return undefined;
  const about =
    'ref' in request
      ? `${request.ref.kind}/${request.ref.name}`
      : 'object' in request
        ? `${request.object.kind}/${request.object.metadata.name}`
        : request.kind;
  return {kind: 'refused', about, verb: request.verb, message: response.message};
}
