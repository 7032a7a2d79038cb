// The intent of one run, by which it is judged: the maker of each object and external resource, the desire of the earlier steps of each
// XR's pipeline, and the actions of people and tools. Reads no answer of the function, and no label, which a writer of the object can
// forge. Names and uids differ between runs, so each object has a place: of a composed resource its XR's place, its resource name and
// its kind, of any other object its address.

import type {External} from '../../cluster/cloud/ledger-state.ts';
import {conditionsOf} from '../../cluster/crossplane/conditions.ts';
import {at, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import type {Desire, Note, Outcome} from '../../cluster/kernel/call.ts';
import type {TraceEntry, World} from '../../cluster/kernel/world.ts';
import {addressOf, controllerOf, groupKindOf, isDeleting, type KubeObject} from '../../cluster/object.ts';
import {isCreateIncomplete} from '../../cluster/provider/annotations.ts';
import type {ManagedKind} from '../../cluster/provider/managed-kind.ts';
import {idFor} from '../../cluster/provider/name-format.ts';
import {type Policy, policyOf} from '../../cluster/provider/policies.ts';
import {Recent} from '../../cluster/recent.ts';
import {annotationResourceName, managerComposedPrefix} from '../../cluster/vocabulary.ts';
import {externalsIn} from '../control-plane/oracle/externals.ts';
import {objectsIn} from '../explore/evidence.ts';
import {crashMessage} from '../explore/faults.ts';
import {InputError} from '../input/input-error.ts';
import {actors} from '../scenario/step-form.ts';
import {addressIn, desires, isMove, rulesOf, wantedIn} from './input-words.ts';

export interface Made {
  readonly place: string;
  readonly address: string;
  /** `Kind.group`. */
  readonly kind: string;
  /** The place of its XR and its resource name, of what Crossplane composed. */
  readonly xr?: string;
  readonly key?: string;
}

/** The place of what is no object. */
export const nowhere: Made = {place: '', address: '', kind: ''};

/** An external resource, and the object that it was made for. */
export interface MadeExternal {
  readonly id: string;
  readonly made: Made;
  readonly bornMs: number;
  /** True if it was in the cloud before, made for no object. */
  readonly isFound: boolean;
  /** 1, and one more each time that it is made again under the name that an author gave it. */
  readonly life: number;
  /** The addresses of objects of one name, of which it is one's: of the first that leads there. Undefined if that is known. */
  readonly rivals?: readonly string[] | undefined;
}

export interface Destroyed {
  readonly external: MadeExternal;
  readonly move: number;
  /** The endings until then, by place. */
  readonly endedMs: Books['endedMs'];
  /** The objects that led to it at that time. */
  readonly leaders: readonly Leader[];
}

interface Leader {
  readonly made: Made;
  readonly object: KubeObject;
  /** Undefined if it was not deleted. */
  readonly deletedBy: string | undefined;
}

/** The last desire of an XR's earlier steps between two steps of the story. */
export interface Epoch {
  readonly move: number;
  readonly atMs: number;
  readonly desire: Desire;
}

/** A field that an actor other than a controller of the control plane wrote. */
interface Written {
  readonly uid: string;
  readonly made: Made;
  readonly path: readonly string[];
  readonly value: Json;
  /** True if it was applied: the next apply leaves it out or writes it again. */
  readonly isApplied: boolean;
}

/**
 * A harm of one moment: a rule of an input that does not hold, a text that gives away what was read or has no reason, the death of a
 * process. `isAsked` unless it may come without the function, too.
 */
export interface Broken {
  readonly grade: 'lost' | 'shared' | 'doubled' | 'leaked' | 'stuck' | 'overwritten' | 'disclosed' | 'restless';
  readonly made: Made;
  readonly text: string;
  readonly isAsked?: true;
}

export type ApiEntry = TraceEntry & {readonly kind: 'api'};

const newBooks = () => ({
  byUid: new Map<string, Made>(),
  byAddress: new Map<string, Made>(),
  externals: new Map<string, MadeExternal>(),
  /** By id and life. */
  destroyed: new Map<string, Destroyed>(),
  epochs: new Map<string, readonly Epoch[]>(),
  /** The object that was desired last, by place, even if only for one reconcile. */
  desired: new Map<string, KubeObject>(),
  /** By address: true if the last request of an actor was to have it, false if it was to delete it. */
  asked: new Map<string, boolean>(),
  /** By address: the step of the story in which an actor was last denied its deletion. */
  denied: new Map<string, number>(),
  /** The steps of the story in which an actor was denied a deletion. */
  refused: new Map<number, true>(),
  /** The time after which Crossplane asks about an XR anew, by place, as its last reconcile ended. */
  againMs: new Map<string, number>(),
  broken: new Map<string, Broken>(),
  /** External resources whose object is gone since the last look. */
  left: new Map<string, true>(),
  /** External resources of which a disaster, or a restore of etcd, took every object that led there. */
  forgotten: new Map<string, true>(),
  /** Places of XRs that went in the middle of their reconcile, which applied them once more. */
  remade: new Map<string, true>(),
  /** By uid the desired resource whose object became another one of its XR. */
  became: new Map<string, Made>(),
  /** Places of wanted objects that Crossplane deleted. */
  taken: new Map<string, true>(),
  /** The deleter, by uid. If the owner GC deletes an object whose owner a disaster took, the disaster. */
  deletedBy: new Map<string, string>(),
  /** Each XR and composed object as it was before this step of the world, by uid, also once it is gone. */
  seen: new Map<string, KubeObject>(),
  /** Places of XRs that an actor deleted with propagationPolicy Orphan. */
  orphaned: new Map<string, true>(),
  /** The time of the last request to delete it, by place. */
  endedMs: new Map<string, number>(),
  written: new Map<string, Written>(),
  /** Values of Secrets in small letters. A short one, or one with a blank, may stand elsewhere by chance. */
  secrets: new Map<string, true>(),
  /** By controller and XR its last reconcile: the changes of the world until then, quiet if none since the one before; and all events so far. */
  polls: new Map<string, {readonly at: number; readonly isQuiet: boolean; readonly texts: readonly string[]}>(),
  /** By uid and by run: the changes of the world until the object was made, or was first to be deleted, or until the reconcile began. */
  order: new Map<string, number>(),
  /** How often the controller of each kind of XR reconciled, wrote, and had an event too many. */
  work: new Map<string, number>(),
});
export type Books = Readonly<ReturnType<typeof newBooks>>;

/** The text with its runs of base64 decoded, each without its first letters, so many as `from`. */
function decoded(text: string, from = 0): string {
  return text.replace(/[\w+/-]{11,}/g, (run) => Buffer.from(run.slice(from), 'base64').toString());
}

/** Letters for their numbers. */
function lettersOf(text: string, numbers: RegExp, base: number): string {
  return text.replace(numbers, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, base)));
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The text that a run of base32 stands for: each letter has five bits. */
function fromBase32(run: string): string {
  const bits = [...run].map((one) => base32.indexOf(one).toString(2).padStart(5, '0')).join('');
  return lettersOf(bits, /([01]{8})/g, 2);
}

