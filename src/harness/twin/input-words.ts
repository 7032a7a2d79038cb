// Reads an input of function-tether, function-sequencer or function-deletion-protection: the rules and the resources that each selects.

import {celEnv, isCelError, parse, plan} from '@bufbuild/cel';
import {strings} from '@bufbuild/cel/ext';
import {isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import type {Desire} from '../../cluster/kernel/call.ts';
import {groupKindOf, type KubeObject} from '../../cluster/object.ts';

/** A resource name, and `Kind.group`. */
interface Keyed {
  readonly key?: string;
  readonly kind: string;
}

/** A resource as selectors look at it. */
export interface Shape {
  readonly key: string;
  /** As it is, and as it is desired: either suffices. */
  readonly objects: readonly KubeObject[];
}

export interface Order {
  readonly of: Json | undefined;
  readonly by: Json | undefined;
  readonly create: boolean;
  readonly delete: boolean;
  /** True if later steps wait for a step that selects nothing. */
  readonly isDesired: boolean;
  readonly isConditional: boolean;
}

export function ordersIn(input: JsonObject): readonly Order[] {
  if (isList(input['rules'])) return ordersOfSequencer(input);
  const orders = listIn(input, 'order').flatMap((one): readonly Order[] => {
    const how = {
      create: one['deleteOnly'] !== true,
      delete: one['createOnly'] !== true,
      isDesired: one['waitFor'] === 'Desired',
      isConditional: one['when'] !== undefined,
    };
    if (!isList(one['sequence'])) return [{of: one['of'], by: one['by'], ...how}];
    return pairs(one['sequence']).map(([of, by]) => ({of, by, ...how}));
  });
  const usages = listIn(input, 'usages').map(({of, by}) => ({
    of: {resources: [of as Json]},
    by: {resources: [by as Json]},
    create: false,
    delete: true,
    isDesired: false,
    isConditional: false,
  }));
  return [...orders, ...usages, ...readsIn(input)];
}

/** Orders of templates: a template is made after the resources that it reads, and leaves before them. */
function readsIn(input: JsonObject): readonly Order[] {
  return templatesIn(input).flatMap(({name, base}) =>
    [...JSON.stringify(base ?? {}).matchAll(/resources\.(\w+)/g)].map(([, read = '']) => ({
      of: {resources: [read]},
      by: {resources: [name as Json]},
      create: true,
      delete: true,
      isDesired: false,
      isConditional: true,
    })),
  );
}

/** Resource names of which the second waits for the first to come, and the first for the second to go. */
export type Pair = readonly [of: string, by: string];

export function pairsIn(orders: readonly Order[], shapes: readonly Shape[]): readonly Pair[] {
  return orders.flatMap(({of, by}) => {
    const seconds = shapes.filter((shape) => selects(by, shape));
    const firsts = shapes.filter((shape) => selects(of, shape));
    return firsts.flatMap(({key}) =>
      seconds.flatMap((second) => (second.key === key ? [] : [[key, second.key] as const])),
    );
  });
}

/** True if the resource would wait for itself. */
export function isInCycle(key: string, pairs: readonly Pair[], from = key, seen: readonly string[] = []): boolean {
  return pairs.some(
    ([of, by]) => of === from && !seen.includes(by) && (by === key || isInCycle(key, pairs, by, [...seen, by])),
  );
}

function ordersOfSequencer(input: JsonObject): readonly Order[] {
  return listIn(input, 'rules').flatMap(({sequence}) =>
    pairs(isList(sequence) ? sequence.map((pattern) => ({pattern})) : []).map(([of, by]) => ({
      of,
      by,
      create: true,
      delete: input['enableDeletionSequencing'] === true,
      isDesired: true,
      isConditional: false,
    })),
  );
}

function pairs(steps: readonly Json[]): readonly (readonly [Json, Json])[] {
  return steps.flatMap((by, index) => steps.slice(0, index).map((of) => [of, by] as const));
}

const blocks = {key: 'protection.fn.crossplane.io/block-deletion', value: 'true', ignoreCase: true};

export function protectionsIn(input: JsonObject): {readonly selectors: readonly Json[]; readonly xr: string} {
  const [group = ''] = String(input['apiVersion'] ?? '').split('.');
  if (group === 'protection') return {selectors: [{labels: [blocks]}], xr: 'WithResources'};
  const protect = input['protect'];
  if (!isObject(protect)) return {selectors: [], xr: 'Never'};
  const selectors = listIn(protect, 'resources').map(({match}) => match ?? {});
  return {selectors, xr: String(protect['xr'] ?? 'WithResources')};
}

export function selects(selector: Json | undefined, {key, objects}: Shape): boolean {
  if (!isObject(selector)) return false;
  const {resources, pattern, kinds, labels} = selector;
  if (isList(resources) && !resources.includes(key)) return false;
  if (typeof pattern === 'string' && !new RegExp(`^(?:${pattern})$`).test(key)) return false;
  return objects.some((object) => isOfKinds(kinds, object) && hasLabels(labels, object));
}

function isOfKinds(kinds: Json | undefined, object: KubeObject): boolean {
  const all = isList(kinds) ? (kinds as readonly KubeObject[]) : undefined;
  return all === undefined || all.some((kind) => groupKindOf(kind) === groupKindOf(object));
}

function hasLabels(labels: Json | undefined, {metadata}: KubeObject): boolean {
  if (!isList(labels)) return true;
  return (labels as readonly JsonObject[]).every(({key, value, ignoreCase}) => {
    const has = metadata?.labels?.[String(key)];
    return ignoreCase === true ? has?.toLowerCase() === String(value).toLowerCase() : has === value;
  });
}

export function listIn(object: JsonObject | undefined, field: string): readonly JsonObject[] {
  const found = object?.[field];
  return isList(found) ? (found as readonly JsonObject[]) : [];
}

/** The rules of a part without `dryRun`. */
export function rulesIn(input: JsonObject, part: 'handover' | 'give' | 'take'): readonly JsonObject[] {
  return listIn(input, part).filter(({dryRun}) => dryRun !== true);
}

/** The resource names that rules of `give` or `take` name. */
export function namesIn(rules: readonly JsonObject[]): readonly string[] {
  return rules.flatMap((rule) => listIn(rule, 'resources').map(({name}) => String(name)));
}

export function partIn(object: JsonObject | undefined, field: string): JsonObject | undefined {
  const found = object?.[field];
  return isObject(found) ? found : undefined;
}

const environment = celEnv({funcs: [...strings]});

/** The value of a condition over the XR: undefined if it is neither true nor false, `fallback` if it reads more than the XR. */
export function truthOf(expression: string, xr: KubeObject, fallback: boolean): boolean | undefined {
  if (/\b(resources|context|required|observed|desired)\b/.test(expression)) return fallback;
  const value = plan(environment, parse(expression))({xr: xr as never});
  return isCelError(value) || typeof value !== 'boolean' ? undefined : value;
}

/** The wanted objects of an XR by resource name: those of the steps, else the templates of the input. */
export function wantedIn({desired, input, xr}: Desire): ReadonlyMap<string, KubeObject> {
  const templates = templatesIn(input).filter(
    ({include}) => typeof include !== 'string' || truthOf(include, xr, true) === true,
  );
  return new Map([
    ...templates.map(({name, base}) => [String(name), base as unknown as KubeObject] as const),
    ...[...desired.resources].map(([key, {object}]) => [key, object as KubeObject] as const),
  ]);
}

/** True if the steps desire it, or the input does by its name. */
export function desires(desire: Desire, {key = '', kind}: Keyed): boolean {
  const object = wantedIn(desire).get(key);
  if (object !== undefined) return groupKindOf(object) === kind;
  return kind === 'ConfigMap' && rememberedIn(desire.input)?.['in'] === 'ConfigMap';
}

export function templatesIn(input: JsonObject): readonly JsonObject[] {
  return listIn(input, 'resources');
}

/** The place where the input has external names remembered. */
export function rememberedIn(input: JsonObject): JsonObject | undefined {
  return partIn(partIn(input, 'externalNames'), 'remember');
}

/** The first removal policy of the input that selects it. */
export function policyIn(input: JsonObject, shape: Shape): unknown {
  const policies = listIn(partIn(input, 'removal'), 'policies');
  return policies.find(({match}) => selects(match ?? {}, shape))?.['policy'];
}

/** Kinds whose objects keep others from being deleted. */
export function isUsage({kind}: Pick<Keyed, 'kind'>): boolean {
  return /^(Usage|ClusterUsage)\./.test(kind);
}
