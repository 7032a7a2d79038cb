// The harms that are permitted, in one table: those that the input asks for, and those that docs/background/never-worse.md lists. A row
// counts only if the world shows its fact at rest. Reads no decision, condition or event of the function.

import {at, type Json, type JsonObject} from '../../cluster/json.ts';
import type {Desire} from '../../cluster/kernel/call.ts';
import {
  addressOf,
  conditionOf,
  controllerOf,
  groupKindOf,
  type KubeObject,
  type ResourceRef,
} from '../../cluster/object.ts';
import {isCreateIncomplete} from '../../cluster/provider/annotations.ts';
import {annotationDeletionAttempt, kindSecret} from '../../cluster/vocabulary.ts';
import {leadsTo} from '../control-plane/oracle/externals.ts';
import {actors} from '../scenario/step-form.ts';
import {annotationConfirmRemoval} from '../worlds/tether-marks.ts';
import {type Ending, type Found, lastDesire, wants} from './ending.ts';
import {unreadyIn, type Verdict} from './grades.ts';
import {
  isInCycle,
  isUsage,
  listIn,
  namesIn,
  ordersIn,
  type Pair,
  pairsIn,
  partIn,
  policyIn,
  protectionsIn,
  rulesIn,
  type Shape,
  selects,
  templatesIn,
  truthOf,
  wantedIn,
} from './input-words.ts';
import {type Made, placeOf} from './intent.ts';

interface Asked {
  readonly verdict: Verdict;
  readonly made: Made;
  readonly ending: Ending;
  /** The place of the XR: the thing itself, or the XR that composes it. */
  readonly xr: string;
  readonly input: JsonObject;
}

interface Row {
  /** `default`: asked for by nothing. */
  readonly part: string;
  readonly of: readonly (Verdict['grade'] | NonNullable<Verdict['how']>)[];
  /** The fact that the world has to show. */
  readonly fact: string;
  readonly holds: (asked: Asked) => boolean;
}

