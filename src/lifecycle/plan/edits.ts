// Turns decisions into edits of the desired state: passing resources get marks, waiting ones are left out, held ones are emitted.

import {annotationEmittedName, annotationExternalName, type EmittedName} from '../external-names/external-names.ts';
import {withFilledMaps} from '../facts/applied-empty.ts';
import {guarded} from '../facts/apply-guard.ts';
import {holdBody} from '../facts/hold-body.ts';
import {amended, ownMarks, withMarks} from '../facts/marks.ts';
import {annotationOf, fieldEntriesOf, withAnnotations, withoutAnnotations} from '../facts/metadata.ts';
import {isSetAsideName} from '../facts/naming.ts';
import {condition} from '../facts/ready.ts';
import {annotationFrom, comesFrom, isExchanged, lastinglyMarked, lastingMarks, markOn} from '../moves/annotations.ts';
import {readyOn} from '../moves/between-xrs/exchange.ts';
import {readyAs, standingBody} from '../moves/objects.ts';
import {foundBy} from '../questions/registry.ts';
import {withForeground} from '../removal/foreground.ts';
import {annotationPolicies, policiesIn, usualPolicies, withOrphanPolicies} from '../removal/policies.ts';
import {withoutBy, withoutReplay} from '../removal/relax.ts';
import {marksOf, noMarks, type Subject} from '../restore/coming-back.ts';
import {isKeptEarlier} from '../templates/templates.ts';
import {checkMark} from '../usages/in-use.ts';
import {type Decision, rowOf} from '../words/decision.ts';
import type {Amend, Edit, Metadata} from '../words/edit.ts';
import {asObject, at, fromEntries, type Json, type JsonObject, sortedMap, text} from '../words/json.ts';
import {memoized} from '../words/memo.ts';
import {kindIn, kindOf, objectKey} from '../words/references.ts';
import type {Ready, ResourceView, Snapshot} from '../words/snapshot.ts';
import {unreachable} from '../words/unreachable.ts';
import type {Situation} from './situation.ts';

/** By resource name, in the order of the decisions. `isUnready`: whether the XR is, whatever its resources are. */
export function editsOf(
  decisions: ReadonlyMap<string, Decision>,
  names: ReadonlyMap<string, EmittedName>,
  situation: Situation,
  isUnready: boolean,
): ReadonlyMap<string, Edit> {
  const {snapshot, comingBack} = situation;
  const edits = new Map<string, Edit>();
  decisions.forEach((decision, resourceName) => {
    const edit = editOf(resourceName, decision, situation, names);
    if (edit === undefined) return;
    const subject = subjectOf(resourceName, decision, edit, situation);
    const marks = marksOf(subject, decision, snapshot.xr, comingBack);
    const taking = (one: Edit) => withUnowned(resourceName, one, subject, situation);
    edits.set(resourceName, taking(withMetadataOf(edit, marks, foregroundFinalizers(resourceName, edit, situation))));
  });
  // Crossplane before v1.17 shows no report of a function, and ignores what it reports of the XR. So as long as the XR shows none, one
  // desired resource is unready in its place.
  if (isUnready && condition(snapshot.xr, 'Tethered') === undefined) {
    const name =
      sortedMap(snapshot.desired)
        .keys()
        .find((one) => edits.get(one)?.kind !== 'drop') ?? '';
    const edit = edits.get(name);
    const body = snapshot.desired.get(name)?.json() ?? {};
    const object = edit?.kind === 'put' ? edit.object : edit?.kind === 'amend' ? amended(body, edit.overlay) : body;
    if (name !== '') edits.set(name, {kind: 'put', object, ready: 'false'});
  }
  return edits;
}

/**
 * The edit, with our marks on an object that came back without our managedFields, and the policies that we set, as they are. To leave
 * out a field that Crossplane does not own alone changes nothing, so it applies them once. It takes all fields from other managers
 * before its first apply, and from before-first-apply before its second (crossplane v2.3.4 internal/ssa/managed_fields.go).
 *
 * A create with managedFields leaves Crossplane the owner references, and so no first apply. Another value makes a field its own alone.
 */
