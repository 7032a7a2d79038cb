// Which resources each XR depends on: those it composes and those its functions required. Decides on main which kinds
// are watched and which XRs an event wakes. crossplane/crossplane 2d040d2da
// internal/controller/apiextensions/composite/dependency/tracker.go (crossplane#7572).

import {remembering} from '../../memo.ts';
import type {GroupVersionKind, KubeObject} from '../../object.ts';
import {drop, emptyTable, put, type Table} from '../../table.ts';

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

type Kinds = ReadonlyMap<string, GroupVersionKind>;
type ByReference = Table<readonly string[]>;

export interface Tracker {
  /** By the XR's key. */
  readonly xrs: Table<Dependencies>;
  readonly [found]: Found;
}

/** Values derived from the dependencies alone. A symbol keeps them out of the state's identity. */
const found = Symbol('found');

interface Found {
  /** The XRs that depend on what a reference names. */
  readonly byReference: ByReference;
  /** Every kind some XR depends on. */
  readonly kinds: Kinds;
}

export const emptyTracker: Tracker = {
  xrs: emptyTable(),
  [found]: {byReference: emptyTable(), kinds: new Map()},
};

export function track(tracker: Tracker, xr: string, dependencies: Dependencies): Tracker {
  const before = tracker.xrs.get(xr);
  const xrs = put(tracker.xrs, xr, dependencies);
  const {byReference, kinds} = tracker[found];
  const own = ownReferences(dependencies);
  if (before === undefined) {
    const isNew = [...own.kinds.keys()].some((kind) => !kinds.has(kind));
    return {
      xrs,
      [found]: {
        byReference: withXr(byReference, own.texts, xr),
        kinds: isNew ? new Map([...kinds, ...own.kinds]) : kinds,
      },
    };
  }
  const old = ownReferences(before);
  if (old.text === own.text) return {xrs, [found]: tracker[found]};
  const others = withoutXr(byReference, old.texts, xr);
  return {xrs, [found]: {byReference: withXr(others, own.texts, xr), kinds: allKinds(xrs)}};
}

export function forget(tracker: Tracker, xr: string): Tracker {
  const before = tracker.xrs.get(xr);
  if (before === undefined) return tracker;
  const xrs = drop(tracker.xrs, xr);
  const byReference = withoutXr(tracker[found].byReference, ownReferences(before).texts, xr);
  return {xrs, [found]: {byReference, kinds: allKinds(xrs)}};
}

/** The requirements of a pipeline step when the XR was last composed. */
export function requirementsOf(tracker: Tracker, xr: string, step: string): readonly Requirement[] {
  return (tracker.xrs.get(xr)?.required ?? []).filter((requirement) => requirement.step === step);
}

/** The keys of the XRs that depend on the object. */
export function dependantsOf({xrs, [found]: {byReference}}: Tracker, object: KubeObject): readonly string[] {
  const {name, namespace} = object.metadata;
  const named = byReference.get(textOf({...object, name, ...(namespace === undefined ? {} : {namespace})})) ?? [];
  const others = byReference.get(textOf(object)) ?? [];
  const maybe = new Set([...named, ...others]);
  const inOrder = maybe.size < 2 ? [...maybe] : xrs.keys().filter((xr) => maybe.has(xr));
  return inOrder.filter((xr) => referencesIn(xrs.get(xr) as Dependencies).some((one) => matches(one, object)));
}

/** Every kind some XR depends on, each once. Asked at every reconcile of every XR. */
export function kindsOf(tracker: Tracker): readonly GroupVersionKind[] {
  return [...tracker[found].kinds.values()];
}

function allKinds(xrs: Table<Dependencies>): Kinds {
  const kinds = new Map<string, GroupVersionKind>();
  for (const dependencies of xrs.values()) {
    for (const [text, kind] of ownReferences(dependencies).kinds) if (!kinds.has(text)) kinds.set(text, kind);
  }
  return kinds;
}

function withXr(byReference: ByReference, texts: readonly string[], xr: string): ByReference {
  return texts.reduce((table, text) => put(table, text, [...(table.get(text) ?? []), xr]), byReference);
}

function withoutXr(byReference: ByReference, texts: readonly string[], xr: string): ByReference {
  return texts.reduce((table, text) => {
    const others = (table.get(text) ?? []).filter((one) => one !== xr);
    return others.length === 0 ? drop(table, text) : put(table, text, others);
  }, byReference);
}

interface OwnReferences {
  /** Each once; what is referred to by label is there by its kind alone. */
  readonly texts: readonly string[];
  /** The same for the same references in the same order. */
  readonly text: string;
  readonly kinds: Kinds;
}

const ownReferences = remembering((dependencies: Dependencies): OwnReferences => {
  const references = referencesIn(dependencies);
  const texts = [...new Set(references.map(textOf))];
  const kinds = new Map(references.map(({apiVersion, kind}) => [`${apiVersion} ${kind}`, {apiVersion, kind}]));
  return {texts, text: texts.join(), kinds};
});

function textOf({apiVersion, kind, namespace = '', name}: Reference): string {
  return name === undefined ? `${apiVersion} ${kind}` : `${apiVersion} ${kind} ${namespace}/${name}`;
}

function referencesIn({composed, required}: Dependencies): readonly Reference[] {
  return required.length === 0 ? composed : [...composed, ...required.map(({reference}) => reference)];
}

// By name the namespace must be the object's own; by label an absent namespace is every namespace.
function matches(reference: Reference, object: KubeObject): boolean {
  if (reference.kind !== object.kind || reference.apiVersion !== object.apiVersion) return false;
  const {name, namespace, labels = {}} = object.metadata;
  if (reference.name !== undefined) return reference.name === name && reference.namespace === namespace;
  if (reference.namespace !== undefined && reference.namespace !== namespace) return false;
  return Object.entries(reference.labels ?? {}).every(([key, value]) => labels[key] === value);
}