/** The letter 13 letters on. */
function turned(letter: string): string {
  const code = letter.charCodeAt(0);
  return String.fromCharCode(code + ((code & 31) > 13 ? -13 : 13));
}

/**
 * In small letters: the text as it is, without blanks, backwards, by 13 letters on, every second letter, and decoded from base64, also
 * twice, from base32, from hexadecimal digits, and from the numbers of its letters.
 */
function formsOf(text: string): string {
  const known = forms.get(text);
  if (known !== undefined) return known;
  const plain = [0, 1, 2, 3].map((from) => decoded(text, from));
  const all = [
    text,
    text.replace(/\s/g, ''),
    [...text].reverse().join(''),
    text.replace(/[a-z]/gi, turned),
    text.replace(/.(\W)(?:.\1){7,}.?/g, (run) => run.replace(/(.)./g, '$1')),
    ...plain,
    ...plain.map((one) => decoded(one)),
    text.replace(/(?:[\da-f]{2}\W?){8,}/gi, (run) => Buffer.from(run.replace(/\W/g, ''), 'hex').toString()),
    lettersOf(text, /(?:%|\\u00)([\da-f]{2})/gi, 16),
    lettersOf(text, /\W*\b(\d{2,3})\b\W*/g, 10),
    text.replace(/[A-Z2-7]{13,}/g, fromBase32),
  ];
  const made = all.join('\n').toLowerCase();
  forms.set(text, made);
  return made;
}

/** Most texts come again and again. */
const forms = new Recent<string, string>(16 * 1_048_576, ({length}) => 2 * length);

export const ownerGc = 'kube-controller-manager';
export const namespaceController = 'namespace-controller';
/** Client-go passes so many events on an object on at once, and drops others. */
const notesMax = 25;
const silence = {run: '', count: 0, text: ''};
/** The work of an event that has another text while nothing changes. */
const oddWork = 25;
/** Of the work for an XR that an actor wants to go. */
export const keptWork = ' for what is to go';
/** The outcome of a reconcile that ended otherwise. */
const retry: Outcome = {kind: 'retry', reason: ''};
const tools = ['velero', 'gitops', 'kubectl', 'etcd', 'disaster'];
/** A canary as stories plant it in objects. A resource named "canary" is none. */
const canaries = /canary-(data|here|more|note|region|text|value)/;
/** Not fields of an actor: Crossplane, providers and the API server write them themselves. */
const ofMachines =
  /^(resourceRefs|crossplane|ownerReferences|finalizers|managedFields|crossplane\.io\/(?!paused$).*|kubectl\.kubernetes\.io\/.*)$/;

