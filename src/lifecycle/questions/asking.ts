// Chooses the questions to Crossplane before the next call, and those that have to be left out.
//
// Crossplane answers a question about a kind that it does not serve with an error and runs no step to its end
// (crossplane/crossplane 2d040d2da internal/xfn/required_resources.go Fetch: only NotFound is an answer). So one such question
// stops the XR. A `by` that is no longer observed may be of a kind whose definition was deleted. So it is requested only if its
// kind is known to be served: an object of it is observed, which Crossplane has just read; or the kind has a schema, if Crossplane
// answers such questions (v2.2 on; the same, required_schemas.go: a missing kind is an answer). An older one is asked without this
// check, and a person can confirm that the object is gone.
//
// A kind that is not served is no proof that its objects are gone: a version of it may have been switched off, or an API server
// behind the aggregator may be away. So nothing is released for it; a person has to confirm it. The confirmation counts only if the
// object cannot be looked up. Otherwise an editor of the XR could have `of` deleted before its `by`.
//
// A lost resource of a kind that is not served cannot be looked up, so none is found. Crossplane then creates the desired one, as
// without a lookup.
//
// A schema comes whole, and a request that is too large is refused, so only as many are asked for as have room (facts/room.ts). For
// kinds beyond that, no `by` is requested, and no lost resource is looked for that no step desires. Everything else is asked: a
// missing answer would mean that nothing exists, and an exchange would never end or a Usage would be released.
//
// Once an answer was too large for a message all the same, no list is asked for: see below.
//
// Not asked first: ConfigMaps, which are always served.

import {annotatedNames} from '../facts/metadata.ts';
import {memoryName} from '../facts/naming.ts';
import {condition} from '../facts/ready.ts';
import {roomForObjects, roomForSchemas} from '../facts/room.ts';
import type {ResourceSelector} from '../words/edit.ts';
import {sortedMap, text} from '../words/json.ts';
import {type Kind, kindIn} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {byUnserved, lookupOf, type QuestionName, questions, schemaName, type Unserved} from './registry.ts';

export interface Questions {
  readonly requirements: ReadonlyMap<string, ResourceSelector>;
  /** Kinds whose schema is asked for, by requirement name. */
  readonly schemas: ReadonlyMap<string, Kind>;
  /** Those of Crossplane, and those that a person gave. */
  readonly answers: Snapshot['required'];
  /** Names of requirements that are left out: their kind is not served, or the question about it has no room. */
  readonly leftOut: ReadonlyMap<string, 'not-served' | 'no-room'>;
  /** How many are left out because an answer was too large. */
  readonly outgrown: number;
}

/** The requirements of every question, by requirement name. */
export type Asked = {readonly [name in QuestionName]: Iterable<readonly [string, ResourceSelector]>};

/** The questions with an answer about their kind. `kinds`: other kinds to ask about. Any writer of an object may forge its mark. */
export function questionsOf(snapshot: Snapshot, all: Asked, kinds: ReadonlyMap<string, Kind>): Questions {
  const [ofBys, lookups, ofMarks] = [askedOf(all, 'hold'), askedOf(all, 'none'), askedOf(all, 'skip')];
  const gone = annotatedNames(snapshot.xr, 'gone');
  const isAsking = ofBys.size > 0 || lookups.size > 0 || ofMarks.size > 0;
  const observed = isAsking ? kindsOf(snapshot.observed) : new Set<string>();
  const room = Math.max(0, roomForSchemas(snapshot) - kinds.size);
  const ofRules = schemasFor([...ofBys.values(), ...lookups.values()], observed, snapshot, room);
  const ofAll = [...ofRules, ...schemasFor([...ofMarks.values()], observed, snapshot, room)];
  const schemas = new Map(ofAll.slice(0, room));
  const answers = new Map(snapshot.required);
  const asked = askedOf(all, 'ask');
  const leftOut = new Map<string, 'not-served' | 'no-room'>();
  const ask = (name: string, requirement: ResourceSelector, isServed: boolean | undefined, isNamed: boolean) => {
    if (isServed !== true && isNamed && !answers.has(name)) answers.set(name, []);
    else if (isServed === false) leftOut.set(name, 'not-served');
    else asked.set(name, requirement);
  };
  const servedOf = (kind: Kind): boolean | undefined => {
    const schema = schemaName(kind);
    return observed.has(schema) || (schemas.has(schema) ? snapshot.schemas?.get(schema)?.isServed : undefined);
  };
  // The question about its kind comes first.
  const comesLater = (kind: Kind) => schemas.has(schemaName(kind)) && servedOf(kind) === undefined;
  const lacksRoom = (kind: Kind) => snapshot.schemas !== undefined && servedOf(kind) === undefined;
  ofBys.forEach((requirement, name) => {
    if (comesLater(requirement)) return;
    const isNamed = isByGone(name, gone);
    if (lacksRoom(requirement) && !isNamed) leftOut.set(name, 'no-room');
    else ask(name, requirement, servedOf(requirement), isNamed);
  });
  const desired = lookups.size === 0 ? new Set<string>() : kindsOf(snapshot.desired);
  lookups.forEach((requirement, name) => {
    if (comesLater(requirement)) return;
    const isServed = servedOf(requirement);
    const isOfLost = name.startsWith(questions.lost.prefix);
    const isLeftOut = isOfLost && lacksRoom(requirement) && !desired.has(schemaName(requirement));
    if (isServed === false || isLeftOut) answers.set(name, []);
    else ask(name, requirement, isServed, gone.has(name) || (isOfLost && gone.has(lookupOf(requirement))));
  });
  // Of a kind that only a mark names it has to be known that it is served, where that can be known.
  ofMarks.forEach((requirement, name) => {
    const isServed = servedOf(requirement);
    if (isServed === false) answers.set(name, []);
    else if (isServed === true || snapshot.schemas === undefined) ask(name, requirement, isServed, gone.has(name));
  });
  const outgrown = isOutgrown(snapshot.xr) ? beyondRoom(asked, roomForObjects(snapshot)) : [];
  for (const name of outgrown) {
    asked.delete(name);
    leftOut.set(name, 'no-room');
    if (isByGone(name, gone)) answers.set(name, []);
  }
  return {
    requirements: sortedMap([...asked]),
    schemas: sortedMap([...schemas, ...kinds]),
    answers,
    leftOut,
    outgrown: outgrown.length,
  };
}