export const permissions: readonly Row[] = [
  {
    part: 'removal.policies',
    of: ['leaked'],
    fact: 'the first policy that selects it is Retain, or Confirm and the XR does not name it, and it is there, or a disaster took its object; or Orphan, and its object is gone or has no policies',
    holds: isKeptByPolicy,
  },
  {
    part: 'removal.budget',
    of: ['kept'],
    fact: 'more of the XR are unwanted than the budget lets go',
    holds: isOverBudget,
  },
  {
    part: 'protect',
    of: ['kept', 'going', 'missing', 'edit', 'not-synced'],
    fact: 'a protection selects it, its XR or one of the XR that it is; of the others: and denied a deletion, so nothing is made anew, and Crossplane cannot read or write an object of the XR',
    holds: (asked) => (/kept|going/.test(asked.verdict.how ?? '') ? isProtected(asked) : isHealedByNothing(asked)),
  },
  {
    part: 'order, usages',
    of: ['kept', 'going'],
    fact: 'what uses it is there, or a disaster took that',
    holds: (asked) =>
      isUserThere(asked) ||
      pairsOf(asked, 'delete').some(
        ([of, by]) => of === asked.made.key && (isThere(by, asked) || struckIn(asked).includes(by)),
      ),
  },
  {
    part: 'order',
    of: ['missing'],
    fact: 'what is to come before it is not ready',
    holds: (asked) => pairsOf(asked, 'create').some(([of, by]) => by === asked.made.key && !isReady(of, asked)),
  },
  {
    part: 'order.waitFor: Desired',
    of: ['missing'],
    fact: 'a step before it selects nothing that is desired',
    holds: ({made, input, ...asked}) =>
      ordersIn(input).some(
        ({of, by, isDesired}) => isDesired && selects(by, shapeOf(made, asked)) && !isDesiredNow(of, asked),
      ),
  },
  {
    part: 'resources',
    of: ['not-ready', 'missing'],
    fact: 'a template that reads what is not there is not made',
    holds: ({made, xr, ...asked}) =>
      templatesIn(asked.input).some(
        (one) =>
          (made.place === xr || made.key === one['name']) &&
          readsAbsent(one, {...asked, xr}) &&
          !isThere(String(one['name']), {...asked, xr}),
      ),
  },
  {
    part: 'handover',
    of: ['missing', 'kept'],
    fact: 'its rule only says (dryRun)',
    holds: ({input, made, ...asked}) =>
      listIn(input, 'handover').some(
        ({dryRun, from, to}) => dryRun === true && (selects(from, shapeOf(made, asked)) || isTarget(to, made)),
      ),
  },
  {
    part: 'handover',
    of: ['too-soon', 'edit'],
    fact: 'the object that its rule moves, or moved, is there still, leads to the same external resource, and is Ready; of fields only the policies',
    holds: (asked) => isServedByTheOld(asked) && isOfPolicies(asked),
  },
  {
    part: 'handover',
    of: ['kept'],
    fact: 'another object of the XR has let go by its rule and is there still beside the new one, and the XR does not name what is kept',
    holds: isBesideMove,
  },
  {
    part: 'handover',
    of: ['missing', 'kept'],
    fact: 'a protection selects the old one and none the new one; or one rule has the new name, and another the new kind; or the new name has an object of its own; or Crossplane cannot read or write an object of the XR',
    holds: cannotMove,
  },
  {
    part: 'handover',
    of: ['external'],
    fact: 'a person deleted its XR as its rule moved it to another kind',
    holds: ({input, made, xr, ending}) =>
      ending.intent.books.endedMs.has(xr) &&
      listIn(input, 'handover').some(
        ({from, to}) =>
          partIn({to: to ?? null}, 'to')?.['kind'] !== undefined &&
          !isTarget(to, made) &&
          selects(from, shapeOf(made, {ending})),
      ),
  },
  {
    part: 'give',
    of: ['missing', 'kept', 'edit', 'overwritten'],
    fact: 'its rule names it; or named it, and an object of another XR leads to the same external resource; of fields only the policies',
    holds: (asked) =>
      (namesNow(asked, 'give').includes(asked.made.key ?? '') || isElsewhere(asked, 'give')) && isOfPolicies(asked),
  },
  {
    part: 'take',
    of: ['missing', 'not-ready', 'edit'],
    fact: 'its rule names it, and the other XR does not give it, never had it, or has it still; or a disaster or a person took it; or named it, and an object of another XR leads to the same external resource; of fields only the policies',
    holds: (asked) => (isNotGiven(asked) || isElsewhere(asked, 'take')) && isOfPolicies(asked),
  },
  {
    part: 'default',
    of: ['missing', 'kept'],
    fact: 'an object of another kind lives under its resource name, or is desired there, and no rule moves it',
    holds: ({made: {key = '', kind, xr = ''}, ending}) => {
      const desired = lastDesire(xr, ending)?.desired.resources.get(key)?.object as KubeObject | undefined;
      const living = foundAt(key, {ending, xr}).filter(({isGoing}) => !isGoing);
      const kinds = [...living.map(({made}) => made.kind), ...(desired === undefined ? [] : [groupKindOf(desired)])];
      return kinds.some((one) => one !== kind);
    },
  },
  {
    part: 'default',
    of: ['missing', 'kept'],
    fact: 'one object has both names: it lives under another resource name of the XR, and no rule moves it',
    holds: ({made, ending}) => isOfTwoKeys(made, ending),
  },
  {
    part: 'default',
    of: ['going', 'kept', 'external', 'not-ready', 'not-synced'],
    fact: 'its provider died in the middle of its create, and waits for a person; or its Secret belongs to another object; or it is being deleted, and a person keeps it by a finalizer',
    holds: ({verdict, made, ending}) =>
      [...ending.found.values()].flat().some(({made: {place, xr}, object, isGoing}) => {
        if (place !== made.place && xr !== made.place) return false;
        const isKept = isGoing && hasFinalizerOfPerson(object) && ['going', 'not-synced'].includes(verdict.how ?? '');
        const isStuck = isCreateIncomplete(object) || isSecretOfAnother(object, ending);
        return isKept || (verdict.how !== 'not-synced' && isStuck);
      }),
  },
  {
    part: 'default',
    of: ['shared', 'doubled', 'leaked'],
    fact: 'its XR, or an XR that it lists, is there, and a write of Crossplane made it anew after it was gone; or before 2.0 a person wrote the references of its XR, and a template of the input makes it',
    holds: (asked) => isOfRevived(asked) || isMadeAnew(asked),
  },
  {
    part: 'default',
    of: ['missing', 'kept', 'going', 'edit', 'name', 'not-synced', 'not-ready', 'forgotten'],
    fact: 'the input contradicts itself, or names what is not there: nothing is changed',
    holds: (asked) => isContradictory(asked),
  },
  {
    part: 'default',
    of: ['missing', 'edit', 'kept', 'not-synced', 'not-ready'],
    fact: 'its watch circuit is open, and Crossplane has not run the pipeline of the XR since the last step',
    holds: ({xr, ending}) =>
      ending.unheard.has(xr) && (ending.intent.books.epochs.get(xr)?.at(-1)?.move ?? 0) < ending.intent.move,
  },
];

