// The steps of `tether rehearse`: the options that change something, in their order, as changes of the control plane.

import {jsonPatch, mergePatch} from '../cluster/api/json-patch.ts';
import {isList, isObject, type Json} from '../cluster/json.ts';
import {groupKindOf, groupOf, type KubeObject, refOf} from '../cluster/object.ts';
import type {GivenOption} from '../command-line/option-table.ts';
import type {StepAction} from '../harness/control-plane/operator/action.ts';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import {inDefaultNamespace} from '../harness/control-plane/standing/default-namespace.ts';
import {isCrd} from '../harness/control-plane/standing/source-kinds.ts';
import {InputError} from '../harness/input/input-error.ts';
import {readManifests} from '../harness/input/manifests/read-manifests.ts';
import {parseYaml} from '../harness/input/yaml.ts';
import {editing, isSameObject, replacing} from '../harness/rehearse/edited.ts';
import {type PipelineEdit, withEdits, withFunction, withoutFunction} from '../harness/rehearse/pipeline-edits.ts';
import type {Change} from '../harness/rehearse/rehearsal-steps.ts';
import {reference} from './rehearse-options.ts';

/** Each sees the files of those before it. */
export function changesIn(order: readonly GivenOption[], given: readonly KubeObject[]): readonly Change[] {
  let objects = given;
  const edits: PipelineEdit[] = [];
  return order.flatMap((one) => {
    const changes = changesOf(one, objects, edits);
    if (one.name === 'with' || one.name === 'without') edits.push({kind: one.name, name: one.value});
    for (const change of changes) if (change.kind === 'apply') objects = replaced(objects, change.objects);
    return changes;
  });
}

function manifestsIn(path: string, known: readonly KubeObject[]): readonly KubeObject[] {
  const {objects} = readManifests(path, '');
  return inDefaultNamespace(objects, [...known, ...objects]);
}

function replaced(objects: readonly KubeObject[], edited: readonly KubeObject[]): readonly KubeObject[] {
  const others = objects.filter((one) => !edited.some((after) => isSameObject(after, one)));
  const merged = edited.map((after) => {
    const before = objects.find((one) => isSameObject(after, one));
    return before === undefined ? after : {...before, ...after, metadata: {...before.metadata, ...after.metadata}};
  });
  return [...others, ...merged];
}

/** The pipelines of an `apply` as the options before it change them: steps added or taken out. */
function changesOf(
  {name, value}: GivenOption,
  objects: readonly KubeObject[],
  edits: readonly PipelineEdit[],
): readonly Change[] {
  switch (name) {
    case 'apply':
      return [applying(withEdits(manifestsIn(value, objects), edits), objects)];
    case 'delete':
      return [{kind: 'delete', target: refOf(existing(name, value, objects))}];
    case 'patch':
      return [patching(name, value, objects)];
    case 'annotate':
      return [annotating(value, objects)];
    case 'replace':
      return [replacingAll(value, objects)];
    case 'package':
      return [repackaging(value, objects)];
    case 'upgrade-crossplane':
      return [{kind: 'upgrade', crossplane: profileNamed(value)}];
    case 'with':
      return [applying(withFunction(objects, value), objects)];
    case 'without':
      return [applying(withoutFunction(objects, value), objects)];
    case 'restore':
      return [{kind: 'restore'}];
    default:
      return [];
  }
}

/** A lost object is applied as new, unless the platform reinstalls it. */
function applying(edited: readonly KubeObject[], objects: readonly KubeObject[]): Change & {readonly kind: 'apply'} {
  const actions = edited.map((after) =>
    editing(
      after,
      objects.find((before) => isSameObject(after, before)),
    ),
  );
  return {kind: 'apply', objects: edited, actions};
}

/** `KIND/NAME=REST` as the object and the rest. Throws InputError for any other form. */
function assigned(option: string, text: string, objects: readonly KubeObject[], form: string) {
  const [, named, rest] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (named !== undefined && rest !== undefined) return {object: existing(option, named, objects), rest};
  throw new InputError(`--${option} must look like KIND/NAME=${form}, got "${text}"`);
}

function patching(option: string, text: string, objects: readonly KubeObject[]): Change {
  const {object, rest} = assigned(option, text, objects, 'PATCH');
  const [document] = parseYaml(rest, `--${option}`);
  const body = document?.value;
  if (!isObject(body) && !isList(body)) {
    throw new InputError(`--${option} needs a merge patch or, as a list, a JSON patch, got "${rest}"`);
  }
  return patched(object, body);
}