function askedOf(all: Asked, unserved: Unserved): Map<string, ResourceSelector> {
  return new Map(byUnserved[unserved].flatMap((question) => [...all[question]]));
}

/** Names of lists, and of single objects beyond the first `room` ones. The memory comes first: without it nothing is made. */
function beyondRoom(asked: ReadonlyMap<string, ResourceSelector>, room: number): readonly string[] {
  const isList = (name: string) => asked.get(name)?.match.kind === 'labels';
  const single = [...asked.keys()].filter((name) => !isList(name)).sort();
  const first = single.sort((a, b) => Number(b === memoryName) - Number(a === memoryName)).slice(0, room);
  return [...asked.keys()].filter((name) => !first.includes(name));
}

/** True if a person confirmed that the `by` of a Usage is gone, which this question asks for. */
function isByGone(name: string, gone: ReadonlySet<string>): boolean {
  const {prefix} = questions.by;
  return name.startsWith(prefix) && (gone.has(name) || gone.has(name.slice(prefix.length)));
}

/** True if, once its kind goes, only a person can confirm that the object is gone: no other object of the kind stays. */
export function dependsOnPerson(by: Kind, {schemas, observed}: Snapshot, leaving: ReadonlySet<string>): boolean {
  if (schemas !== undefined) return false;
  const staying = new Map([...observed].filter(([name]) => !leaving.has(name)));
  return !kindsOf(staying).has(schemaName(by));
}

function schemasFor(
  asked: readonly ResourceSelector[],
  observed: ReadonlySet<string>,
  {schemas, desired}: Snapshot,
  room: number,
): ReadonlyMap<string, Kind> {
  if (schemas === undefined) return new Map();
  const kinds = new Map<string, Kind>();
  for (const one of asked) if (!observed.has(schemaName(one))) kinds.set(schemaName(one), kindIn(one));
  if (kinds.size <= room) return sortedMap([...kinds]);
  const wanted = kindsOf(desired);
  return new Map([...sortedMap([...kinds])].sort(([a], [b]) => Number(wanted.has(a)) - Number(wanted.has(b))));
}

function kindsOf(views: ReadonlyMap<string, ResourceView>): ReadonlySet<string> {
  const kinds = new Set<string>();
  let before: Kind | undefined;
  views.forEach(({apiVersion, kind}) => {
    // Of hundreds of resources nearly all have the kind of the one before.
    if (before?.kind === kind && before.apiVersion === apiVersion) return;
    before = {apiVersion, kind};
    kinds.add(schemaName(before));
  });
  return kinds;
}

// Detects that Crossplane's answers made a request larger than a message may be. Others can cause this: anyone who may write
// objects of a requested kind and namespace, with our labels or under a requested name. Crossplane then calls no function with the
// answers, and every reconcile fails at the same question (crossplane/crossplane 2d040d2da internal/xfn/required_resources.go).
//
// But Crossplane calls the function once before it answers, or with the answers to the last reconcile that ended well, which so need
// room beside what it made (facts/room.ts). By then the XR shows how the last reconcile ended. So a question that failed is not asked
// again: lists are left out, and only as many single objects are requested as fit at any size. Decisions
// that need an answer go on waiting; all others go on. Because the next reconcile ends well, our condition keeps the finding until
// the XR's generation changes. Crossplane before v1.17 shows no conditions, so there every other reconcile fails.

/** True if the last reconcile of the XR failed at too large a message, or one since the XR was last edited. */
function isOutgrown(xr: ResourceView): boolean {
  const synced = condition(xr, 'Synced');
  if (synced?.['status'] === 'False' && text(synced['message']).includes('ResourceExhausted')) return true;
  return text(condition(xr, 'Tethered')?.['message']).includes(outgrownWords(xr));
}

/** The words by which the next reconcile knows it again. */
export function outgrownWords(xr: ResourceView): string {
  return `not asked again in generation ${xr.field(['metadata', 'generation']) ?? 0} of the XR`;
}