/** True if its provider cannot publish: of two objects that name one Secret, the first has it. */
function isSecretOfAnother({metadata: {uid}, spec}: KubeObject, {found}: Ending): boolean {
  const {name, namespace} = (spec?.['writeConnectionSecretToRef'] ?? {}) as {name?: string; namespace?: string};
  if (name === undefined) return false;
  const secrets = found.get(addressOf({...kindSecret, metadata: {name, namespace: namespace ?? 'default'}})) ?? [];
  return secrets.some(({object}) => ![undefined, uid].includes(controllerOf(object)?.uid));
}

function isOfRevived({made, xr, ending: {intent, uids}}: Asked): boolean {
  return intent.books.revived
    .entries()
    .some(([place, uid]) => uids.has(uid) && (isWithin(place, xr) || isWithin(made.place, place)));
}

/** As what a step makes is, in a run without the function. */
function isMadeAnew({made, xr, input, ending}: Asked): boolean {
  const isLookedUp = partIn(input, 'restore')?.['lookup'] === true;
  const isOld = String(input['crossplane']).startsWith('1.') && ending.intent.books.relisted.has(xr);
  return isOld && !isLookedUp && templatesIn(input).some(({name}) => name === made.key);
}

function isWithin(place: string, other: string): boolean {
  return place === other || place.startsWith(`${other} > `);
}

function hasFinalizerOfPerson({metadata}: KubeObject): boolean {
  const all = metadata.managedFields ?? [];
  return all.some(
    ({manager, fieldsV1}) =>
      actors.some((one) => one === manager) && at(fieldsV1, ['f:metadata', 'f:finalizers']) !== undefined,
  );
}

/** True of a Usage whose `by` is there. */
function isUserThere({made, ending}: Asked): boolean {
  if (!isUsage(made)) return false;
  const all = [...ending.found.values()].flat();
  return (ending.found.get(made.place) ?? []).some(({object}) => {
    const by = at(object, ['spec', 'by']);
    const name = at(by, ['resourceRef', 'name']);
    return all.some((one) => one.object.kind === at(by, ['kind']) && one.object.metadata.name === name);
  });
}

/** True if the steps desire the object, by its own name, under another resource name. */
function isOfTwoKeys({xr = '', key}: Made, ending: Ending): boolean {
  const wanted = [...(lastDesire(xr, ending)?.desired.resources ?? [])].map(
    ([name, {object}]) => [name, object as KubeObject] as const,
  );
  const living = [...ending.found.values()].flat().filter(({made, isGoing}) => made.xr === xr && !isGoing);
  return living.some(({made, object}) =>
    wanted.some(
      ([name, one]) =>
        name !== made.key &&
        (name === key || made.key === key) &&
        one.metadata?.name === object.metadata.name &&
        groupKindOf(one) === made.kind,
    ),
  );
}

