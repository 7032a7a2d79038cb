// The harms that are permitted, in one table: those that the input asks for, and those that docs/background/never-worse.md lists. A row
// counts only if the world shows its fact at rest. Reads no decision, condition or event of the function.

import {at, type Json, type JsonObject} from '../../cluster/json.ts';
import type {Desire} from '../../cluster/kernel/call.ts';
import {conditionOf, groupKindOf, type KubeObject} from '../../cluster/object.ts';
import {isCreateIncomplete} from '../../cluster/provider/annotations.ts';
import {externalNameOf} from '../control-plane/oracle/externals.ts';
import {annotationConfirmRemoval} from '../worlds/tether-marks.ts';
import {type Ending, type Found, lastDesire, wants} from './ending.ts';
import {unreadyIn, type Verdict} from './grades.ts';
import {
  isUsage,
  listIn,
  namesIn,
  ordersIn,
  partIn,
  policyIn,
  protectionsIn,
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
    of: ['kept', 'going'],
    fact: 'a protection selects it, its XR or one of the XR that it is',
    holds: isProtected,
  },
  {
    part: 'order, usages',
    of: ['kept', 'going'],
    fact: 'what uses it is there, or a disaster took that',
    holds: (asked) =>
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
        ({of, by, isDesired}) =>
          isDesired && selects(by, shapeOf(made, asked)) && !keysIn(asked).some((key) => selectsKey(of, key, asked)),
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
    of: ['too-soon'],
    fact: 'the object that its rule moves is there still, leads to the same external resource, and is Ready',
    holds: isServedByTheOld,
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
    fact: 'a protection selects the old one and none the new one; or one rule has the new name, and another the new kind',
    holds: cannotMove,
  },
  {
    part: 'give',
    of: ['missing', 'kept'],
    fact: 'its rule names it; or named it, and an object of another XR leads to the same external resource',
    holds: isGiven,
  },
  {
    part: 'take',
    of: ['missing', 'not-ready'],
    fact: 'its rule names it, and the other XR does not give it or has it still',
    holds: ({input, made, xr}) => namesIn(listIn(input, 'take')).some((name) => made.place === xr || name === made.key),
  },
  {
    part: 'default',
    of: ['missing', 'kept'],
    fact: 'an object of another kind lives under its resource name, and no rule moves it',
    holds: ({made, ending}) =>
      made.key !== undefined &&
      foundAt(made.key, {ending, xr: made.xr ?? ''}).some((one) => one.made.kind !== made.kind && !one.isGoing),
  },
  {
    part: 'default',
    of: ['missing', 'kept'],
    fact: 'one object has both names: it lives under another resource name of the XR, and no rule moves it',
    holds: ({made, ending}) => isOfTwoKeys(made, ending),
  },
  {
    part: 'default',
    of: ['going', 'kept', 'external', 'not-ready'],
    fact: 'its provider died in the middle of its create, and waits for a person',
    holds: ({made, ending}) =>
      [...ending.found.values()]
        .flat()
        .some((one) => [one.made.place, one.made.xr].includes(made.place) && isCreateIncomplete(one.object)),
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
  const reaches = (from: string, to: string, seen: readonly string[] = []): boolean =>
    pairs.some(([of, by]) => of === from && !seen.includes(by) && (by === to || reaches(by, to, [...seen, by])));
  if (keys.some((key) => reaches(key, key))) return true;
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
    const xr = how === 'not-ready' || how === 'not-synced' ? made.place : (made.xr ?? made.place);
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
  const wanted = (ending.intent.books.epochs.get(xr) ?? []).map(({desire}) => wantedIn(desire).get(key));
  const desired = wanted.findLast((one) => one !== undefined);
  return {key, objects: [...living.map(({object}) => object), ...(desired === undefined ? [] : [desired])]};
}

function keysIn({ending, xr}: About): readonly string[] {
  const desire = lastDesire(xr, ending);
  return desire === undefined ? [] : [...wantedIn(desire).keys()];
}

function foundAt(key: string, {ending, xr}: About): readonly Found[] {
  return [...ending.found.values()].flat().filter(({made}) => made.xr === xr && made.key === key);
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

function pairsOf({input, ...asked}: Asked, what: 'create' | 'delete'): readonly (readonly [of: string, by: string])[] {
  const keys = allKeys(asked);
  return ordersIn(input)
    .filter((order) => order[what])
    .flatMap(({of, by}) => {
      const [firsts, seconds] = [of, by].map((one) => keys.filter((key) => selectsKey(one, key, asked)));
      return (firsts ?? []).flatMap((first) => (seconds ?? []).map((second) => [first, second] as const));
    })
    .filter(([of, by]) => of !== by);
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
  const {selectors, xr: whole} = protectionsIn(input);
  const asked = {ending, xr};
  const isSelected = (key: string) => selectors.some((one) => selectsKey(one, key, asked));
  if (made.place !== xr) return selectors.some((one) => selects(one, shapeOf(made, {ending})));
  return (
    whole === 'Always' || (whole !== 'Never' && allKeys(asked).some((key) => isThere(key, asked) && isSelected(key)))
  );
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

/** True if each unready resource has another object beside it, from which a rule moves its external resource. */
function isServedByTheOld({input, made: {place}, ending}: Asked): boolean {
  const own = [...ending.found.values()].flat().filter(({made, isGoing}) => made.xr === place && !isGoing);
  return unreadyIn(place, ending).every(({made, object}) =>
    own.some((old) => {
      const isSame =
        ending.intent.leadsTo(old.object) !== undefined && externalNameOf(old.object) === externalNameOf(object);
      const isMoved = listIn(input, 'handover').some(
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
        return isUnprotected || (kind !== old.made.kind && key !== old.made.key);
      });
    }),
  );
}

function isGiven({input, made, ending, xr}: Asked): boolean {
  if (namesIn(listIn(input, 'give')).includes(made.key ?? '')) return true;
  const all = [...ending.found.values()].flat();
  const ids = all.flatMap((one) => (one.made.place === made.place ? [ending.intent.leadsTo(one.object)] : []));
  const isTaken = all.some((one) => one.made.xr !== xr && ids.includes(ending.intent.leadsTo(one.object) ?? ''));
  const epochs = ending.intent.books.epochs.get(xr) ?? [];
  return isTaken && epochs.some(({desire}) => namesIn(listIn(desire.input, 'give')).includes(made.key ?? ''));
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