export class Intent {
  readonly #managed: ReadonlyMap<string, ManagedKind>;
  readonly books: Books;
  /** The cloud at the last look, null before the first. */
  cloud: unknown = null;
  /** The step of the story that was taken last. */
  move = 0;
  /** The last step of the story after which the world rested. */
  rested = -1;
  /** Of objects and of the cloud. */
  changes = 0;
  /** Events of the reconcile that spoke last, and their words, which alone give nothing away. */
  notes = silence;
  /** Texts that have no value which was read, with the number of values by then. */
  readonly #clean = new Map<string, number>();

  constructor(managed: readonly ManagedKind[], books: Books = newBooks()) {
    this.#managed = new Map(managed.map((kind) => [groupKindOf(kind), kind]));
    this.books = books;
  }

  /** A copy of the books. Changes of one do not reach the other. */
  fork(): Intent {
    const books = Object.entries(this.books).map(([name, book]) => [name, new Map(book as never)]);
    const fork = new Intent([...this.#managed.values()], Object.fromEntries(books));
    return Object.assign(fork, {...this, books: fork.books});
  }

  /** Etcd was restored: all its objects count as asked for, have their resource names of then, and were not deleted. Later ones are forgotten. */
  wentBack(world: World): void {
    const {deletedBy, externals, forgotten} = this.books;
    const objects = objectsIn(world);
    for (const object of objects) {
      this.#ask(addressOf(object), true);
      deletedBy.delete(object.metadata.uid ?? '');
      this.#place(object);
    }
    const led = new Set(objects.map((object) => this.leadsTo(object)));
    for (const id of externals.keys()) if (!led.has(id)) forgotten.set(id, true);
  }

  observe(entry: TraceEntry, atMs: number): void {
    const {books} = this;
    if (entry.kind === 'desire') this.#desire(entry.desire, atMs);
    else if (entry.kind === 'note') {
      const {count, text} = entry.run === this.notes.run ? this.notes : silence;
      this.notes = {run: entry.run, count: count + 1, text: `${text}\n${entry.note.message}`};
      this.#tell(entry.run, entry.note);
      if (entry.actor === 'crossplane' && this.notes.count > notesMax) this.#work(entry.run);
    } else if (entry.kind === 'reconcile' && entry.phase === 'start' && entry.actor === 'crossplane')
      this.#began(entry.run);
    else if (entry.kind === 'reconcile' && entry.phase === 'end') this.#ended(entry.run, entry.outcome ?? retry);
    else if (entry.kind === 'process' && entry.change === 'died' && entry.message !== crashMessage)
      this.#note('stuck', `${entry.actor}: ${entry.message ?? ''}`, 'a process died');
    if (entry.kind !== 'api') return;
    const {actor, request, events, run} = entry;
    if (events.length > 0) this.changes++;
    if (actor === 'crossplane' && events.length > 0) this.#work(run);
    const isPerson = isActor(actor);
    if (request.verb === 'delete') this.#goes(addressIn(request.ref), entry, atMs);
    // An apply that changes nothing has no event, and still asks for the object.
    const unchanged = events.length === 0 && entry.response.ok ? entry.response.object : undefined;
    if (isPerson && request.verb === 'patch' && request.type === 'apply' && unchanged !== undefined)
      this.#ask(addressOf(unchanged), !isDeleting(unchanged));
    for (const {type, object} of events) {
      const {uid = ''} = object.metadata;
      this.#keep(object);
      if (/^delete/.test(request.verb) && entry.response.ok && !books.deletedBy.has(uid)) {
        const owner = books.deletedBy.get(controllerOf(object)?.uid ?? '');
        books.deletedBy.set(uid, actor === ownerGc && owner === 'disaster' ? owner : actor);
        books.order.set(uid, this.changes);
        if (actor === 'crossplane') this.#take(object);
      }
      if (type === 'DELETED') books.left.set(this.leadsTo(object) ?? '', true);
      if (type === 'ADDED') this.#added(object, entry);
      else if (actor === 'disaster' || (type === 'DELETED' && books.deletedBy.get(uid) === 'disaster'))
        for (const id of this.#idsOf(object)) books.forgotten.set(id, true);
      else if (actor === 'kube-apiserver' && books.deletedBy.get(uid) === actor) this.#end(addressOf(object), atMs);
      else if (actor === 'crossplane' && request.verb !== 'patch' && isDeleting(object) && this.isXr(object))
        this.#end(addressOf(object), atMs);
      if (actor === 'crossplane') {
        for (const condition of conditionsOf(object))
          for (const text of [condition.type, condition.reason, condition.message]) this.#hear(text);
        this.#place(object);
      }
      const made = this.of(object);
      if (isPerson && request.verb === 'delete' && request.propagationPolicy === 'Orphan')
        books.orphaned.set(made?.place ?? '', true);
      // A restore of etcd brings back the former object, even if a new one was made under the name since.
      if (made !== undefined) books.byAddress.set(addressOf(object), made);
      this.#settle(object);
      if (isPerson && request.verb === 'patch' && made !== undefined) {
        if (request.type === 'apply') {
          books.asked.set(addressOf(object), !isDeleting(object));
          for (const [key, one] of books.written) if (one.uid === uid && one.isApplied) books.written.delete(key);
        }
        if (request.subresource === undefined && isObject(request.body))
          this.#write(made, object, request.body, request.type === 'apply');
      }
    }
  }

  #desire(desire: Desire, atMs: number): void {
    const {kind, metadata} = desire.xr;
    if (desire.steps > 1)
      throw new InputError(
        `cannot judge ${kind} ${metadata.name}: ${desire.steps} steps of its pipeline call the compared function, and the input of one step is judged; join their inputs in one step`,
      );
    const {epochs} = this.books;
    const place = this.of(desire.xr)?.place ?? addressOf(desire.xr);
    const before = epochs.get(place) ?? [];
    const kept = before.at(-1)?.move === this.move ? before.slice(0, -1) : before;
    epochs.set(place, [...kept, {move: this.move, atMs, desire}]);
    for (const [key, one] of wantedIn(desire)) this.books.desired.set(madeIn(place, key, groupKindOf(one)).place, one);
  }

  #began(run: string): void {
    this.#work(run);
    this.books.order.set(run, this.changes);
    this.#poll(run);
  }

  #ended(run: string, outcome: Outcome): void {
    const afterMs = outcome.kind === 'retry' ? 0 : Number.POSITIVE_INFINITY;
    const place = this.#reconciled(run)?.place ?? '';
    this.books.againMs.set(place, outcome.kind === 'requeue-after' ? outcome.afterMs : afterMs);
  }

