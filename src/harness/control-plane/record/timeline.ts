// The events of a run, in order: one entry for each change of an object, each refusal, each process that starts or stops.
// Repeated attempts of a client are one refusal. The changes are in changes.ts, their words in words.ts.

import type {WatchEvent} from '../../../cluster/api/request.ts';
import type {TraceEntry} from '../../../cluster/kernel/world.ts';
import {controllerOf, isDeleting, type KubeObject, shortName} from '../../../cluster/object.ts';
import {resourceNameOf} from '../../../cluster/vocabulary.ts';
import {concealedSentence} from '../../input/conceal/concealed-text.ts';
import type {DeleteSent} from '../oracle/untouched.ts';
import type {Happening} from '../session.ts';
import {changesOf, refusalOf} from './changes.ts';
import type {Change, Entry} from './words.ts';

export interface TimelineEntry extends Entry {
  readonly atMs: number;
}

/** Kinds whose creations and deletions are left out. */
const silentKinds = new Set(['CompositionRevision', 'FunctionRevision', 'Function', 'CustomResourceDefinition']);

export class Timeline {
  readonly #entries: TimelineEntry[] = [];
  readonly #deletes: DeleteSent[] = [];
  readonly #resourceNames = new Set<string>();
  /** By uid, as the last event showed it. */
  /** By kind and name, then by uid: a reference names no uid. */
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  readonly #refusals = new Set<string>();
  /** Reconciles whose pipeline ran, and those that have just begun. */
  readonly #runs = new Map<string, number>();
  readonly #begun = new Set<string>();
  #reconciles = 0;

  /** Given to a control plane as one of its observers. */
  readonly observe = ({atMs, entry}: Happening): void => {
    if (entry.kind === 'api') this.#serve(atMs, entry);
    if (entry.kind === 'reconcile' && entry.phase === 'start') this.#begin(entry.run);
    // One that ended before its pipeline decided nothing.
    if (entry.kind === 'function' && this.#begun.delete(entry.run))
      this.#runs.set(entry.run, (this.#runs.get(entry.run) ?? 0) + 1);
    if (entry.kind === 'process') this.#turn(atMs, entry);
    if (entry.kind === 'note' && entry.note.type === 'Warning') {
      const {about, reason} = entry.note;
      const message = concealedSentence(entry.note.message);
      const place = about === undefined ? '' : `${about.kind}/${about.name}`;
      if (this.#isNew(`${place} ${reason} ${message}`))
        this.#note(atMs, entry.actor, {kind: 'event', about: place, reason, message});
    }
  };

  /** These objects are there already: what changes about them from now on is noted. */
  know(objects: readonly KubeObject[]): void {
    for (const object of objects) {
      this.#nameOf(object);
      if (!silentKinds.has(object.kind)) this.#named(shortName(object)).set(object.metadata.uid ?? '', object);
    }
  }

  /** A step of the scenario begins. */
  step(atMs: number, name: string): void {
    this.#note(atMs, 'scenario', {kind: 'step', name});
  }

  get entries(): readonly TimelineEntry[] {
    return this.#entries;
  }

  /** Reconciles of XRs so far. */
  get reconciles(): number {
    return this.#reconciles;
  }

  /** Every request to delete one object, in order. */
  get deletes(): readonly DeleteSent[] {
    return this.#deletes;
  }

  /** Names of composed resources seen so far. */
  get resourceNames(): ReadonlySet<string> {
    return this.#resourceNames;
  }

  #note(atMs: number, actor: string, change: Change, run = ''): void {
    const reconcile = this.#runs.get(run);
    this.#entries.push(reconcile === undefined ? {atMs, actor, change} : {atMs, actor, change, reconcile});
  }

  #serve(atMs: number, entry: TraceEntry & {readonly kind: 'api'}): void {
    const {actor, request, run} = entry;
    if (request.verb === 'delete') {
      const {apiVersion, kind, namespace = '', name} = request.ref;
      this.#deletes.push({atMs, actor, apiVersion, kind, namespace, name});
    }
    for (const event of entry.events) this.#see(atMs, actor, run, event);
    const refused = refusalOf(request, entry.response);
    if (refused !== undefined && this.#isNew(`${actor} ${refused.about} ${refused.message}`))
      this.#note(atMs, actor, refused, run);
  }

  #see(atMs: number, actor: string, run: string, {type, object}: WatchEvent): void {
    if (silentKinds.has(object.kind)) return;
    this.#nameOf(object);
    const uid = object.metadata.uid ?? '';
    const named = this.#named(shortName(object));
    const before = named.get(uid);
    if (type === 'DELETED') named.delete(uid);
    else named.set(uid, object);
    for (const change of changesOf(type, before, object)) {
      this.#note(atMs, actor, change, run);
      if (change.kind !== 'forgotten') continue;
      for (const orphan of this.#ownerless(change.names))
        this.#note(atMs, actor, {kind: 'orphaned', object: orphan}, run);
    }
  }

  #begin(run: string): void {
    if (!run.startsWith('composite/')) return;
    this.#reconciles++;
    this.#begun.add(run);
  }

  #turn(atMs: number, {actor, change, message}: TraceEntry & {readonly kind: 'process'}): void {
    if (change === 'started' && actor === 'crossplane') this.#runs.clear();
    const why = message === undefined ? {} : {message: concealedSentence(message)};
    this.#note(atMs, actor, {kind: 'process', process: actor, change, ...why});
  }

  #nameOf(object: KubeObject): void {
    const name = resourceNameOf(object);
    if (name !== undefined) this.#resourceNames.add(name);
  }

  #named(name: string): Map<string, KubeObject> {
    const named = this.#objects.get(name) ?? new Map<string, KubeObject>();
    this.#objects.set(name, named);
    return named;
  }

  #ownerless(names: readonly string[]): readonly KubeObject[] {
    const named = names.flatMap((name) => [...this.#named(name).values()]);
    return named.filter((object) => controllerOf(object) === undefined && !isDeleting(object));
  }

  #isNew(refusal: string): boolean {
    if (this.#refusals.has(refusal)) return false;
    this.#refusals.add(refusal);
    return true;
  }
}