/** A cycle, a Usage of an unknown name, a resource that is given and taken, or an expression that fails. */
function isContradictory({input, ...asked}: Asked): boolean {
  const keys = allKeys(asked);
  const pairs = [...pairsOf({input, ...asked}, 'create'), ...pairsOf({input, ...asked}, 'delete')];
  if (keys.some((key) => isInCycle(key, pairs))) return true;
  const given = namesIn(listIn(input, 'give'));
  if (namesIn(listIn(input, 'take')).some((name) => given.includes(name))) return true;
  const isUnknown = listIn(input, 'usages').some(
    ({of, by, optional}) => optional !== true && ![of, by].every((name) => keys.includes(String(name))),
  );
  const known = [...keys, ...listIn(input, 'resources').map(({name}) => String(name))];
  const reads = [...JSON.stringify(input['resources'] ?? []).matchAll(/\$\{resources\.(\w+)/g)].map(
    ([, key = '']) => key,
  );
  if (isUnknown || reads.some((key) => !known.includes(key))) return true;
  const xr = asked.ending.found.get(asked.xr)?.[0]?.object;
  return listIn(input, 'order').some(
    ({when}) => typeof when === 'string' && xr !== undefined && truthOf(when, xr, true) === undefined,
  );
}

/** True if a row permits it. */
export function isPermitted(verdict: Verdict, ending: Ending): boolean {
  return permittedBy(verdict, ending) !== undefined;
}

/** The row that permits it. For a thing that is kept or does not end, also a row about the XR that composes it. */
export function permittedBy(verdict: Verdict, ending: Ending): Row | undefined {
  const {grade} = verdict;
  // A disaster took the object while that was kept.
  const wasKept = verdict.how === 'external' && ending.intent.books.struck.has(verdict.made.place);
  const how = wasKept ? 'kept' : verdict.how;
  const isKept = how === 'kept' || how === 'going' || grade === 'leaked';
  for (let made: Made | undefined = verdict.made; made !== undefined; made = ending.places.get(made.xr ?? '')) {
    const isOfXr = how === 'not-ready' || how === 'not-synced' || how === 'too-soon';
    const xr = isOfXr ? made.place : (made.xr ?? made.place);
    const asked = {verdict, made, ending, xr, input: lastDesire(xr, ending)?.input ?? {}};
    const row = permissions.find(
      ({of, holds}) => (of.includes(grade) || (how !== undefined && of.includes(how))) && holds(asked),
    );
    // If a thing is kept for its XR, the XR is the reason only if it is unwanted, too.
    const owner = ending.places.get(made.xr ?? '');
    if (row !== undefined || !isKept || owner === undefined || wants(owner, ending)) return row;
  }
  return undefined;
}

type About = Pick<Asked, 'ending' | 'xr'>;

/** The resource as selectors read it: its key, kind and labels, as observed or as last desired. */
function shapeOf(made: Made, {ending}: Pick<Asked, 'ending'>): Shape {
  return shapeAt(made.key ?? '', {ending, xr: made.xr ?? ''}, ending.found.get(made.place) ?? []);
}

function shapeAt(key: string, {ending, xr}: About, living: readonly Found[]): Shape {
  const desire = lastDesire(xr, ending);
  const once = placesAt(xr, key, ending).map((place) => ending.intent.books.desired.get(place));
  const desired = [...once, desire && wantedIn(desire).get(key)].filter((one) => one !== undefined);
  return {key, objects: [...living.map(({object}) => object), ...desired]};
}

function keysIn({ending, xr}: About): readonly string[] {
  const desire = lastDesire(xr, ending);
  return desire === undefined ? [] : [...wantedIn(desire).keys()];
}

function foundAt(key: string, {ending, xr}: About): readonly Found[] {
  return [...ending.found.values()].flat().filter(({made}) => made.xr === xr && made.key === key);
}

function isDesiredNow(selector: Json | undefined, {ending, xr}: About): boolean {
  const desire = lastDesire(xr, ending);
  return desire !== undefined && [...wantedIn(desire)].some(([key, one]) => selects(selector, {key, objects: [one]}));
}

function selectsKey(selector: Json | undefined, key: string, asked: About): boolean {
  return selects(selector, shapeAt(key, asked, foundAt(key, asked)));
}

/** Every resource name that the XR has or wants, or that a disaster took. */
function allKeys(asked: About): readonly string[] {
  const found = [...asked.ending.found.values()]
    .flat()
    .flatMap(({made}) => (made.xr === asked.xr ? [made.key ?? ''] : []));
  return [...new Set([...keysIn(asked), ...found, ...struckIn(asked)])];
}

function pairsOf({input, ...asked}: Asked, what: 'create' | 'delete'): readonly Pair[] {
  const orders = ordersIn(input).filter((order) => order[what]);
  return pairsIn(
    orders,
    allKeys(asked).map((key) => shapeAt(key, asked, foundAt(key, asked))),
  );
}

function isThere(key: string, asked: About): boolean {
  return foundAt(key, asked).length > 0;
}

/** Resource names of the objects that a disaster took. */
function struckIn({ending, xr}: About): readonly string[] {
  const {struck} = ending.intent.books;
  return [...ending.places.values()].flatMap((made) =>
    made.xr === xr && struck.has(made.place) ? [made.key ?? ''] : [],
  );
}

function isReady(key: string, asked: About): boolean {
  const ready = lastDesire(asked.xr, asked.ending)?.desired.resources.get(key)?.ready;
  return foundAt(key, asked).some(
    ({object, isGoing}) => !isGoing && (conditionOf(object, 'Ready')?.status === 'True' || ready === 'true'),
  );
}

function isKeptByPolicy({verdict, made, ending, input, xr}: Asked): boolean {
  const living = ending.found.get(made.place) ?? [];
  const policy = policyIn(input, shapeOf(made, {ending}));
  const cannotOrphan = living.length > 0 && living.every(({object}) => ending.intent.policyOf(object) === undefined);
  if (policy === 'Orphan') return cannotOrphan || (verdict.how === 'external' && living.length === 0);
  const isKept = living.length > 0 || ending.intent.books.struck.has(made.place);
  if (policy === 'Retain') return isKept;
  return policy === 'Confirm' && isKept && !isConfirmed({made, ending, xr});
}

function isConfirmed({made, ending, xr}: Pick<Asked, 'made' | 'ending' | 'xr'>): boolean {
  const [owner] = ending.found.get(xr) ?? [];
  const confirmed = owner?.object.metadata.annotations?.[annotationConfirmRemoval] ?? '';
  return confirmed.split(/[,\s"[\]]+/).some((one) => one.split('@')[0] === made.key);
}

function isOverBudget({input, ending, xr}: Asked): boolean {
  const {resources, percent} = ((input['removal'] as JsonObject | undefined)?.['budget'] ?? {}) as {
    readonly resources?: number;
    readonly percent?: number;
  };
  const all = [...ending.found.values()].flat().filter(({made}) => made.xr === xr);
  const leaving = all.filter(({made, isGoing}) => isGoing || !wants(made, ending)).length;
  const isOver = (limit: number | undefined) => limit !== undefined && leaving > limit;
  return isOver(resources) || isOver(percent === undefined ? undefined : (percent * all.length) / 100);
}

function isProtected({input, made, ending, xr}: Asked): boolean {
  const isSelected = protectionsIn(input).selectors.some((one) => selects(one, shapeOf(made, {ending})));
  return (made.place !== xr && isSelected) || isProtectedXr({ending, xr: made.place});
}

/** True if a protection denied a deletion, after which it would have been made anew. */
function isHealedByNothing(asked: Asked): boolean {
  const isDenied = ({object: {metadata}}: Found) => metadata.annotations?.[annotationDeletionAttempt] !== undefined;
  const places = [asked.made.place, asked.xr];
  return (
    (isProtected(asked) || isProtectedXr(asked)) &&
    places.some((place) => asked.ending.found.get(place)?.some(isDenied) === true) &&
    asked.ending.found.get(asked.xr)?.some(isCutOff) === true
  );
}

/** True if Crossplane cannot read or write an object that the XR composes, whatever the functions answer. */
function isCutOff({object}: Found): boolean {
  const {status, message = ''} = conditionOf(object, 'Synced') ?? {};
  return status === 'False' && /cannot (get|apply) (existing )?composed resource|^Unsynced resources: /.test(message);
}

/** True if its own input protects the XR. */
function isProtectedXr(asked: About): boolean {
  const {selectors, xr: whole} = protectionsIn(lastDesire(asked.xr, asked.ending)?.input ?? {});
  const isSelected = (key: string) => isThere(key, asked) && selectors.some((one) => selectsKey(one, key, asked));
  return whole === 'Always' || (whole !== 'Never' && allKeys(asked).some(isSelected));
}

/** True if it reads an absent field of the XR or of another resource. Of other reads nothing is known. */
function readsAbsent({base, include, readyWhen}: JsonObject, asked: About): boolean {
  const text = JSON.stringify([base, include ?? '', readyWhen ?? '']);
  const isAbsent = (object: KubeObject | undefined, path: string) => at(object, path.split('.')) === undefined;
  const ofXr = [...text.matchAll(/\bxr\.([\w.]+)/g)].map(([, path = '']) => path);
  const ofOthers = [...text.matchAll(/\bresources\.(\w+)\.([\w.]+)/g)];
  return (
    /\b(required|context)\.\w/.test(text) ||
    ofXr.some((path) => isAbsent(asked.ending.found.get(asked.xr)?.[0]?.object, path)) ||
    ofOthers.some(([, key = '', path = '']) => isAbsent(foundAt(key, asked)[0]?.object, path))
  );
}

/** True if it, or each unready resource of the XR, has another object beside it, from which a rule moves its external resource. */
function isServedByTheOld({made: {place}, xr, ending}: Asked): boolean {
  // Without its rule a move stays as it is.
  const rules = (ending.intent.books.epochs.get(xr) ?? []).flatMap(({desire}) => listIn(desire.input, 'handover'));
  const own = [...ending.found.values()].flat().filter(({made, isGoing}) => made.xr === xr && !isGoing);
  const moved = place === xr ? unreadyIn(xr, ending) : own.filter(({made}) => made.place === place);
  return moved.every(({made, object}) =>
    own.some((old) => {
      const isSame = ending.intent.leadsTo(old.object) !== undefined && leadsTo(old.object) === leadsTo(object);
      const isMoved = rules.some(
        ({from, to}) => isTarget(to, made) && selects(from, {key: old.made.key ?? '', objects: [old.object]}),
      );
      return old.object !== object && isSame && isMoved && conditionOf(old.object, 'Ready')?.status === 'True';
    }),
  );
}

/** True if a move of another resource is under way: until its end nothing that earlier steps drop is released. */
function isBesideMove(asked: Asked): boolean {
  const {made: kept, ending, xr, input} = asked;
  if (kept.place === xr || isUsage(kept) || isConfirmed(asked)) return false;
  const own = [...ending.found.values()].flat().filter(({made, isGoing}) => made.xr === xr && !isGoing);
  return listIn(input, 'handover').some(({from, to, dryRun}) => {
    const olds = own.filter(({made, object}) => {
      const isSelected = selects(from, {key: made.key ?? '', objects: [object]});
      return isSelected && made.place !== kept.place && ending.intent.policyOf(object)?.mayDelete === false;
    });
    const isBeside = (old: Found) => own.some(({made, object}) => object !== old.object && isTarget(to, made));
    return dryRun !== true && olds.some(isBeside);
  });
}

/** True if it is one of two resources between which a rule asks for a move that is not allowed. */
function cannotMove({input, made, ending, xr}: Asked): boolean {
  const {selectors} = protectionsIn(input);
  const isSelected = (shape: Shape) => selectors.some((one) => selects(one, shape));
  const isRefused = ending.found.get(xr)?.some(isCutOff) === true;
  const olds = [...ending.found.values()].flat().filter((one) => one.made.xr === xr && !one.isGoing);
  const news = [...(lastDesire(xr, ending) ? wantedIn(lastDesire(xr, ending) as Desire) : [])];
  return listIn(input, 'handover').some(({from, to}) =>
    olds.some((old) => {
      const shape = {key: old.made.key ?? '', objects: [old.object]};
      return news.some(([key, object]) => {
        const kind = groupKindOf(object);
        const places = [old.made.place, placeOf(xr, key, kind)];
        if (!places.includes(made.place) || !selects(from, shape) || !isTarget(to, {key, kind})) return false;
        const isUnprotected = isSelected(shape) && !isSelected({key, objects: [object]});
        const isTaken = foundAt(key, {ending, xr}).some((one) => isApart(one, old, ending));
        return isRefused || isUnprotected || isTaken || (kind !== old.made.kind && key !== old.made.key);
      });
    }),
  );
}

/** True if they are two objects, and lead to two external resources. */
function isApart(one: Found, other: Found, {intent}: Ending): boolean {
  return one.object !== other.object && intent.leadsTo(one.object) !== intent.leadsTo(other.object);
}

/** True unless it is a field, and no policy. */
function isOfPolicies({verdict: {grade, how, text}}: Asked): boolean {
  return (grade !== 'overwritten' && how !== 'edit') || /^spec\.(deletionPolicy|managementPolicies) /.test(text);
}

type Exchange = 'give' | 'take';

/** The resource names that the rules name; of one resource only its own. */
function namesNow({input, made, xr}: Asked, part: Exchange): readonly string[] {
  return namesIn(listIn(input, part)).filter((name) => made.place === xr || made.key === name);
}

/** Whether a rule names it, or named it, and an object of another XR leads to its external resource. */
function isElsewhere({verdict, made, ending, xr}: Asked, part: Exchange): boolean {
  const {exchanged} = ending.intent.books;
  const all = [...ending.found.values()].flat();
  const own = all.filter((one) => one.made.xr === xr && exchanged.has(`${part} ${one.made.key} ${xr}`));
  const ids = own
    .filter(({made: {place}}) => verdict.how === 'not-ready' || made.place === place)
    .flatMap(({object}) => ending.intent.leadsTo(object) ?? []);
  return all.some((one) => one.made.xr !== xr && ids.includes(ending.intent.leadsTo(one.object) ?? ''));
}

/** Whether a rule of `take` names it, and the other XR has no rule of `give` for it, or has its object still. */
function isNotGiven(asked: Asked): boolean {
  const {ending, input, xr} = asked;
  const names = namesNow(asked, 'take');
  const own = ending.found.get(xr)?.map(({object}) => addressOf(object)) ?? [];
  const {struck, endedMs} = ending.intent.books;
  return listIn(input, 'take').some((rule) => {
    const other = addressFrom(rule['from']);
    const gives = rulesIn(lastDesire(other, ending)?.input ?? {}, 'give').filter(({to}) =>
      own.includes(addressFrom(to)),
    );
    return listIn(rule, 'resources').some((one) => {
      const there = String(one['there'] ?? one['name']);
      const old = placesAt(other, there, ending);
      const wasMade = ending.intent.books.byUid.values().some(({place}) => old.includes(place));
      const isGiven = rule['dryRun'] !== true && namesIn(gives).includes(there) && wasMade;
      const isLost = [xr, other, ...old, ...placesAt(xr, String(one['name']), ending)].some(
        (place) => struck.has(place) || endedMs.has(place),
      );
      return names.includes(String(one['name'])) && (!isGiven || isLost || isThere(there, {ending, xr: other}));
    });
  });
}

/** The places of a resource name, of whatever kinds. */
function placesAt(xr: string, key: string, {places}: Ending): readonly string[] {
  return [...places.values()].flatMap((made) => (made.xr === xr && made.key === key ? [made.place] : []));
}

/** The address of the XR that a rule names. */
function addressFrom(named: Json | undefined): string {
  const {apiVersion, kind, name, namespace} = (named ?? {}) as unknown as ResourceRef;
  return addressOf({apiVersion, kind, metadata: namespace === undefined ? {name} : {name, namespace}});
}

/** The places that rules of the input move it to. */
export function movedTo(made: Made, ending: Ending): readonly string[] {
  const {xr = '', kind} = made;
  const rules = listIn(lastDesire(xr, ending)?.input, 'handover');
  return rules.flatMap(({from, to}) => {
    const key = partIn({to: to ?? null}, 'to')?.['resource'];
    return typeof key === 'string' && selects(from, shapeOf(made, {ending})) ? [placeOf(xr, key, kind)] : [];
  });
}

function isTarget(to: Json | undefined, {key, kind}: Pick<Made, 'key' | 'kind'>): boolean {
  const {resource, apiVersion, kind: toKind} = (to ?? {}) as {resource?: string; apiVersion?: string; kind?: string};
  if (resource !== undefined) return resource === key;
  return (
    apiVersion !== undefined &&
    kind.startsWith(toKind ?? '') &&
    groupKindOf({apiVersion, kind: toKind ?? kind.split('.')[0] ?? ''}) === kind
  );
}
