// Grades each thing of one run: its end, compared with the intent. Reads no other run, and no decision, condition or event of a
// function. Of several grades of one thing only the gravest counts.

import {toBase64} from '../../cluster/bytes.ts';
import {usedOf, usedRef, usingOf, usingRef} from '../../cluster/crossplane/usage-object.ts';
import {at, equal, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import type {Desire} from '../../cluster/kernel/call.ts';
import {addressOf, conditionOf, controllerOf, isTrue, type KubeObject} from '../../cluster/object.ts';
import {
  annotationExternalName,
  annotationResourceName,
  isPaused,
  kindSecret,
  managerComposite,
} from '../../cluster/vocabulary.ts';
import type {ResourceBody} from '../../wire/request-encode.ts';
import {concealedAt} from '../input/conceal/concealed.ts';
import {type Alive, type Ending, type Found, livingAt, type Scene, wantedThroughout, wants, xrsIn} from './ending.ts';
import {addressIn, isUsage, parsed, rulesOf, selects} from './input-words.ts';
import {type Destroyed, isCrossplanes, leavesOf, lists, type Made} from './intent.ts';

/** The gravest first. */
export const grades = [
  /** Its external resource was destroyed though it was wanted throughout. */
  'lost',
  /** Two objects of XRs would each delete its external resource. */
  'shared',
  /** Two external resources were made for it. */
  'doubled',
  /** It lives, and no intent wants it. */
  'leaked',
  /** It is not there, not as it is wanted, not ready, or on its way out, and stays so. */
  'stuck',
  /** A field of another manager has another value, or belongs to Crossplane by now. */
  'overwritten',
  /** A value that the function read is in a place where others may read it. */
  'disclosed',
  /** It never rests, or takes three times the work. */
  'restless',
] as const;
type Grade = (typeof grades)[number];
type Way = 'missing' | 'gone' | 'edit' | 'name' | 'going' | 'denied' | 'kept' | 'external' | 'forgotten' | WayOfXr;
type WayOfXr = 'not-synced' | 'not-ready' | 'too-soon' | 'late';

export interface Verdict {
  readonly grade: Grade;
  /** The graded thing. */
  readonly made: Made;
  /** How it is wrong, if the grade has several ways. */
  readonly how?: Way;
  /** Of what is shared. */
  readonly id?: string;
  /** The field that has not arrived, or that is overwritten. */
  readonly field?: readonly string[];
  /** Only the input asks for it, so a run without the function lacks it. */
  readonly isAsked?: true;
  /** One sentence. */
  readonly text: string;
}

export function verdictText({grade, made: {place}, text}: Verdict): string {
  return `${grade}: ${place === '' ? '' : `${place}: `}${text}`;
}

export function verdictsOf(ending: Ending): readonly Verdict[] {
  const all = [...ending.places.values()].flatMap((made) => [
    ...leakedAt(made, ending),
    ...doubledAt(made, ending),
    ...stuckAt(made, ending),
  ]);
  return [
    ...ending.intent.books.broken.values(),
    ...lost(ending),
    ...shared(ending),
    ...all,
    ...denied(ending),
    ...misworded(ending),
    ...xrsIn(ending).flatMap((xr) => ofXr(xr, ending)),
    ...overwritten(ending),
    ...leaksIn(ending),
  ];
}

function lost(ending: Ending): readonly Verdict[] {
  const {destroyed: all, became} = ending.intent.books;
  const turned = ending.all.flatMap(({made: {key}, object}): readonly Verdict[] => {
    const made = became.get(object.metadata.uid ?? '');
    return made && wants(made, ending) ? [{grade: 'lost', made, text: `its object became "${key}"`}] : [];
  });
  const destroyed = [...all.values()].flatMap((destroyed) => {
    const {external, leaders} = destroyed;
    if (leaders.some(({deletedBy}) => deletedBy === 'disaster')) return [];
    const heirs = heirsOf(destroyed, ending);
    const all = leaders.length > 0 ? leaders.map(({made}) => made) : [external.made];
    const text = `its external resource ${external.id} was destroyed${external.life === 1 ? '' : ` ${external.life} times`}`;
    return [...new Map([...all, ...heirs].map((made) => [made.place, made])).values()]
      .filter((made) => heirs.length > 0 || wantedThroughout(made, destroyed, ending) || wasToStay(destroyed, ending))
      .map((made) => ({grade: 'lost' as const, made, text}));
  });
  return [...turned, ...destroyed];
}

/** Of what Crossplane deleted: the desired resources under other names that lead to the external resource, by a name of their author. */
function heirsOf({external, leaders}: Destroyed, ending: Ending): readonly Made[] {
  const {intent, places} = ending;
  const dropped = leaders.filter(({deletedBy}) => deletedBy === 'crossplane');
  // A rule of its own XR gave it away, so it is the other XR's.
  const isGiven = ({xr, key}: Made) =>
    rulesOf(intent.desireOf(xr)).gives.some(({name, isDry}) => name === key && !isDry);
  const isHeir = (made: Made, wanted = intent.desiredFor(made)) =>
    wanted !== undefined && intent.leadsTo(wanted) === external.id && wants(made, ending) && !isGiven(made);
  const isOther = (heir: Made) => dropped.every(({made}) => made.place !== heir.place);
  return dropped.length === 0 ? [] : [...places.values()].filter((made) => isHeir(made) && isOther(made));
}

/** True if the object that led there was last desired with policies that leave the external resource. */
function wasToStay({leaders}: Destroyed, ending: Ending): boolean {
  const deleted = leaders.filter(({deletedBy}) => deletedBy !== undefined);
  return deleted.length > 0 && deleted.every(({made}) => isLeft(made, ending));
}

/** True if it was last desired with policies that leave the external resource. */
export function isLeft({place}: Made, {intent}: Pick<Ending, 'intent'>): boolean {
  const last = intent.books.desired.get(place);
  const spec = {managementPolicies: ['*'], deletionPolicy: 'Delete', ...last?.spec};
  return last !== undefined && intent.policyOf({...last, spec})?.mayDelete === false;
}

function shared(ending: Ending): readonly Verdict[] {
  const {intent} = ending;
  return [...ending.alive.values()].flat().flatMap(({external, leaders}) => {
    const owners = leaders.filter(({object}) => intent.policyOf(object)?.mayDelete === true);
    const text = `it would delete ${external.id}, which is also of ${[external, ...owners].map(({made}) => made.place).join(' and of ')}`;
    return owners
      .filter(({made}) => made.xr && (owners.length > 1 || (wants(made, ending) && !intent.isHeir(made, external))))
      .map(({made}) => ({grade: 'shared' as const, made, id: external.id, text}));
  });
}

function doubledAt(made: Made, ending: Ending): readonly Verdict[] {
  const all = ending.alive.get(made.place) ?? [];
  const text = `it has ${all.length} external resources: ${idsOf(all)}`;
  return all.length < 2 || !wants(made, ending) ? [] : [{grade: 'doubled', made, text}];
}

function idsOf(all: readonly Alive[]): string {
  return all.map(({external}) => external.id).join(', ');
}

function leakedAt(made: Made, ending: Ending): readonly Verdict[] {
  const living = (ending.found.get(made.place) ?? []).filter(({isGoing}) => !isGoing);
  const externals = ending.alive.get(made.place) ?? [];
  const leaked = (how: 'kept' | 'external', text: string) => ({grade: 'leaked', made, how, text}) as const;
  if (wants(made, ending)) {
    const isLed = externals.length !== 1 || externals[0]?.leaders.length !== 0;
    return isLed ? [] : [leaked('external', `nothing leads to its external resource ${idsOf(externals)}`)];
  }
  // Who deletes an XR and orphans what it owns wants that to live.
  const isOrphaned = ending.intent.books.orphaned.has(made.xr ?? '');
  if (living.length > 0 && isOrphaned && living.every(({object}) => controllerOf(object) === undefined)) return [];
  // Crossplane releases nothing of a paused XR.
  const xr = livingAt(made.xr, ending)?.object;
  if (living.length > 0 && xr !== undefined && isPaused(xr)) return [];
  // A Usage harms what it keeps, and that is graded itself.
  const isInUse =
    isUsage(made) && (ending.found.has(made.xr ?? '') || living.every(({object}) => hasUser(object, ending)));
  const [lost] = isLeft(made, ending) ? [] : externals.filter(({leaders}) => leaders.length === 0);
  if (living.length > 0 && !isInUse) {
    const kept = leaked('kept', 'the object lives, and is not wanted');
    return [
      {...kept, ...(isLookedFor(made, ending) && {isAsked: true})},
      ...(lost ? [leaked('external', `nothing leads to ${lost.external.id}`)] : []),
    ];
  }
  // An external resource that leaves with its object is no leak, even if that takes for ever.
  const leaves = externals.every(({leaders}) => leaders.some(({isGoing}) => isGoing));
  const isToStay = leaves || isLeft(made, ending);
  return isToStay ? [] : [leaked('external', `its external resource is not wanted: ${idsOf(externals)}`)];
}

/** True if the input has lost resources of the kind looked for that no step desires, and its XR waits for nothing. */
function isLookedFor({xr = '', kind, place}: Made, ending: Ending): boolean {
  const {desired} = ending.intent.books;
  if (!desired.has(place) || !rulesOf(ending.intent.desireOf(xr)).looksFor.includes(kind)) return false;
  const isManaged = ({made, object}: Found) => made.xr === xr && ending.intent.policyOf(object) !== undefined;
  const composed = ending.all.filter(isManaged);
  return (
    xrsIn(ending).some((one) => one.made.place === xr && isTrue(one.object, 'Synced')) &&
    composed.every(({object}) => isTrue(object, 'Synced') && isTrue(object, 'Ready'))
  );
}

/** True if its user is there: the Usage goes with that one. */
function hasUser(usage: KubeObject, {intent, found}: Ending): boolean {
  const end = usingOf(usage);
  const user = end && intent.books.byAddress.get(addressIn(usingRef(usage, end)));
  return user !== undefined && found.has(user.place);
}

function stuckAt(made: Made, ending: Ending): readonly Verdict[] {
  const {intent} = ending;
  const {asked, orphaned, taken} = intent.books;
  const found = ending.found.get(made.place) ?? [];
  // An object that was let go with an XR of its name does not show that another one stays.
  const isLetGo = ({object, isGoing}: Found) =>
    !isGoing && orphaned.has(made.xr ?? '') && controllerOf(object) === undefined;
  const kept = found.filter((one) => !isLetGo(one));
  if (kept.length > 0 && kept.every(({isGoing}) => isGoing))
    return [stuckBy('going', made, 'its deletion does not end')];
  const xr = livingAt(made.xr, ending)?.object;
  const wanted = intent.desiredFor(made);
  const isTemplate = intent.isTemplate(made);
  const isWaiting = xr !== undefined && (isPaused(xr) || (isTemplate && !isTrue(xr, 'Synced')));
  if (isWaiting || !wants(made, ending) || (made.xr !== undefined && wanted === undefined)) return [];
  const stuck = (how: Way, text: string, field?: Verdict['field']) => [
    {...stuckBy(how, made, text), ...(field && {field}), ...(isTemplate && {isAsked: true as const})},
  ];
  if (found.length === 0) {
    if (taken.has(made.place)) return stuck('gone', 'it is there no more');
    const isNone = asked.get(made.address) === undefined && made.xr === undefined;
    return isNone || isThereAsAnother(made, wanted, ending) ? [] : stuck('missing', 'it is not there');
  }
  if (taken.has(made.place) && found.every(({object}) => intent.policyOf(object) === undefined))
    return [{grade: 'lost', made, text: 'it was deleted while a step desired it'}];
  if (wanted === undefined) return [];
  const [first, ...others] = found.map(({object}) => differenceOf(object, wanted));
  if (first !== undefined && !others.includes(undefined)) return stuck('edit', first.text, first.field);
  const name = found[0]?.object.metadata.name;
  return found.some(({object}) => isNamed(object, wanted))
    ? []
    : stuck('name', `its new name has not arrived: ${name}`);
}

/** True if it has the name and the namespace that are wanted, if any are. */
function isNamed({metadata}: KubeObject, wanted: KubeObject | undefined): boolean {
  const {name = metadata.name, namespace = metadata.namespace} = wanted?.metadata ?? {};
  return name === metadata.name && namespace === metadata.namespace;
}

/** The deletions that actors were denied since the world last rested. */
function denied({intent: {books, move}}: Ending): readonly Verdict[] {
  return [...books.denied].flatMap(([address, at]) => {
    const made = at === move ? books.byAddress.get(address) : undefined;
    return made === undefined ? [] : [stuckBy('denied', made, 'its deletion was denied')];
  });
}

/** The Usages between two wanted resources, or of one, that no rule about these words so, and that no step before desires. */
function misworded(ending: Ending): readonly Verdict[] {
  const {intent, all: objects} = ending;
  const own = objects.filter(({made}) => made.xr !== undefined && isUsage(made) && !wants(made, ending));
  return own.flatMap(({made, object}): readonly Verdict[] => {
    const {orders, protects} = rulesOf(intent.desireOf(made.xr));
    const user = usingOf(object);
    const ends = [usedRef(object, usedOf(object)), user && usingRef(object, user)].map((ref) => ref && addressIn(ref));
    const [of, by] = ends.map((address) => objects.find((one) => one.made.address === address));
    if (of?.made.key === undefined || !wants(of.made, ending) || (user && !(by && wants(by.made, ending)))) return [];
    const isOf = (selector: Json | undefined, one: Found) =>
      selects(selector, {key: one.made.key ?? '', objects: [one.object]});
    const all = by
      ? orders.filter((order) => order.delete && isOf(order.of, of) && isOf(order.by, by))
      : protects.flatMap(({match, reason}) => (isOf(match ?? {}, of) ? [{reason, replays: false}] : []));
    const isSo = ({reason = at(object.spec, ['reason']), replays = false}: (typeof all)[number]) =>
      equal(reason ?? null, at(object.spec, ['reason']) ?? null) &&
      (at(object.spec, ['replayDeletion']) ?? false) === replays;
    const text = 'its reason or replayDeletion is not that of the input';
    return all.length === 0 || all.some(isSo) ? [] : [{...stuckBy('edit', made, text), isAsked: true}];
  });
}

/** True if another resource name of the XR desires the very object, and has it: no object has two. */
function isThereAsAnother(made: Made, wanted: KubeObject | undefined, ending: Ending): boolean {
  return ending.all.some(({made: other, object}) => {
    const isAnother = other.xr === made.xr && other.kind === made.kind && wants(other, ending);
    return isAnother && wanted?.metadata?.name !== undefined && isNamed(object, wanted);
  });
}

function stuckBy(how: Way, made: Made, text: string): Verdict {
  return {grade: 'stuck', made, how, text};
}

/** Labels, annotations, and all fields beside metadata and status. The API server keeps the `stringData` of a Secret as `data`. */
export function fieldsOf({apiVersion: _, kind, status: ___, metadata, ...body}: KubeObject): JsonObject {
  const {labels = {}, annotations = {}} = metadata ?? {};
  const fields = {...body, metadata: {labels, annotations}} as JsonObject;
  const {stringData, ...rest} = fields;
  if (kind !== 'Secret' || !isObject(stringData)) return fields;
  const encoded = Object.entries(stringData).map(([key, value]) => [
    key,
    Buffer.from(String(value)).toString('base64'),
  ]);
  return {...rest, data: {...(isObject(rest['data']) ? rest['data'] : {}), ...Object.fromEntries(encoded)}};
}

/** True if it is as wanted, but for fields that the API server or another manager adds to items of lists. */
export function covers(found: Json | undefined, wanted: Json | undefined): boolean {
  if (isList(wanted))
    return isList(found) && found.length === wanted.length && wanted.every((item, index) => covers(found[index], item));
  if (!isObject(wanted)) return equal(found ?? null, wanted ?? null);
  return isObject(found) && Object.entries(wanted).every(([key, value]) => covers(found[key], value));
}

/** Of Crossplane, and of function-tether but for those by which a person speaks; an external name is judged by where it leads. */
const marks =
  /^(crossplane\.io\/(composite|claim-name(space)?|composition-resource-name|external-name)|tether\.fn\.crossplane\.io\/(?!confirm-removal$|gone$).*)$/;

export function isPolicy([first, second = '']: readonly string[]): boolean {
  return first === 'spec' && ['deletionPolicy', 'managementPolicies'].includes(second);
}

export function isMark(path: readonly string[]): boolean {
  return path[0] === 'metadata' && marks.test(path[2] ?? '');
}

/** The first field that is not as it is wanted, or that Crossplane wrote and no step desires, but for marks. */
function differenceOf(
  object: KubeObject,
  wanted: KubeObject,
  [has, wants] = [object, wanted].map(fieldsOf),
  by?: string,
) {
  const different = (field: readonly string[], how: string) => ({field, text: `${field.join('.')} ${how}`});
  const missed = leavesOf(wants).find(([path, value]) => {
    const found = at(has, path) ?? null;
    return value !== null && !(isObject(value) ? isObject(found) : covers(found, value));
  });
  if (missed) return different(missed[0], 'has not arrived');
  const added = leavesOf(has).find(([path]) => {
    return !isMark(path) && at(wants, path) === undefined && isCrossplanes(object, path, by);
  });
  return added && different(added[0], 'is there, and no step desires it');
}

/** An XR, and what it is to remember. */
function ofXr({made: xr, object}: Found, ending: Ending): readonly Verdict[] {
  const desire = ending.intent.desireOf(xr.place);
  const said = (type: string) => {
    const {status = 'absent', reason = '', message = reason} = conditionOf(object, type) ?? {};
    return status === 'True' ? undefined : `${type} is ${status}: ${message}`;
  };
  const [unsynced, unready] = ['Synced', 'Ready'].map(said);
  if (unsynced !== undefined || desire === undefined) return [stuckBy('not-synced', xr, unsynced ?? '')];
  const {remembered, named} = rulesOf(desire);
  const memory = memoryOf(object, remembered, ending);
  const nameless = ending.all.flatMap(({made, object: composed, isGoing}): readonly Verdict[] => {
    const isJudged = lists(object, composed) && !isGoing && wants(made, ending);
    if (!isJudged || ending.intent.policyOf(composed) === undefined) return [];
    const name = composed.metadata.annotations?.[annotationExternalName];
    const {key = ''} = made;
    const isHeld = at(memory, [key, 'name']) === name || ending.intent.leadsTo(composed) === undefined;
    const forgotten = remembered['in'] !== undefined && !isHeld && 'its external name is not remembered';
    const rule = named.find(({match}) => selects(match ?? {}, {key, objects: [composed]}));
    const isKnown = isTrue(composed, 'Ready') && at(composed, String(rule?.['path']).split('.'));
    const text = name === undefined && isKnown ? 'its external name is not written' : forgotten;
    return text ? [{...stuckBy('forgotten', made, text), isAsked: true}] : [];
  });
  const late = unready === undefined ? notArrived(xr, object, desire, ending) : stuckBy('not-ready', xr, unready);
  return [...(late === undefined ? [] : [late]), ...nameless, ...unasked(xr, desire, ending)];
}

/** An XR that Crossplane comes back to later than the input has it, and the tenth by which it spreads its polls. */
function unasked(xr: Made, desire: Desire, {intent}: Ending): readonly Verdict[] {
  const afterMs = intent.books.againMs.get(xr.place) ?? 0;
  if (desire.isPolled || desire.input['ttl'] === undefined || afterMs <= 1.1 * rulesOf(desire).ttlMs) return [];
  return [{...stuckBy('late', xr, `Crossplane looks at it again after ${afterMs / 1000} s`), isAsked: true}];
}

/** The external names in the place where the input has them remembered, by resource name. */
function memoryOf(xr: KubeObject, remembered: JsonObject, {all}: Ending): Json | undefined {
  const {in: where, field = 'externalNames', namespace = xr.metadata.namespace ?? null} = remembered;
  if (where === 'Status') return at(xr.status, [String(field)]);
  const maps = all.filter(
    ({object}) => object.kind === 'ConfigMap' && lists(xr, object) && object.metadata.namespace === namespace,
  );
  const [names] = maps.flatMap((one) => at(one.object, ['data', 'names']) ?? []);
  return parsed(String(names));
}

/** A Ready XR lacks it. */
function notArrived(made: Made, object: KubeObject, desire: Desire, ending: Ending): Verdict | undefined {
  const {desired} = desire;
  const {remembered} = rulesOf(desire);
  const own = remembered['in'] === 'Status' ? String(remembered['field'] ?? 'externalNames') : '';
  const {conditions: _, [own]: __, ...status} = object.status ?? {};
  const wanted = {status: desired.composite?.object['status'] ?? {}};
  const text =
    differenceOf(object, object, [{status}, wanted], managerComposite)?.text ??
    unpublished(object, desired.composite, ending);
  if (text !== undefined) return stuckBy('edit', made, text);
  // Another XR may have been made in its place.
  const isIts = (one: Found) => (controllerOf(one.object) ?? object.metadata).uid === object.metadata.uid;
  const unready = unreadyIn(made.place, ending).find(isIts);
  return unready && stuckBy('too-soon', made, `it is Ready, and ${unready.made.place} is not`);
}

/** A connection detail that the Secret of the XR does not hold. */
function unpublished(xr: KubeObject, wanted: ResourceBody | undefined, ending: Ending): string | undefined {
  if (secretOf(xr) === undefined) return undefined;
  const data = detailsOf(xr, ending);
  const details = wanted?.connectionDetails ?? new Map<string, Uint8Array>();
  const missed = details.entries().find(([key, bytes]) => data?.[key] !== toBase64(bytes));
  const added = Object.keys(data ?? {}).find((key) => !details.has(key));
  return missed ? `its connection detail ${missed[0]} has not arrived` : added && `no step publishes ${added}`;
}

/** The data of the Secret that the object names. */
export function detailsOf(object: KubeObject, {found}: Ending): JsonObject | undefined {
  return found.get(secretOf(object) ?? '')?.[0]?.object['data'] as JsonObject | undefined;
}

/** The address of the Secret that the object names. */
export function secretOf({spec, metadata}: KubeObject): string | undefined {
  const {name, namespace = metadata?.namespace ?? 'default'} = (spec?.['writeConnectionSecretToRef'] ?? {}) as {
    name?: string;
    namespace?: string;
  };
  return name === undefined ? undefined : addressOf({...kindSecret, metadata: {name, namespace}});
}

/** The managed resources and XRs that the XR composes and that are desired, and not ready: by the word of a step, else by their condition. */
export function unreadyIn(xr: string, scene: Scene): readonly Found[] {
  const {intent, all} = scene;
  const desire = intent.desireOf(xr);
  const readyOf = (key = '') => desire?.desired.resources.get(key)?.ready;
  const isSaid = (key?: string) =>
    readyOf(key) === 'true' ||
    rulesOf(desire).templates.some(({name, readyWhen}) => name === key && readyWhen !== undefined);
  return all.filter(({made, object}) => {
    if (made.xr !== xr || isSaid(made.key) || !wants(made, scene)) return false;
    if (readyOf(made.key) === 'false') return true;
    const hasReadiness = intent.policyOf(object) !== undefined || intent.isXr(object);
    return hasReadiness && !isTrue(object, 'Ready');
  });
}

/** Fields that an actor other than a controller wrote, of objects that still exist. */
function overwritten({all, intent}: Ending): readonly Verdict[] {
  return [...intent.books.written.values()].flatMap(({uid, path, value}): readonly Verdict[] => {
    const one = all.find(({object}) => object.metadata.uid === uid);
    if (one === undefined || one.isGoing) return [];
    const {made, object} = one;
    const desired = intent.desiredFor(made);
    if (at(desired, path) !== undefined || (path[1] === 'annotations' && path[2] === annotationResourceName)) return [];
    const has = at(object, path);
    const name = path.join('.');
    const shown = (one?: Json) => (one === undefined ? 'absent' : JSON.stringify(concealedAt(name, one)));
    const isTaken = made.xr !== undefined && controllerOf(object) !== undefined && isCrossplanes(object, path);
    if (equal(has ?? null, value) && !isTaken) return [];
    const text = `${name} is ${shown(has)}${isTaken ? ' of Crossplane' : ''}, and another writer had written ${shown(value)}`;
    return [{grade: 'overwritten', made, field: path, text}];
  });
}

/**
 * Values that were read and stand where the earlier steps put none: in the status or the connection details of an XR, or in a composed
 * resource, which may have had another resource name.
 */
function leaksIn(ending: Ending): readonly Verdict[] {
  const desired = [...ending.intent.books.desired];
  const desiredIn = (xr = '') => desired.flatMap(([place, one]) => (place.startsWith(`${xr} > `) ? [one] : []));
  const composed = ending.all.filter(({made}) => made.xr !== undefined);
  const places = [
    ...xrsIn(ending).map(({made, object}) => {
      const {object: wanted, connectionDetails = new Map()} =
        ending.intent.desireOf(made.place)?.desired.composite ?? {};
      const details = Object.fromEntries(connectionDetails.keys().map((key) => [key, '']));
      return {
        made,
        shown: {status: object.status ?? null, details: detailsOf(object, ending) ?? null},
        wanted: [{status: wanted?.['status'] ?? null, details}],
      };
    }),
    ...composed.map(({made, object}) => ({
      made,
      shown: {...fieldsOf(object), name: object.metadata.name},
      wanted: desiredIn(made.xr),
    })),
  ];
  return places.flatMap(({made, shown, wanted}) =>
    leavesOf(shown as JsonObject).flatMap(([path, value]): readonly Verdict[] => {
      const isRead = !wanted.some((one) => at(one, path) !== undefined) && ending.intent.isRead(JSON.stringify(value));
      return isRead ? [{grade: 'disclosed', made, text: `${path.join('.')} gives away what was read`}] : [];
    }),
  );
}