  /** The XR of the reconcile. */
  #reconciled(run: string): Made | undefined {
    const [controller = '', key = ''] = run.split(' ');
    if (!controller.startsWith('composite/')) return undefined;
    const name = key.includes('/') ? ` ${key}` : ` /${key}`;
    return this.books.byAddress
      .values()
      .find(({kind, address}) => address.endsWith(name) && reconciles(controller, kind));
  }

  /** An XR has another name in another run, its controller has not. */
  #work(run: string, count = 1, what = ''): void {
    const {work} = this.books;
    const [controller = ''] = run.split(' ');
    if (!controller.startsWith('composite/')) return;
    const [top = ''] = this.#reconciled(run)?.place.split(' > ') ?? [];
    const key = `${controller}${what}${this.books.asked.get(top) === false ? keptWork : ''}`;
    work.set(key, (work.get(key) ?? 0) + count);
  }

  #take(object: KubeObject): void {
    const made = this.of(object);
    const desire = this.desireOf(made?.xr);
    const xr = this.xrOf(object);
    // Crossplane repeats a deletion that a Usage denied, for the person who deleted the XR.
    if (made === undefined || desire === undefined || (xr !== undefined && isDeleting(xr))) return;
    if (desires(desire, made)) this.books.taken.set(made.place, true);
  }

  /** A refused deletion still shows that the person does not want the object, or the claim of the XR. */
  #goes(address: string, {actor, response}: ApiEntry, atMs: number): void {
    const {denied, epochs, refused} = this.books;
    if (isActor(actor) && response.ok) this.#end(address, atMs);
    if (isActor(actor) && !response.ok) {
      denied.set(address, this.move);
      refused.set(this.move, true);
    }
    if (isActor(actor) || (actor === 'crossplane' && epochs.has(address))) this.#ask(address, false);
  }

  #ask(address: string, isWanted: boolean): void {
    const {asked} = this.books;
    if (asked.has(address)) asked.set(address, isWanted);
  }

  #end(address: string, atMs: number): void {
    const {byAddress, endedMs} = this.books;
    this.#ask(address, false);
    endedMs.set(byAddress.get(address)?.place ?? address, atMs);
  }

  #keep({kind, data}: KubeObject): void {
    if (kind !== 'Secret' || !isObject(data)) return;
    for (const encoded of Object.values(data)) {
      const value = Buffer.from(String(encoded), 'base64').toString().toLowerCase();
      // Of a value of several lines, as of a key, each line is one.
      for (const part of /^\S{8,}$/.test(value) ? [value] : (value.match(/^[\w+/=-]{32,}$/gm) ?? []))
        this.books.secrets.set(part, true);
    }
  }

  /** True if it has most of a value that only readers of an object may see, in whatever form, or both parts. An external name is none. */
  isRead(text: string): boolean {
    const {size} = this.books.secrets;
    if (this.#clean.get(text) === size) return false;
    if (this.#givesAway(text)) return true;
    this.#clean.set(text, size);
    return false;
  }

  #givesAway(text: string): boolean {
    const {secrets, externals} = this.books;
    const all = formsOf(text);
    const isName = (part: string) => externals.keys().some((id) => id.toLowerCase().includes(part));
    const isIn = (part: string) => all.includes(part) && !isName(part);
    const plain = text.toLowerCase();
    const isTold = (value: string) => {
      const most = Math.max(8, value.length - (value.length >> 2));
      const isBegun = value.length > 15 && plain.includes(value.slice(0, 8));
      const cuts = Array.from({length: isBegun ? value.length - 15 : 0}, (_, at) => at + 8);
      const isPart = (part: string) => plain.includes(part) && !isName(part);
      const hasParts = cuts.some((cut) => isPart(value.slice(0, cut)) && isPart(value.slice(cut)));
      return isIn(value.slice(0, most)) || isIn(value.slice(-most)) || hasParts;
    };
    return canaries.test(all) || secrets.keys().some(isTold);
  }

  #hear(text = ''): void {
    if (this.isRead(text)) this.#note('disclosed', text, 'a message has a value that was read');
  }

  #poll(run: string): void {
    const {polls} = this.books;
    const {at, texts} = polls.get(run) ?? {at: -1, texts: []};
    polls.set(run, {at: this.changes, isQuiet: at === this.changes, texts});
  }

  /** The text of a function has its reason in the world, but for one that failed once. */
  #tell(run: string, {reason, message: text = ''}: Note): void {
    for (const one of [reason, text]) this.#hear(one);
    if (this.isRead(text)) this.notes = {...this.notes, text: ''};
    else this.#hear(this.notes.text);
    const poll = this.books.polls.get(run);
    if (poll === undefined || poll.texts.includes(text) || !text.startsWith('Pipeline step ')) return;
    if (poll.isQuiet) this.#work(run, oddWork, ' in words');
    // The events of one reconcile have one cause: one that failed before it, perhaps.
    this.books.polls.set(run, {...poll, isQuiet: false, texts: [...poll.texts, text]});
  }

  #note(grade: Broken['grade'], place: string, sentence: string): void {
    this.books.broken.set(place, {grade, made: {...nowhere, place}, text: `${sentence}: ${place}`});
  }

  #write(made: Made, object: KubeObject, body: JsonObject, isApplied: boolean): void {
    const {uid = ''} = object.metadata;
    const {written} = this.books;
    for (const [path, value] of leavesOf(body)) {
      const key = writtenKey(object, path);
      if (value === null) written.delete(key);
      else if (!isObject(value) && !path.some((part) => ofMachines.test(part))) {
        // Crossplane writes what a step desires again at once.
        if (at(this.desiredFor(made), path) !== undefined) written.delete(key);
        else written.set(key, {uid, made, path, value, isApplied});
      }
    }
  }

  #added(object: KubeObject, {actor, run}: ApiEntry): void {
    const {byUid, byAddress, asked, epochs, forgotten, order, remade} = this.books;
    const {uid = '', annotations} = object.metadata;
    const [address, kind, key] = [addressOf(object), groupKindOf(object), annotations?.[annotationResourceName]];
    const isTool = tools.includes(actor);
    const before = isTool ? byAddress.get(address) : undefined;
    const xr = actor === 'crossplane' ? byUid.get(controllerOf(object)?.uid ?? '')?.place : before?.xr;
    const isComposed = xr !== undefined && key !== undefined;
    const named: Made = isComposed ? madeIn(xr, key, kind, address) : {place: address, address, kind};
    // An object that a tool brings back has the resource name that it had as the backup was taken, if its steps desired that.
    const wasNamed = isComposed && epochs.get(xr)?.some(({desire}) => desires(desire, named)) === true;
    const made = before === undefined || wasNamed ? named : before;
    order.set(uid, this.changes);
    forgotten.delete(this.leadsTo(object) ?? '');
    byUid.set(uid, made);
    byAddress.set(address, made);
    // Crossplane applies an XR, so one that was deleted meanwhile is there again.
    const isXr = actor === 'crossplane' && this.isXr(object);
    const isAlone = made.xr === undefined;
    if (isXr && isAlone && reconciles(run.split(' ')[0] ?? '', kind)) remade.set(made.place, true);
    if (isAlone && (isXr || isActor(actor) || isTool)) asked.set(address, true);
  }

  /** The first of several objects of one name that leads to an external resource is the one that it was made for. */
  #settle(object: KubeObject): void {
    const external = this.books.externals.get(this.leadsTo(object) ?? '');
    const made = external?.rivals?.includes(addressOf(object)) ? this.of(object) : undefined;
    if (external && made) this.books.externals.set(external.id, {...external, made, rivals: undefined});
  }

  /** An XR may give an object another resource name that its steps desire, or take it over from another. */
  #place(object: KubeObject): void {
    const {became, byUid, byAddress, epochs, externals, endedMs} = this.books;
    const {uid = ''} = object.metadata;
    const made = this.of(object);
    const xr = byUid.get(controllerOf(object)?.uid ?? '')?.place;
    const key = object.metadata.annotations?.[annotationResourceName];
    if (made?.xr === undefined || xr === undefined || key === undefined || (made.xr === xr && made.key === key)) return;
    const now = madeIn(xr, key, made.kind, made.address);
    if (epochs.get(xr)?.some(({desire}) => desires(desire, now)) !== true) return;
    byUid.set(uid, now);
    byAddress.set(addressOf(object), now);
    const isNamed = this.desiredFor(now)?.metadata?.name === object.metadata.name;
    const desire = this.desireOf(made.xr);
    if (became.get(uid)?.place === now.place) became.delete(uid);
    else if (made.xr === xr && !isNamed && desire !== undefined && desires(desire, made)) became.set(uid, made);
    const isRuled = this.everRuled(xr).takes.some(({name}) => name === key);
    if (made.xr !== xr && !isRuled && !isNamed) {
      const text = `it was taken over from ${made.xr}, and no rule or name has it so`;
      this.books.broken.set(`${text} ${now.place}`, {grade: 'shared', made: now, text, isAsked: true});
    }
    // Its external resource and its deletion come with it.
    const endedAt = endedMs.get(made.place);
    if (endedAt !== undefined && isDeleting(object)) endedMs.set(now.place, endedAt);
    const external = externals.get(this.leadsTo(object) ?? '');
    if (external?.made.place === made.place) externals.set(external.id, {...external, made: now});
    if (epochs.has(made.place)) this.#follow(made.place, now.place);
  }

  /** The wishes and the composed resources of an XR go with it to its new place. */
  #follow(from: string, to: string): void {
    const {byUid, byAddress, epochs, externals} = this.books;
    const isIn = ({xr}: Made) => `${xr} > `.startsWith(`${from} > `);
    const moved = (made: Made): Made => {
      const [place, xr] = [made.place, made.xr ?? ''].map((one) => to + one.slice(from.length)) as [string, string];
      return {...made, place, xr};
    };
    for (const book of [byUid, byAddress]) for (const [id, made] of book) if (isIn(made)) book.set(id, moved(made));
    for (const [id, one] of externals) if (isIn(one.made)) externals.set(id, {...one, made: moved(one.made)});
    epochs.set(to, [...(epochs.get(from) ?? []), ...(epochs.get(to) ?? [])]);
    epochs.delete(from);
  }

  /** To be called after every step: the external resources that came and went in it, without a request to the API server. */
  look(world: World) {
    const born: MadeExternal[] = [];
    const gone: Destroyed[] = [];
    if (this.cloud === null) for (const object of objectsIn(world)) this.#begin(object);
    if (this.books.left.size > 0) this.#passOn(world);
    if (world.cloud === this.cloud) return {born, gone};
    this.cloud = world.cloud;
    this.changes++;
    const {externals, destroyed, endedMs, deletedBy, forgotten} = this.books;
    const alive = new Map(externalsIn(world).map((one) => [`${one.type}/${one.id}`, one]));
    const isDestroyed = ({id, life}: MadeExternal) => destroyed.has(`${id} ${life}`);
    for (const [id, external] of externals) {
      if (alive.has(id) || isDestroyed(external)) continue;
      const leading = objectsIn(world).filter((one) => this.leadsTo(one) === id);
      const leaders = leading.flatMap((object) => {
        const made = this.of(object);
        return made === undefined ? [] : [{made, object, deletedBy: deletedBy.get(object.metadata.uid ?? '')}];
      });
      const one = {external, move: this.move, endedMs: new Map(endedMs), leaders};
      destroyed.set(`${id} ${external.life}`, one);
      gone.push(one);
    }
    for (const [id, external] of alive) {
      const former = externals.get(id);
      if (former !== undefined && !isDestroyed(former)) continue;
      const isFound = external.owner === undefined;
      const life = (former?.life ?? 0) + 1;
      const one = {id, ...this.#makerOf(external, id, world), bornMs: world.nowMs, isFound, life};
      externals.set(id, one);
      forgotten.delete(id);
      born.push(one);
    }
    return {born, gone};
  }

  /** An object from before the story that has no controller is wanted. */
  #begin(object: KubeObject): void {
    const {byUid, byAddress, asked} = this.books;
    const address = addressOf(object);
    this.#keep(object);
    if (this.of(object) !== undefined || controllerOf(object) !== undefined) return;
    const made = {place: address, address, kind: groupKindOf(object)};
    byUid.set(object.metadata.uid ?? '', made);
    byAddress.set(address, made);
    asked.set(address, true);
  }

  /** An external resource whose own object is gone belongs to the object that still leads there: to one that may delete it, if any. */
  #passOn(world: World): void {
    const {externals, left} = this.books;
    const objects = objectsIn(world);
    const rank = (object: KubeObject) => (this.policyOf(object)?.mayDelete === true ? 0 : 1);
    for (const external of [...left.keys()].flatMap((id) => externals.get(id) ?? [])) {
      const leading = objects
        .filter((one) => this.leadsTo(one) === external.id)
        .toSorted((one, other) => rank(one) - rank(other))
        .flatMap((one) => this.of(one) ?? []);
      const made =
        leading.find(({place}) => place === external.made.place) ?? leading.find((one) => this.isHeir(one, external));
      if (made !== undefined) externals.set(external.id, {...external, made});
    }
    left.clear();
  }

  /**
   * The object that it was made for. Of several objects of one name, the one that leads there, else the one whose provider is about to
   * create, else one that leads nowhere yet.
   */
  #makerOf({type, owner}: External, id: string, world: World): Pick<MadeExternal, 'made' | 'rivals'> {
    const named = objectsIn(world).filter(
      (one) => one.metadata.name === owner && this.#managed.get(groupKindOf(one))?.type === type,
    );
    const leading = named.find((one) => this.leadsTo(one) === id);
    const object =
      leading ??
      named.find(isCreateIncomplete) ??
      named.find((one) => !this.books.externals.has(this.leadsTo(one) ?? '')) ??
      named[0];
    // Its object may have gone while the provider created it.
    const past = this.books.byAddress.values().toArray();
    const isOf = ({kind, address}: Made) => this.#managed.get(kind)?.type === type && address.endsWith(`/${owner}`);
    const made = (object && this.of(object)) ??
      past.findLast(isOf) ?? {place: `external ${type} of nobody`, address: '', kind: type};
    return {made, rivals: leading || named.length < 2 ? undefined : named.map(addressOf)};
  }

  /** The place of the object: its last one, or the one that it was made for. */
  of(object: KubeObject): Made | undefined {
    return this.books.byUid.get(object.metadata.uid ?? '') ?? this.books.byAddress.get(addressOf(object));
  }

  /** True if a disaster took an object of the place. */
  isStruck(place: string): boolean {
    const {byUid, deletedBy} = this.books;
    return byUid.entries().some(([uid, made]) => made.place === place && deletedBy.get(uid) === 'disaster');
  }

  /** True if the object was there as the reconcile began. */
  isKnownTo(run: string, {metadata: {uid = ''}}: KubeObject): boolean {
    const {order} = this.books;
    return (order.get(uid) ?? -1) <= (order.get(run) ?? 0);
  }

  /** True if an object of the place was first to be deleted once the reconcile had begun. */
  wentSince(run: string, place: string): boolean {
    const {order, byUid, deletedBy} = this.books;
    const isLate = (uid: string) => deletedBy.has(uid) && (order.get(uid) ?? 0) > (order.get(run) ?? 0);
    return byUid.entries().some(([uid, made]) => made.place === place && isLate(uid));
  }

  /** The last desire of the XR's earlier steps until that step of the story, and the function's input. */
  desireOf(xr = '', until = Number.POSITIVE_INFINITY): Desire | undefined {
    return this.books.epochs.get(xr)?.findLast(({move}) => move <= until)?.desire;
  }

  /** The object that the earlier steps desire for it now, else the template of the input. */
  desiredFor({xr, key = ''}: Made): KubeObject | undefined {
    const desire = this.desireOf(xr);
    return desire && wantedIn(desire).get(key);
  }

  /** All objects of the kind that its XR ever desired, for it or for what it moves to. */
  everDesiredBeside({xr = '', kind}: Made): readonly KubeObject[] {
    const {desired, epochs} = this.books;
    const last = [...desired].flatMap(([place, one]) => (place.startsWith(`${xr} > `) ? [one] : []));
    const all = [...last, ...(epochs.get(xr) ?? []).flatMap(({desire}) => [...wantedIn(desire).values()])];
    return all.filter((one) => groupKindOf(one) === kind);
  }

  /** True if no step desires it, and a template of the input does. */
  isTemplate(made: Made): boolean {
    const desire = this.desireOf(made.xr);
    return desire !== undefined && desires(desire, made) && !desire.desired.resources.has(made.key ?? '');
  }

  /** True if the external resource was made for it, or if a rule or a name of the author's leads it there. */
  isHeir(made: Made, {id, made: from}: MadeExternal): boolean {
    const [wanted, old] = [this.desiredFor(made), this.books.desired.get(from.place)];
    const {key = ''} = from;
    const source = this.desireOf(from.xr)?.xr;
    const {moves, takes} = this.everRuled(made.xr);
    const isMoved = from.xr === made.xr && old && moves.some((rule) => isMove(rule, {key, object: old}, made));
    const isTaken = takes.some(
      ({name, there, other}) => name === made.key && there === key && source && other === addressOf(source),
    );
    const isNamed = wanted !== undefined && this.leadsTo(wanted) === id;
    return from.place === made.place || isNamed || isMoved === true || isTaken;
  }

  /** The rules that ever moved something within the XR, to it or away: what they began may go on without them. */
  everRuled(xr = '') {
    const all = (this.books.epochs.get(xr) ?? []).map(({desire}) => rulesOf(desire));
    return {
      moves: all.flatMap(({moves}) => moves.filter(({isDry}) => !isDry)),
      gives: all.flatMap(({gives}) => gives.filter(({isDry}) => !isDry)),
      takes: all.flatMap(({takes}) => takes),
    };
  }

  isXr(object: KubeObject): boolean {
    return this.books.epochs.has(this.of(object)?.place ?? '');
  }

  /** The XR that controls the object, as it was seen last. */
  xrOf(object: KubeObject): KubeObject | undefined {
    return this.books.seen.get(controllerOf(object)?.uid ?? '');
  }

  /** The external resource that it leads to, and one that was made for it by a create whose result it does not have. */
  #idsOf(object: KubeObject): readonly string[] {
    const place = isCreateIncomplete(object) ? this.of(object)?.place : undefined;
    const made = [...this.books.externals.values()].filter((one) => one.made.place === place).map(({id}) => id);
    return [this.leadsTo(object) ?? '', ...made];
  }

  /** `type/identifier` of the external resource that the object leads to. */
  leadsTo(object: KubeObject): string | undefined {
    const kind = this.#managed.get(groupKindOf(object));
    const id = kind === undefined ? '' : idFor(kind, {...object, metadata: object.metadata ?? {}});
    return kind === undefined || id === '' ? undefined : `${kind.type}/${id}`;
  }

  policyOf(object: KubeObject): Policy | undefined {
    const kind = this.#managed.get(groupKindOf(object));
    return kind && policyOf(object, kind.legacy, {enabled: true, supported: []});
  }
}