function withUnowned(resourceName: string, edit: Edit, subject: Subject, {snapshot, claim}: Situation): Edit {
  const {view} = subject;
  if (edit.kind === 'drop' || view === undefined) return edit;
  const {observed} = snapshot;
  const isObserved = observed.get(subject.resourceName) === view;
  if (isObserved && !lastinglyMarked(observed).has(subject.resourceName)) return edit;
  const present = lastingMarks.filter((key) => annotationOf(view, key) !== '');
  const wanted = snapshot.desired.get(resourceName);
  const body = edit.kind === 'put' ? edit.object : amended(wanted?.json() ?? {}, edit.overlay);
  const marks = present.flatMap((key): [string, string][] => {
    const owners = fieldEntriesOf(view).filter(
      ({fieldsV1}) => at(fieldsV1, ['f:metadata', 'f:annotations', `f:${key}`]) !== undefined,
    );
    const isApplied = owners.some((one) => one['manager'] === claim.manager);
    const isKept = at(body, ['metadata', 'annotations', key]) !== undefined || (isApplied && owners.length === 1);
    return isKept ? [] : [[key, isApplied ? '' : annotationOf(view, key)]];
  });
  if (marks.length === 0) return edit;
  const annotations = Object.fromEntries(marks);
  const note = annotations[annotationPolicies];
  const set = policiesIn(note === undefined ? '' : annotationOf(view, annotationPolicies)).flatMap(
    (name): [string, Json][] => {
      const there = view.field(['spec', name]);
      return there === undefined ? [] : [[name, note === '' ? usualPolicies[name] : there]];
    },
  );
  const object = {...withAnnotations(body, annotations), spec: {...fromEntries(set), ...asObject(body['spec'])}};
  // A person may have set another policy meanwhile. Under its next resource name the object has another version by then.
  const isPresent = observed.get(resourceName) === view;
  const ready = edit.kind === 'put' ? edit.ready : (wanted?.ready ?? 'unspecified');
  return {kind: 'put', object: isPresent ? guarded(object, view) : object, ready};
}

// Of two names of one object always the same one counts, in whatever order the request has them.
const namesIn = memoized(
  (observed: Snapshot['observed']) =>
    new Map([...sortedMap(observed)].map(([resourceName, view]) => [objectKey(view), resourceName])),
  new WeakMap(),
);

/** The object that an edit is for: of a moving one it is observed under another resource name, of a found one under none yet. */
function subjectOf(
  resourceName: string,
  decision: Decision,
  edit: Edit,
  {snapshot, owners, answers}: Situation,
): Subject {
  const present = presentName(resourceName, edit, snapshot);
  const owner = owners.byName.get(present)?.kind;
  const found = foundBy(decision, answers);
  const isOurs = found !== undefined || owner === 'ours' || owner === 'unadopted';
  return {resourceName: present, view: found ?? snapshot.observed.get(present), isOurs};
}

function presentName(resourceName: string, edit: Edit, {observed, desired, xr}: Snapshot): string {
  const there = observed.get(resourceName);
  const wanted = desired.get(resourceName);
  const body = edit.kind === 'put' ? edit.object : undefined;
  const name = body === undefined ? (wanted?.name ?? '') : text(at(body, ['metadata', 'name']));
  const kind = body === undefined ? (wanted ?? there) : kindOf(body);
  if (name === '' || name === there?.name || kind === undefined) return resourceName;
  const said = body === undefined ? wanted?.namespace : text(at(body, ['metadata', 'namespace']));
  const object = {...kindIn(kind), namespace: xr.namespace || (said ?? ''), name};
  return namesIn(observed).get(objectKey(object)) ?? resourceName;
}

/** A nested XR that uses something is deleted after the resources that it composes, whichever client deletes it. */
function foregroundFinalizers(resourceName: string, edit: Edit, {snapshot, removal}: Situation) {
  const view = removal.users.has(resourceName) ? snapshot.observed.get(resourceName) : undefined;
  if (view === undefined) return undefined;
  const path = ['metadata', 'finalizers'];
  return withForeground(
    view,
    edit.kind === 'put' ? at(edit.object, path) : snapshot.desired.get(resourceName)?.field(path),
  );
}

/** The edit with these annotations and finalizers. Undefined takes off an annotation that a held object is observed with. */
function withMetadataOf(edit: Edit, marks: ReturnType<typeof marksOf>, finalizers: readonly Json[] | undefined): Edit {
  if (edit.kind === 'drop' || (edit.kind === 'amend' && marks === noMarks && finalizers === undefined)) return edit;
  const isPut = edit.kind === 'put';
  const changed = Object.entries(marks).filter(([key, value]) =>
    isPut ? at(edit.object, ['metadata', 'annotations', key]) !== value : value !== undefined,
  );
  if (changed.length === 0 && finalizers === undefined) return edit;
  const added = Object.fromEntries(changed.filter((one): one is [string, string] => one[1] !== undefined));
  const more = finalizers && {finalizers};
  if (!isPut) {
    const {metadata} = edit.overlay;
    return {...edit, overlay: {metadata: {...metadata, ...more, annotations: {...metadata.annotations, ...added}}}};
  }
  const gone = changed.filter(([, value]) => value === undefined).map(([key]) => key);
  const object = {...edit.object, metadata: {...asObject(edit.object['metadata']), ...more}};
  return {...edit, object: changed.length === 0 ? object : withAnnotations(withoutAnnotations(object, gone), added)};
}

