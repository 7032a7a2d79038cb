// What became of deletes that no controller asked for: a Usage denied them, or a person's object goes, and with it the
// external resource that it leads to; or it goes still when somebody asks for it again.

import type {TraceEntry} from '../../cluster/kernel/world.ts';
import {isDeleting, type KubeObject} from '../../cluster/object.ts';
import {externalNameOf} from '../oracle/externals.ts';
import {actors} from '../scenario/step-form.ts';

type ApiEntry = TraceEntry & {readonly kind: 'api'};

const controllers = ['crossplane', 'kube-controller-manager', 'provider'];

/** Who knows which object is which. */
interface Books {
  readonly placeOf: (object: KubeObject) => string | undefined;
  readonly idOf: (object: KubeObject) => string;
}

export class HandDeletes {
  /** Places of what a Usage keeps, and said so. */
  readonly #denied = new Set<string>();
  /** Places of what somebody asked for while it was being deleted. */
  readonly #askedTooSoon = new Set<string>();
  /** Identifiers of the external resources of what was deleted, by its place. */
  readonly #names = new Map<string, readonly string[]>();

  fork(): HandDeletes {
    const fork = new HandDeletes();
    for (const place of this.#denied) fork.#denied.add(place);
    for (const place of this.#askedTooSoon) fork.#askedTooSoon.add(place);
    for (const [place, names] of this.#names) fork.#names.set(place, names);
    return fork;
  }

  observe(entry: ApiEntry, books: Books): void {
    const {actor, request, response, events} = entry;
    const {placeOf, idOf} = books;
    if (request.verb === 'delete-collection' && actor === 'kube-apiserver') this.#withDefinition(entry, books);
    const isApplied = request.verb === 'patch' && request.type === 'apply' && isActor(actor);
    if (isApplied && response.ok && response.object !== undefined && isDeleting(response.object))
      this.#askedTooSoon.add(placeOf(response.object) ?? '');
    if (request.verb !== 'delete' || controllers.includes(actor)) return;
    const {apiVersion, kind, name, namespace} = request.ref;
    const metadata = namespace === undefined ? {name} : {name, namespace};
    const place = placeOf({apiVersion, kind, metadata});
    if (place === undefined) return;
    if (!response.ok) {
      if (response.message.includes('nousages.')) this.#denied.add(place);
      return;
    }
    // A disaster leaves external resources alone, and a tool takes nothing away that it does not put back.
    if (!isActor(actor)) return;
    for (const {object} of events) this.#add(place, idOf(object));
  }

  /** Who removes a definition has the API server delete all that is of its kind. */
  #withDefinition({events}: ApiEntry, {placeOf, idOf}: Books): void {
    for (const {object} of events) {
      const place = placeOf(object);
      if (place !== undefined) this.#add(place, idOf(object));
    }
  }

  #add(place: string, name: string): void {
    this.#names.set(place, [...this.namesAt(place), name]);
  }

  isDenied(place: string): boolean {
    return this.#denied.has(place);
  }

  wasAskedTooSoon(place: string): boolean {
    return this.#askedTooSoon.has(place);
  }

  namesAt(place: string): readonly string[] {
    return this.#names.get(place) ?? [];
  }
}

function isActor(name: string): boolean {
  return actors.some((one) => one === name);
}

/** The external name that an object's provider goes by: its own name, unless it says another. */
export function leadsToName(object: KubeObject): string {
  return externalNameOf(object) ?? object.metadata.name;
}
