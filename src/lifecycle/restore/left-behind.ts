// Objects that a restore left behind: listed by the XR, composed by it according to Crossplane's own marks, without a controller
// reference, and no longer desired. A backup that is older than function-tether has none of our marks, and those of Crossplane can
// be copied (facts/ownership.ts). So Crossplane forgets the object in that very reconcile, and no controller deletes it.
//
// The condition lists it until a person has decided. The list is read back from the condition of the observed XR, because
// Crossplane keeps nothing else for a function. A user who may write the XR's status can change the list, but the list neither
// keeps nor deletes anything. An object stays listed if the pipeline wants its resource name again: Crossplane then creates a second
// one, and both live. Crossplane before v1.17 shows no conditions, so there only an event reports it.
//
// `restore.trustReferencesUntil` takes the XR's list and Crossplane's marks as proof, for objects created until then. So does an input
// that names a Crossplane which deletes the object instead of forgetting it: adopted, it is lost no sooner.

import {labelComposite} from '../facts/marks.ts';
import {annotatedNames, labelOf, madeAt} from '../facts/metadata.ts';
import {digestOf, isAskable, labelOutermost, prefixOf} from '../facts/naming.ts';
import {type Claim, evidenceOn, isControlled, isDeleting} from '../facts/ownership.ts';
import {condition} from '../facts/ready.ts';
import type {Input} from '../input/input.ts';
import type {Ruled, Scene} from '../input/scene.ts';
import {versionNumber} from '../input/usage-api.ts';
import {ofObject, requirementOf} from '../questions/registry.ts';
import type {Decision} from '../words/decision.ts';
import type {ResourceSelector} from '../words/edit.ts';
import {parsed, text} from '../words/json.ts';
import {quoted} from '../words/phrases.ts';
import {isSameKind, type ObjectRef, objectKey} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';

export interface LeftBehind {
  readonly resourceName: string;
  readonly object: ObjectRef;
}

const rememberedMax = 20;

/** True if the input trusts the XR's own list about the object, and Crossplane's marks on it. */
export function trustedBy({
  snapshot: {xr, observed, schemas},
  input,
  claim,
}: Ruled & Pick<Scene, 'claim'>): (view: ResourceView) => boolean {
  const until = deletesOwnerless(schemas, input) ? always : input.restore?.trustReferencesUntil;
  if (until === undefined || madeAt(xr) > until) return () => false;
  const known = formerClaim(observed, claim);
  return (view) => madeAt(view) <= until && evidenceOn(view, known) !== 'against' && isMarkedByCrossplane(view, xr);
}

/** A backup was restored into a namespace of another name, if all that the XR lists has the identity of one and the same other XR. */
function formerClaim(observed: Snapshot['observed'], claim: Claim): Claim {
  if (claim.namespace === '') return claim;
  const ids = new Set([...observed.values()].map((view) => labelOf(view, labelComposite)));
  ids.delete('');
  const [id = claim.id] = ids.size === 1 ? ids : [];
  return {...claim, id};
}

// Later than any date.
const always = '~';

/**
 * True if this Crossplane deletes an object without a controller reference, if the XR lists it and nothing desires it: from
 * crossplane#5876 (v1.16.2, v1.17.0) to v2.3.4. Others forget it (crossplane#7627). Unless the input names the version, it is older
 * than v2.2 if its requests show no capabilities (v2.2.0 composite/composition_functions.go, the same in all later ones).
 */
function deletesOwnerless(schemas: Snapshot['schemas'], {crossplane}: Input): boolean {
  if (crossplane === undefined) return schemas === undefined;
  const number = versionNumber(crossplane);
  return number >= 1_016_002 && number <= 2_003_004;
}

function isMarkedByCrossplane(view: ResourceView, xr: ResourceView): boolean {
  return labelOf(view, labelOutermost) === prefixOf(xr);
}

/** Objects that earlier reconciles left behind and no person has decided about since, from the XR's condition. */
export function leftBehindBefore({xr, observed, required}: Snapshot): readonly LeftBehind[] {
  const said = saidIn(text(condition(xr, 'Tethered')?.['message']));
  if (said.length === 0) return said;
  const decided = annotatedNames(xr, 'gone');
  return said.filter((one) => {
    const there = observed.get(one.resourceName);
    const isBack = there !== undefined && objectKey(there) === objectKey(one.object);
    if (isBack || decided.has(one.resourceName)) return false;
    const found = required.get(askedAs(one))?.find(({name}) => name === one.object.name);
    return required.has(askedAs(one)) ? found !== undefined && !isControlled(found) && !isDeleting(found) : true;
  });
}

/** The questions whether they still exist. Only of kinds that are observed, or whose schema can be asked for first. */
export function leftBehindRequirements(snapshot: Snapshot): ReadonlyMap<string, ResourceSelector> {
  const before = leftBehindBefore({...snapshot, required: new Map()});
  if (before.length === 0) return new Map();
  const observed = [...snapshot.observed.values()];
  const isKnown = ({object}: LeftBehind) =>
    isAskable(object) && (snapshot.schemas !== undefined || observed.some((view) => isSameKind(view, object)));
  return new Map(before.filter(isKnown).map((one) => [askedAs(one), ofObject(one.object)]));
}

function askedAs({object}: LeftBehind): string {
  return requirementOf('leftBehind', digestOf(objectKey(object)).slice(0, 16));
}

/** With what this reconcile leaves behind. Sorted by resource name. */
export function leftBehind(
  before: readonly LeftBehind[],
  decisions: ReadonlyMap<string, Decision>,
  {xr, observed}: Snapshot,
): readonly LeftBehind[] {
  const all = new Map(before.map((one) => [one.resourceName, one]));
  decisions.forEach((decision, resourceName) => {
    if (decision.kind !== 'refuse' || decision.reason !== 'unproven') return;
    const view = observed.get(resourceName);
    if (view !== undefined && isMarkedByCrossplane(view, xr))
      all.set(resourceName, {resourceName, object: decision.object});
  });
  return [...all.values()].sort((a, b) => (a.resourceName < b.resourceName ? -1 : 1)).slice(0, rememberedMax);
}

/** For the condition, by which the next reconcile knows it again. */
export function leftBehindSentence({resourceName, object}: LeftBehind): string {
  const {apiVersion, kind, namespace, name} = object;
  const place = JSON.stringify(namespace === '' ? name : `${namespace}/${name}`);
  return `left behind composed resource ${JSON.stringify(resourceName)}: ${kind} of ${apiVersion} ${place} has no controller reference, and the backup that it comes from is older than function-tether: nothing proves that this XR composed it; delete it unless its external resource holds data, or keep it apart from any XR by its name ${quoted(resourceName)} in the annotation tether.fn.crossplane.io/gone of the XR`;
}

const inQuotes = '("(?:[^"\\\\]|\\\\.)*")';
const words = new RegExp(`left behind composed resource ${inQuotes}: ([\\w.-]+) of ([\\w./-]+) ${inQuotes}`, 'g');

function saidIn(message: string): readonly LeftBehind[] {
  if (!message.includes('left behind')) return [];
  return [...message.matchAll(words)]
    .slice(0, rememberedMax)
    .flatMap(([, resourceName = '""', kind = '', apiVersion = '', said = '""']) => {
      const [name = '', namespace = ''] = text(parsed(said)).split('/').reverse();
      return [{resourceName: text(parsed(resourceName)), object: {apiVersion, kind, namespace, name}}];
    });
}