function editOf(
  resourceName: string,
  decision: Decision,
  situation: Situation,
  names: ReadonlyMap<string, EmittedName>,
): Edit | undefined {
  const generated = situation.generated.get(resourceName);
  switch (decision.kind) {
    case 'keep':
    case 'create':
    case 'adopt':
      // It passes with the marks of that step.
      if (isKeptEarlier(situation.snapshot.desired.get(resourceName), situation.claim)) return undefined;
      if (generated !== undefined) return emit(resourceName, decision, generated, situation);
      return (
        editOfMoving(resourceName, decision, situation) ??
        editOfPassing(resourceName, decision, situation, amendmentOf(resourceName, decision, situation, names))
      );
    case 'wait':
      return {kind: 'drop'};
    case 'hold':
    case 'retain':
      return emit(
        resourceName,
        decision,
        heldBody(resourceName, decision, situation),
        situation,
        heldReady(resourceName, situation),
      );
    case 'refuse':
      return editOfRefused(resourceName, decision, situation);
    case 'move':
      return editOfMoved(resourceName, situation);
    case 'release':
      return situation.snapshot.desired.has(resourceName) ? {kind: 'drop'} : undefined;
    default:
      return unreachable(decision);
  }
}

/** The fields set on a resource that passes: our marks, where it came from, its external name and its own name. */
function amendmentOf(
  resourceName: string,
  decision: Decision,
  situation: Situation,
  names: ReadonlyMap<string, EmittedName>,
): Amend {
  const metadata = ownMarks(situation.claim.id, resourceName, rowOf(decision).phase);
  const origin = situation.moved.origins.get(resourceName);
  const emitted = names.get(resourceName);
  const named = objectNameOf(resourceName, decision, situation);
  // As of nearly all resources.
  if (origin === undefined && emitted === undefined && named === undefined) return {kind: 'amend', overlay: {metadata}};
  const {name, resourceVersion = ''} = emitted ?? {};
  const annotations = {
    ...metadata.annotations,
    ...(origin === undefined ? {} : {[annotationFrom]: origin}),
    ...(name === undefined ? {} : {[annotationExternalName]: name, [annotationEmittedName]: name}),
  };
  const guard = resourceVersion === '' ? {} : {resourceVersion};
  return {kind: 'amend', overlay: {metadata: {...metadata, ...named, ...guard, annotations}}};
}

/** The name of the object to adopt, or of one to create that has a name. */
function objectNameOf(
  resourceName: string,
  decision: Decision,
  {snapshot}: Situation,
): Pick<Metadata, 'name' | 'namespace'> | undefined {
  if (decision.kind === 'adopt' && decision.reason === 'found-by-label') {
    const {name, namespace} = decision.object;
    return namespace === '' ? {name} : {name, namespace};
  }
  if (snapshot.observed.has(resourceName)) return undefined;
  const name = snapshot.desired.get(resourceName)?.name ?? '';
  return name === '' ? undefined : {name};
}

/**
 * A resource that passes: one of the earlier steps is amended; one of a template, or one with a map that a hold filled, is emitted.
 * A template with unresolved values is emitted as observed, also if it is adopted. So is one that the lookup found: the earlier steps
 * have not seen it yet, and a function that keeps a generated value if it observes one has generated another.
 */
function editOfPassing(resourceName: string, decision: Decision, situation: Situation, amend: Amend): Edit | undefined {
  const {snapshot, templates, claim, answers} = situation;
  const wanted = snapshot.desired.get(resourceName);
  const observed = snapshot.observed.get(resourceName);
  const found = foundBy(decision, answers);
  const held = found && holdBody(found, claim.manager);
  const filled = wanted && observed && withFilledMaps(() => wanted.json(), observed, claim.manager);
  const body = held ?? filled ?? templates.composed.get(resourceName)?.body;
  if (body !== undefined)
    return {kind: 'put', object: amended(body, amend.overlay), ready: wanted?.ready ?? 'unspecified'};
  if (observed === undefined || !templates.unresolved.has(resourceName)) return amend;
  return emit(resourceName, decision, holdBody(observed, claim.manager), situation);
}

