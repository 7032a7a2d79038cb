// Which resources each XR depends on: those it composes and those its functions required. Decides on main which kinds
// are watched and which XRs an event wakes. crossplane/crossplane 2d040d2da
// internal/controller/apiextensions/composite/dependency/tracker.go (crossplane#7572).

import {memo} from '../../memo.ts';
import type {GroupVersionKind, KubeObject} from '../../object.ts';

export interface Reference extends GroupVersionKind {
  readonly namespace?: string;
  /** Absent: every resource with the labels, or of the kind. */
  readonly name?: string;
  readonly labels?: {readonly [key: string]: string};
}

export interface Requirement {
  readonly step: string;
  /** The name the function gave the requirement. */
  readonly name: string;
  readonly reference: Reference;
}

export interface Dependencies {
  readonly composed: readonly Reference[];
  readonly required: readonly Requirement[];
}

/** Dependencies by the XR's key. */
export interface Tracker {
  readonly [xr: string]: Dependencies;
}

export const emptyTracker: Tracker = {};

export function track(tracker: Tracker, xr: string, dependencies: Dependencies): Tracker {
  return {...tracker, [xr]: dependencies};
}

export function forget(tracker: Tracker, xr: string): Tracker {
  if (tracker[xr] === undefined) return tracker;
  const {[xr]: _, ...rest} = tracker;
  return rest;
}

/** What a pipeline step required when the XR was last composed. */
export function requirementsOf(tracker: Tracker, xr: string, step: string): readonly Requirement[] {
  return (tracker[xr]?.required ?? []).filter((requirement) => requirement.step === step);
}

/** The keys of the XRs that depend on the object. */
export function dependantsOf(tracker: Tracker, object: KubeObject): readonly string[] {
  return Object.keys(tracker).filter((xr) => referencesOf(tracker, xr).some((reference) => matches(reference, object)));
}

/** Every kind some XR depends on, each once. Asked at every reconcile of every XR, and most XRs depend on the same. */
export function kindsOf(tracker: Tracker): readonly GroupVersionKind[] {
  const kinds = new Map<string, GroupVersionKind>();
  let last: string | undefined;
  for (const dependencies of Object.values(tracker)) {
    const own = ownKinds(dependencies);
    if (own.text !== last) for (const [text, kind] of own.kinds) kinds.set(text, kind);
    last = own.text;
  }
  return [...kinds.values()];
}

interface OwnKinds {
  readonly kinds: ReadonlyMap<string, GroupVersionKind>;
  /** The same for the same kinds in the same order. */
  readonly text: string;
}

const known = memo<Dependencies, OwnKinds>();

function ownKinds(dependencies: Dependencies): OwnKinds {
  const before = known.get(dependencies);
  if (before !== undefined) return before;
  const kinds = new Map<string, GroupVersionKind>();
  for (const {apiVersion, kind} of referencesIn(dependencies)) kinds.set(`${apiVersion} ${kind}`, {apiVersion, kind});
  const own = {kinds, text: [...kinds.keys()].join()};
  known.set(dependencies, own);
  return own;
}

function referencesIn({composed, required}: Dependencies): readonly Reference[] {
  return [...composed, ...required.map(({reference}) => reference)];
}

function referencesOf(tracker: Tracker, xr: string): readonly Reference[] {
  const dependencies = tracker[xr];
  return dependencies === undefined ? [] : referencesIn(dependencies);
}

// By name the namespace must be the object's own; by label an absent namespace is every namespace.
function matches(reference: Reference, object: KubeObject): boolean {
  if (reference.kind !== object.kind || reference.apiVersion !== object.apiVersion) return false;
  const {name, namespace, labels = {}} = object.metadata;
  if (reference.name !== undefined) return reference.name === name && reference.namespace === namespace;
  if (reference.namespace !== undefined && reference.namespace !== namespace) return false;
  return Object.entries(reference.labels ?? {}).every(([key, value]) => labels[key] === value);
}