/** As `kubectl annotate` takes it: `KEY=VALUE`, and `KEY-` to remove it. */
function annotating(text: string, objects: readonly KubeObject[]): Change {
  const {object, rest} = assigned('annotate', text, objects, 'KEY=VALUE, or KEY-');
  const [, removed] = /^([^=]+)-$/.exec(rest) ?? [];
  const [, key = removed, value] = /^([^=]+)=(.*)$/s.exec(rest) ?? [];
  if (key === undefined) throw new InputError(`--annotate must give KEY=VALUE or KEY-, got "${rest}"`);
  return patched(object, {metadata: {annotations: {[key]: value ?? null}}});
}

function patched(object: KubeObject, body: Json): Change {
  const type = isList(body) ? 'json' : 'merge';
  const after = isList(body) ? jsonPatch(object, body) : mergePatch(object, body);
  const action: StepAction = {kind: 'patch', target: refOf(object), type, status: false, body};
  return {kind: 'apply', objects: [(after ?? object) as KubeObject], actions: [action]};
}

/** As `kubectl replace` does: what the file leaves out goes. */
function replacingAll(path: string, objects: readonly KubeObject[]): Change {
  const wanted = manifestsIn(path, objects);
  const actions = wanted.map((after) => {
    const before = objects.find((one) => isSameObject(after, one));
    if (before === undefined) {
      throw new InputError(`--replace ${path}: ${after.kind} "${after.metadata.name}" is not in the source`);
    }
    return replacing(after, before);
  });
  return {kind: 'apply', objects: wanted, actions};
}

/** A Function moves to another package; the definitions of a Provider become those of the package, and it starts again. */
function repackaging(text: string, objects: readonly KubeObject[]): Change {
  const {object, rest} = assigned('package', text, objects, 'PACKAGE');
  switch (groupKindOf(object)) {
    case 'Function.pkg.crossplane.io':
      return patched(object, {spec: {package: rest}});
    case 'Provider.pkg.crossplane.io':
      return upgrading(rest, objects);
    default:
      throw new InputError(`--package must name a Function or a Provider, got ${object.kind}`);
  }
}

function upgrading(path: string, objects: readonly KubeObject[]): Change {
  const served = new Set(objects.filter(isCrd).map(({metadata}) => metadata.name));
  const crds = manifestsIn(path, objects).filter((one) => isCrd(one) && served.has(one.metadata.name));
  if (crds.length === 0) {
    throw new InputError(`--package ${path} has no CustomResourceDefinition that the source has, too`);
  }
  const {actions} = applying(crds, objects);
  return {
    kind: 'apply',
    objects: crds,
    actions: [...actions, {kind: 'process', change: 'restart', process: 'provider'}],
    notes: [
      `not known: what the provider of ${path} does otherwise; its definitions are served from that step on, and the same provider starts again`,
    ],
  };
}

/** Throws InputError for an object that the source does not have, and for a name that more than one has. */
function existing(option: string, text: string, objects: readonly KubeObject[]): KubeObject {
  const {kind, group, namespace, name} = reference(text, `--${option}`);
  const ofKind = objects.filter(
    (one) => one.kind === kind && (group === undefined || group === groupOf(one.apiVersion)),
  );
  const named = ofKind.filter(({metadata}) => metadata.name === name);
  const [first, second] = named.filter(({metadata}) => namespace === undefined || metadata.namespace === namespace);
  if (first === undefined) {
    const names = ofKind.map(({metadata: {namespace, name}}) =>
      namespace === undefined ? name : `${namespace}/${name}`,
    );
    const known = names.length === 0 ? `it has no ${kind}` : `its ${kind} objects are ${names.slice(0, 6).join(', ')}`;
    throw new InputError(`--${option} ${text} is not in the source: ${known}`);
  }
  if (second !== undefined) {
    const ways = [first, second].map(fullReference).join(' and ');
    throw new InputError(`--${option} ${text} names more than one object: say which, as in ${ways}`);
  }
  return first;
}

function fullReference({apiVersion, kind, metadata: {namespace, name}}: KubeObject): string {
  const group = groupOf(apiVersion);
  return [group === '' ? kind : `${kind}.${group}`, ...(namespace === undefined ? [] : [namespace]), name].join('/');
}