/**
 * A refused resource passes as it is, and one that is not proven to be this XR's is left to Crossplane. One that another UID
 * controls stays desired even if no step desires it. Leaving it out would make composed GC fail and stop the whole XR; its apply
 * alone is rejected, for a second controller reference, and changes nothing.
 */
function editOfRefused(
  resourceName: string,
  decision: Decision & {readonly kind: 'refuse'},
  situation: Situation,
): Edit | undefined {
  const {snapshot, removal, templates, claim} = situation;
  if (decision.reason === 'unproven') return undefined;
  if (decision.reason === 'cannot-hand-over') return editOfMoved(resourceName, situation);
  if (decision.reason === 'unwritable') {
    return emit(resourceName, decision, situation.generated.get(resourceName), situation);
  }
  const view = snapshot.observed.get(resourceName);
  if (decision.reason === 'kind-changed' && view !== undefined) {
    // As ready as its own condition: the purpose of the object has not changed.
    return emit(resourceName, decision, holdBody(view, claim.manager), situation, readyAs(view));
  }
  const template = templates.composed.get(resourceName);
  if (template !== undefined) return {kind: 'put', object: template.body, ready: 'unspecified'};
  const stays = removal.leaving.has(resourceName) || templates.unresolved.has(resourceName);
  return view === undefined || !stays
    ? undefined
    : emit(resourceName, decision, holdBody(view, claim.manager), situation);
}

/**
 * A resource that a restore brought back in the middle of a move is adopted as observed, whether the XR lists it or the lookup
 * found it. Its desired body would set its policies too soon and remove the mark of the move.
 */
function editOfMoving(resourceName: string, decision: Decision, situation: Situation): Edit | undefined {
  if (decision.kind !== 'adopt') return undefined;
  const {answers, snapshot, claim} = situation;
  const view = foundBy(decision, answers) ?? snapshot.observed.get(resourceName);
  // Its own annotations show a move under way, whatever else is observed.
  if (view === undefined || !(isSetAsideName(comesFrom(view)) || isExchanged(view))) return undefined;
  const {body, ready} = standingBody(resourceName, view, claim);
  return {kind: 'put', object: body, ready: readyOn(markOn(view)?.stage, ready)};
}

function editOfMoved(resourceName: string, {moved}: Situation): Edit | undefined {
  const emitted = moved.bodies.get(resourceName);
  return emitted && {kind: 'put', object: emitted.body, ready: emitted.ready};
}

/** A desired resource is as ready as its own condition while it is held, as when it is being deleted. */
function heldReady(resourceName: string, {snapshot}: Situation): Ready | undefined {
  const view = snapshot.desired.has(resourceName) ? snapshot.observed.get(resourceName) : undefined;
  return view && readyAs(view);
}

/** A leaving resource counts as ready, so that the XR stays ready meanwhile. So does one that this function adds. */
function emit(
  resourceName: string,
  decision: Decision,
  body: JsonObject | undefined,
  {claim, templates}: Situation,
  ready: Ready = templates.unresolved.get(resourceName)?.ready ?? 'true',
): Edit | undefined {
  if (body === undefined) return undefined;
  return {kind: 'put', object: withMarks(body, claim.id, resourceName, rowOf(decision).phase), ready};
}

function heldBody(
  resourceName: string,
  decision: Decision & {readonly kind: 'hold' | 'retain'},
  situation: Situation,
): JsonObject | undefined {
  const {snapshot, answers} = situation;
  const view = snapshot.observed.get(resourceName) ?? foundBy(decision, answers);
  if (view === undefined) return undefined;
  const mark = checkMark(view, decision.kind === 'hold' && decision.reason === 'in-use', situation);
  const body = stayingBody(decision, view, situation);
  return mark === undefined ? body : withAnnotations(body, mark);
}

function stayingBody(
  decision: Decision & {readonly kind: 'hold' | 'retain'},
  view: ResourceView,
  {claim: {manager}}: Situation,
): JsonObject {
  if (decision.kind === 'retain') return holdBody(view, manager);
  if (decision.reason === 'relax-first')
    return decision.by === undefined ? withoutReplay(view, manager) : withoutBy(view, manager);
  if (decision.reason === 'orphan-first') return withOrphanPolicies(holdBody(view, manager), view);
  return holdBody(view, manager);
}