/** True if the XR controls the object, and has it among its references. */
export function lists(xr: KubeObject, object: KubeObject): boolean {
  const refs = xr.spec?.['resourceRefs'] ?? at(xr, ['spec', 'crossplane', 'resourceRefs']);
  const isIts = (ref: Json) =>
    groupKindOf(ref as unknown as KubeObject) === groupKindOf(object) && at(ref, ['name']) === object.metadata.name;
  return controllerOf(object)?.uid === xr.metadata.uid && isList(refs) && refs.some(isIts);
}

/** True if Crossplane owns the field of a composed resource. */
export function isCrossplanes({metadata}: KubeObject, path: readonly string[], by = managerComposedPrefix): boolean {
  const field = path.map((part) => `f:${part}`);
  return (metadata.managedFields ?? []).some(
    ({manager, operation, fieldsV1}) =>
      operation === 'Apply' && manager.startsWith(by) && at(fieldsV1, field) !== undefined,
  );
}

export function writtenKey({metadata}: KubeObject, path: readonly string[]): string {
  return `${metadata.uid ?? ''} ${path.join(' ')}`;
}

/** True for a person or a tool of a story, and for no controller. */
export function isActor(name: string | undefined): boolean {
  return actors.some((one) => one === name);
}

/** A resource of an XR, by its name there. */
export function madeIn(
  xr: string,
  key: string,
  kind: string,
  address = '',
): Made & {readonly xr: string; readonly key: string} {
  return {place: `${xr} > ${key} (${kind})`, address, kind, xr, key};
}

/** True if the controller reconciles the XRs of the kind, `Kind.group`. */
export function reconciles(controller: string, kind: string): boolean {
  const [name = '', ...group] = kind.split('.');
  const [plural = '', ...of] = controller.split('.');
  return plural.startsWith(`composite/${name.toLowerCase()}`) && of.join('.') === group.join('.');
}

/** True if a resource of that name of the XR has the place, under whatever kind. */
export function isPlaceOf(place: string, xr: string, key: string): boolean {
  const prefix = `${xr} > ${key} (`;
  return place.startsWith(prefix) && !place.includes(' > ', prefix.length);
}

/** Every value of the object that is none itself, with the way to it. */
export function leavesOf(
  value: Json | undefined,
  path: readonly string[] = [],
): readonly (readonly [path: readonly string[], value: Json])[] {
  if (value === undefined) return [];
  if (!isObject(value) || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, key]));
}
