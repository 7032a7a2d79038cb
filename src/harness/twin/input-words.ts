// Reads an input of function-tether, function-sequencer or function-deletion-protection: its rules and the resources that each selects.

import {celEnv, isCelError, parse, plan} from '@bufbuild/cel';
import {strings} from '@bufbuild/cel/ext';
import {goRegex} from '../../cluster/go-regex.ts';
import {at, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import type {Desire} from '../../cluster/kernel/call.ts';
import {remembering} from '../../cluster/memo.ts';
import {addressOf, groupKindOf, type KubeObject, type ResourceRef} from '../../cluster/object.ts';
import {durationOf} from '../input/duration.ts';
import {annotationConfirmRemoval, memoryName} from '../worlds/tether-marks.ts';

/** A resource name, and `Kind.group`. */
interface Keyed {
  readonly key?: string;
  readonly kind: string;
}

/** A resource as selectors look at it: as it is, and as it is desired. */
export interface Shape {
  readonly key: string;
  readonly objects: readonly KubeObject[];
}

export interface Order {
  readonly of: Json | undefined;
  readonly by: Json | undefined;
  readonly create: boolean;
  readonly delete: boolean;
  /** True if later steps wait for a step that selects nothing. */
  readonly isDesired: boolean;
  /** While it is false, creation does not wait. */
  readonly when?: Json | undefined;
  /** Of its Usages. */
  readonly reason?: Json | undefined;
  readonly replays?: boolean;
}

/** Of an answer whose input gives none. */
export const usualTtlMs = 60_000;

type Ruled = Pick<Desire, 'input'> & Partial<Pick<Desire, 'xr'>>;

const noRules: Ruled = {input: {}};

/** The rules of an input, of which some name another XR by a field of their own. */
export function rulesOf(desire: Ruled = noRules) {
  return rulesIn(desire);
}

export type Rules = ReturnType<typeof rulesOf>;

const rulesIn = remembering(({input, xr}: Ruled) => ({
  ...ownRules(input),
  gives: exchangesIn(input, 'give', 'to', xr),
  takes: exchangesIn(input, 'take', 'from', xr),
}));

const ownRules = remembering((input: JsonObject) => {
  const removal = partIn(input, 'removal');
  const restore = partIn(input, 'restore');
  const names = partIn(input, 'externalNames');
  return {
    orders: ordersIn(input),
    ...protectionsIn(input),
    policies: listIn(removal, 'policies'),
    budget: partIn(removal, 'budget'),
    moves: listIn(input, 'handover').map(({from, to, dryRun}) => ({
      from,
      to: textsIn(to) as {
        readonly resource?: string;
        readonly apiVersion?: string;
        readonly kind?: string;
      },
      isDry: dryRun === true,
    })),
    templates: listIn(input, 'resources'),
    looksUp: ['lookup', 'stableNames'].some((word) => restore[word] === true),
    /** The kinds of lost resources that no step desires. */
    looksFor: restore['lookup'] === true ? kindsIn(restore['kinds']) : [],
    /** The rules by which external names are written, and the place where they are remembered. */
    named: listIn(names, 'from'),
    remembered: partIn(names, 'remember'),
    /** The age at which an answer is asked for anew. An input with 0s gives none. */
    ttlMs: durationOf(String(input['ttl'] ?? '')) || usualTtlMs,
  };
});

/** One resource each that goes to another XR, or comes from there: its name here and there, and the address of the other XR. */
function exchangesIn(input: JsonObject, part: string, side: string, xr: KubeObject | undefined) {
  return listIn(input, part).flatMap((rule) => {
    const said = rendered(partIn(rule, side), xr);
    const {apiVersion, kind, name, namespace} = said as unknown as ResourceRef;
    // If the name comes to nothing, the rule is not about this XR.
    if (!name || !isOfKind(said)) return [];
    const other = addressIn({apiVersion, kind, name, ...(namespace !== undefined && {namespace})});
    return listIn(rule, 'resources').map((one) => ({
      name: String(one['name']),
      there: String(one['there'] ?? one['name']),
      other,
      isDry: rule['dryRun'] === true,
    }));
  });
}

function ordersIn(input: JsonObject): readonly Order[] {
  const how: Omit<Order, 'of' | 'by'> = {create: true, delete: true, isDesired: false};
  const replaying = ({replayDeletion}: JsonObject) => ({replays: replayDeletion === true});
  const inSequence = (sequence: Json | undefined, more: Omit<Order, 'of' | 'by'>) =>
    (isList(sequence) ? sequence : []).flatMap((by, index, steps) =>
      steps.slice(0, index).map((of) => ({of, by, ...more})),
    );
  const named = (name: Json | undefined) => ({resources: [String(name)]});
  return [
    ...listIn(input, 'rules').flatMap(({sequence}) => {
      const patterns = isList(sequence) ? sequence.map((pattern) => ({pattern})) : [];
      const isDeleting = input['enableDeletionSequencing'] === true;
      return inSequence(patterns, {...how, ...replaying(input), delete: isDeleting, isDesired: true});
    }),
    ...listIn(input, 'order').flatMap((order): readonly Order[] => {
      const {sequence, of, by, deleteOnly, createOnly, waitFor, when} = order;
      const more = {
        ...replaying(order),
        create: deleteOnly !== true,
        delete: createOnly !== true,
        isDesired: waitFor === 'Desired',
        when,
      };
      return isList(sequence) ? inSequence(sequence, more) : [{of, by, ...more}];
    }),
    ...listIn(input, 'usages').map(({of, by, reason, ...more}) => {
      return {...how, ...replaying(more), reason, of: named(of), by: named(by), create: false};
    }),
    // A template is made after the resources that it reads, and leaves before them.
    ...listIn(input, 'resources').flatMap(({name, base}) =>
      readsOf(base).map((read) => ({...how, of: named(read), by: named(name), when: 'resources'})),
    ),
  ];
}

/** Names of the resources that a template reads. */
function readsOf(base: Json | undefined): readonly string[] {
  return [...JSON.stringify(base ?? {}).matchAll(/resources(?:\.|\[')([\w-]+)/g)].map(([, read = '']) => read);
}

/** Resource names of which the second waits for the first to come, and the first for the second to go. */
export type Pair = readonly [of: string, by: string];

export function pairsIn(orders: readonly Order[], shapes: readonly Shape[]): readonly Pair[] {
  return orders.flatMap(({of, by}) => {
    const seconds = shapes.filter((shape) => selects(by, shape));
    return shapes
      .filter((shape) => selects(of, shape))
      .flatMap(({key}) => seconds.flatMap((second) => (second.key === key ? [] : [[key, second.key] as const])));
  });
}

/** True if it has a cycle, gives what it takes, or gives or takes one twice: then it changes nothing. */
export function contradicts({orders, gives, takes}: Rules, shapes: readonly Shape[]): boolean {
  const keys = shapes.map(({key}) => key);
  const pairs = pairsIn(orders, shapes);
  return (
    keys.some((key) => isInCycle(key, pairs)) ||
    [gives, takes].some((all) => new Set(all.map(({name}) => name)).size < all.length) ||
    takes.some(({name}) => gives.some((one) => one.name === name))
  );
}

/** True if the resource would wait for itself. */
function isInCycle(key: string, pairs: readonly Pair[], from = key, seen: readonly string[] = []): boolean {
  return pairs.some(
    ([of, by]) => of === from && !seen.includes(by) && (by === key || isInCycle(key, pairs, by, [...seen, by])),
  );
}

const blocks = {key: 'protection.fn.crossplane.io/block-deletion', value: 'true', ignoreCase: true};

/** The selectors of resources with the reason of each, of objects that its step only requires, and the words about the XR itself. */
function protectionsIn(input: JsonObject) {
  const isDialect = String(input['apiVersion'] ?? '').startsWith('protection.');
  const blocked = {match: {labels: [blocks]}};
  const asDialect = {resources: [blocked], required: [blocked], xrMatch: blocked.match};
  const protectsXr: JsonObject = isDialect ? asDialect : ((input['protect'] ?? {xr: 'Never'}) as JsonObject);
  return {protects: listIn(protectsXr, 'resources'), protectsRequired: listIn(protectsXr, 'required'), protectsXr};
}

/** True if it selects one of the objects. */
export function selects(selector: Json | undefined, {key, objects}: Shape): boolean {
  if (!isObject(selector)) return false;
  const {resources, pattern, kinds, labels} = selector;
  if (isList(resources) && !resources.includes(key)) return false;
  if (typeof pattern === 'string' && !isWhole(pattern, key)) return false;
  const all = isList(kinds) ? kindsIn(kinds) : undefined;
  return objects.some((object) => (all?.includes(groupKindOf(object)) ?? true) && hasLabels(labels, object));
}

/** True if the pattern matches the name from beginning to end; one that is none matches nothing. */
function isWhole(pattern: string, name: string): boolean {
  const regex = goRegex(`^(?:${pattern})$`);
  return regex.kind === 'regex' && regex.test(name);
}

function kindsIn(kinds: Json | undefined): readonly string[] {
  return isList(kinds) ? kinds.filter(isOfKind).map(groupKindOf) : [];
}

function isOfKind(value: Json | undefined): value is KubeObject & JsonObject {
  return typeof at(value, ['apiVersion']) === 'string' && typeof at(value, ['kind']) === 'string';
}

function hasLabels(labels: Json | undefined, {metadata}: KubeObject): boolean {
  if (!isList(labels)) return true;
  return (labels as readonly JsonObject[]).every(({key, value, ignoreCase}) => {
    const has = metadata?.labels?.[String(key)];
    return ignoreCase === true ? has?.toLowerCase() === String(value).toLowerCase() : has === value;
  });
}

/** The address of what is referred to. */
export function addressIn({apiVersion, kind, name, namespace}: ResourceRef): string {
  return addressOf({apiVersion, kind, metadata: namespace === undefined ? {name} : {name, namespace}});
}

/** True if the rule moves what the old object has to the other: to another name, or under its name to another kind. */
export function isMove(
  {from, to}: Pick<Rules['moves'][number], 'from' | 'to'>,
  old: {readonly key: string; readonly object: KubeObject},
  made: Keyed,
): boolean {
  const {resource = old.key, apiVersion = old.object.apiVersion, kind = old.object.kind} = to;
  const isKind = (to.apiVersion ?? to.kind) === undefined || made.kind === groupKindOf({apiVersion, kind});
  const isOther = made.key !== old.key || made.kind !== groupKindOf(old.object);
  return isOther && made.key === resource && isKind && selects(from, {key: old.key, objects: [old.object]});
}

/** True if the annotation of the XR names it, or its object by uid. */
export function isConfirmed({metadata}: KubeObject, key = '', uid?: string): boolean {
  const confirmed = metadata.annotations?.[annotationConfirmRemoval]?.trim() ?? '';
  const names = confirmed.startsWith('[') ? parsed(confirmed) : confirmed.split(',').map((name) => name.trim());
  return isList(names) && [key, `${key}@${uid}`].some((name) => names.includes(name));
}

/** The value of a text in JSON, null if it is none. */
export function parsed(json: string): Json {
  try {
    return JSON.parse(json) as Json;
  } catch {
    return null;
  }
}

function listIn(object: JsonObject | undefined, field: string): readonly JsonObject[] {
  const found = object?.[field];
  return isList(found) ? found.filter(isObject) : [];
}

/** The fields that have a text. */
function textsIn(value: Json | undefined): JsonObject {
  const fields = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(fields.filter(([, one]) => typeof one === 'string'));
}

function partIn(object: JsonObject, field: string): JsonObject {
  const found = object[field];
  return isObject(found) ? found : {};
}

const environment = celEnv({funcs: [...strings]});

/** True if creation waits for the order, undefined if that is not known. */
export function isInForce({create, when}: Order, xr: KubeObject | undefined): boolean | undefined {
  return create && (when === undefined || (expressionValue(String(when), xr) as boolean | undefined));
}

/** The value of an expression; undefined if it reads more than the XR, or fails. */
function expressionValue(expression: string, xr: KubeObject | undefined): unknown {
  if (xr === undefined || /\b(resources|context|required|observed|desired)\b/.test(expression)) return undefined;
  const run = plans.get(expression) ?? planOf(expression);
  plans.set(expression, run);
  const value = run({xr: xr as never});
  return isCelError(value) ? undefined : value;
}

const plans = new Map<string, ReturnType<typeof plan>>();

/** An expression that is none has no value. */
function planOf(expression: string): ReturnType<typeof plan> {
  try {
    return plan(environment, parse(expression));
  } catch {
    return () => undefined as never;
  }
}

/** The base with the values of its expressions; null for one that is not known. */
function rendered(base: Json, xr: KubeObject | undefined): Json {
  if (isList(base)) return base.map((one) => rendered(one, xr));
  if (isObject(base))
    return Object.fromEntries(Object.entries(base).map(([field, one]) => [field, rendered(one as Json, xr)]));
  if (typeof base !== 'string' || !base.includes('${')) return base;
  const parts = base.split(/(\$?\$\{[^{}]*\})/).filter((part) => part !== '');
  const all = parts.map((part) =>
    part.startsWith('${') ? expressionValue(part.slice(2, -1), xr) : part.replace('$${', '${'),
  );
  const isKnown = all.every((value) => ['string', 'number', 'boolean'].includes(typeof value));
  return isKnown ? ((all.length === 1 ? all[0] : all.join('')) as Json) : null;
}

/** The wanted objects of an XR by resource name: those of the steps, else the templates of the input. */
export const wantedIn = remembering((desire: Desire): ReadonlyMap<string, KubeObject> => {
  const {desired, xr} = desire;
  const templates = rulesOf(desire).templates.filter(
    ({include}) => typeof include !== 'string' || expressionValue(include, xr) !== false,
  );
  return new Map([
    ...templates.flatMap(({name, base = {}}) => {
      const object = rendered(base, xr);
      return isOfKind(object) ? [[String(name), object] as const] : [];
    }),
    ...[...desired.resources].map(([key, {object}]) => [key, object as KubeObject] as const),
  ]);
});

/** True if the steps desire it, or the input does by its name. */
export function desires(desire: Desire, {key = '', kind}: Keyed): boolean {
  const object = wantedIn(desire).get(key);
  if (object !== undefined) return groupKindOf(object) === kind;
  return key === memoryName && rulesOf(desire).remembered['in'] === kind;
}

/** True if the selector selects what is wanted. */
export function isDesiredNow(selector: Json | undefined, desire: Desire): boolean {
  return [...wantedIn(desire)].some(([key, one]) => selects(selector, {key, objects: [one]}));
}

/** True if the input protects the object, which its step requires. */
export function protectsRequired(desire: Desire, object: KubeObject): boolean {
  const {required, xr} = desire;
  const {metadata} = object;
  // A Usage of an XR in a namespace is there, too.
  if (xr.metadata.namespace !== undefined && xr.metadata.namespace !== metadata.namespace) return false;
  const names = required.flatMap(([name, {apiVersion, namespace, match, ...selector}]) => {
    const isOfKind = groupKindOf({apiVersion, kind: selector.kind}) === groupKindOf(object);
    const isIn = namespace === undefined || namespace === metadata.namespace;
    const labels = match?.kind === 'labels' ? Object.entries(match.labels) : [];
    const isNamed = match?.kind !== 'name' || match.name === metadata.name;
    return isOfKind && isIn && isNamed && labels.every(([key, value]) => metadata.labels?.[key] === value)
      ? [name]
      : [];
  });
  const rules = rulesOf(desire).protectsRequired;
  return names.some((key) => rules.some(({match}) => selects(match ?? {}, {key, objects: [object]})));
}

/** The first removal policy of the input that selects it. */
export function policyIn({policies}: Rules, shape: Shape): unknown {
  return policies.find(({match}) => selects(match ?? {}, shape))?.['policy'];
}

/** True if more leave of all the resources of an XR than the budget lets go. */
export function isOverBudget({resources, percent}: JsonObject, leaving: number, all: number): boolean {
  return (
    (typeof resources === 'number' && leaving > resources) ||
    (typeof percent === 'number' && leaving * 100 > percent * all)
  );
}

/** Kinds whose objects keep others from being deleted. */
export function isUsage({kind}: Pick<Keyed, 'kind'>): boolean {
  return /^(Usage|ClusterUsage)\./.test(kind);
}
