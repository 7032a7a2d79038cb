// The possible changes of a story: values of an XR that might be edited, and parts of a Composition or an XR that might be left
// out so that one resource leaves. Only candidates: a trial shows the effect of each.

import {versionsOf} from '../../cluster/defined-kinds.ts';
import {at, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {type KubeObject, versionOf} from '../../cluster/object.ts';
import {pipelineSteps} from '../functions/pipeline-functions.ts';

export interface Edit {
  /** The change, for the step's name. */
  readonly what: string;
  /** A merge patch of the XR. */
  readonly patch: JsonObject;
  readonly xr: KubeObject;
}

export interface Removal {
  readonly what: string;
  /** The object to apply: a Composition or an XR with less in it. */
  readonly object: KubeObject;
  /** The same as a JSON patch, where that is short. */
  readonly patch?: readonly JsonObject[];
}

/** Fields that control how resources run: an edit would change the meaning of the story's end. */
const untouchable =
  /policy|policies|providerconfig|^region$|^location$|compositionref|compositionselector|^crossplane$|writeconnection|secret|password/i;

export function editsOf(xr: KubeObject, definition: KubeObject): readonly Edit[] {
  const leaves = leavesOf(xr.spec ?? {}, []);
  const edits = leaves.flatMap(({path, value}) => {
    const changed = changedValue(value, schemaAt(specSchema(xr, definition), path));
    if (changed === undefined) return [];
    const spec = replaced(xr.spec ?? {}, path, changed) as JsonObject;
    const what = `spec.${path.join('.')} becomes ${JSON.stringify(changed)}`;
    return [{what, patch: {spec: leastPatch(spec, path)}, xr: {...xr, spec}, rank: rankOf(path, value)}];
  });
  return edits.toSorted((left, right) => left.rank - right.rank);
}

type Path = readonly (string | number)[];

function leavesOf(value: Json, path: Path): readonly {readonly path: Path; readonly value: Json}[] {
  if (isList(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]));
  if (!isObject(value)) return [{path, value}];
  return Object.entries(value).flatMap(([key, one]) => (untouchable.test(key) ? [] : leavesOf(one, [...path, key])));
}

/** Names and selectors that others refer to: an edit of one rarely leaves the same resource. */
const isName = /(name|namespace|id|ref|selector|labels?|arn|key|path|url|host|domain|version)$/i;

/** Numbers and switches first, names last. */
function rankOf(path: Path, value: Json): number {
  const rank = ['number', 'boolean', 'string'].indexOf(typeof value);
  return path.some((key) => isName.test(String(key))) ? rank + 3 : rank;
}

function changedValue(value: Json, schema: JsonObject | undefined): Json | undefined {
  const words = schema?.['enum'];
  if (isList(words)) return words.find((word) => word !== value);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') {
    const more = value + 1;
    return more <= Number(schema?.['maximum'] ?? Number.POSITIVE_INFINITY) ? more : value - 1;
  }
  if (typeof value !== 'string' || schema?.['pattern'] !== undefined || schema?.['format'] !== undefined)
    return undefined;
  const edited = `${value}-edited`;
  const isWord = /^[A-Za-z][\w -]*$/.test(value) && edited.length <= Number(schema?.['maxLength'] ?? 63);
  return isWord ? edited : undefined;
}

function specSchema({apiVersion}: KubeObject, definition: KubeObject): JsonObject | undefined {
  const version = versionsOf(definition).find(({name}) => name === versionOf(apiVersion));
  const schema = at(version, ['schema', 'openAPIV3Schema', 'properties', 'spec']);
  return isObject(schema) ? schema : undefined;
}

function schemaAt(schema: JsonObject | undefined, path: Path): JsonObject | undefined {
  return path.reduce<JsonObject | undefined>((above, key) => {
    const below = typeof key === 'number' ? at(above, ['items']) : at(above, ['properties', key]);
    return isObject(below) ? below : undefined;
  }, schema);
}

function replaced(value: Json, [key, ...rest]: Path, by: Json): Json {
  if (key === undefined) return by;
  if (isList(value)) return value.map((item, index) => (index === key ? replaced(item, rest, by) : item));
  return isObject(value) ? {...value, [key]: replaced(value[key] ?? null, rest, by)} : value;
}

/** Maps down to the value, or to the first list on the way: a merge patch replaces lists whole. */
function leastPatch(value: Json, [key, ...rest]: Path): Json {
  if (key === undefined || !isObject(value)) return value;
  return {[key]: leastPatch(value[key] ?? null, rest)};
}

/** The last first: what comes last in a Composition is rarely what others stand on. */
export function removalsOf(xr: KubeObject, compositions: readonly KubeObject[]): readonly Removal[] {
  const ofCompositions = compositions.flatMap((composition) => {
    return pipelineSteps(composition).flatMap((step, index) => [
      ...entriesLeftOut(step, index, composition),
      ...documentsLeftOut(step, index, composition),
    ]);
  });
  return [...ofCompositions, ...itemsLeftOut(xr)];
}

const perKindMax = 12;

/** Inputs that list resources by name, as that of function-patch-and-transform does. */
function entriesLeftOut(step: Json, index: number, composition: KubeObject): readonly Removal[] {
  const resources = at(step, ['input', 'resources']);
  if (!isList(resources)) return [];
  const found = resources.flatMap((one, entry): readonly Removal[] => {
    const name = at(one, ['name']);
    if (typeof name !== 'string') return [];
    const path = `/spec/pipeline/${index}/input/resources/${entry}`;
    const rest = resources.filter((_, other) => other !== entry);
    return [
      {
        what: 'the Composition no longer names it',
        object: withInput(composition, index, ['resources'], rest),
        patch: [
          {op: 'test', path: `${path}/name`, value: name},
          {op: 'remove', path},
        ],
      },
    ];
  });
  return found.toReversed().slice(0, perKindMax);
}

/** Inline templates of function-go-templating: a document of theirs that opens no block which another closes. */
function documentsLeftOut(step: Json, index: number, composition: KubeObject): readonly Removal[] {
  const template = at(step, ['input', 'inline', 'template']);
  if (typeof template !== 'string') return [];
  const documents = template.split(/^(?=---\s*$)/m);
  const found = documents.flatMap((text, entry): readonly Removal[] => {
    if (!/^\s*kind:/m.test(text) || !isWhole(text)) return [];
    const rest = documents.filter((_, other) => other !== entry).join('');
    const object = withInput(composition, index, ['inline', 'template'], rest);
    return [{what: 'the Composition no longer names it', object}];
  });
  return documents.length < 2 ? [] : found.toReversed().slice(0, perKindMax);
}

function isWhole(text: string): boolean {
  const opened = text.match(/\{\{-?\s*(range|if|with|define|block)\b/g)?.length ?? 0;
  const closed = text.match(/\{\{-?\s*end\b/g)?.length ?? 0;
  const defines = /\{\{-?\s*\$\w+\s*:=/.test(text);
  return opened === closed && !defines;
}

function withInput(composition: KubeObject, step: number, path: readonly string[], value: Json): KubeObject {
  return replaced(composition, ['spec', 'pipeline', step, 'input', ...path], value) as KubeObject;
}

/** Lists of the XR with their last item left out. */
function itemsLeftOut(xr: KubeObject): readonly Removal[] {
  const lists = listsOf(xr.spec ?? {}, []).filter(({list}) => list.length > 1);
  return lists.slice(0, perKindMax).map(({path, list}) => ({
    what: `the last of spec.${path.join('.')} is left out`,
    object: {...xr, spec: replaced(xr.spec ?? {}, path, list.slice(0, -1)) as JsonObject},
  }));
}

function listsOf(value: Json, path: Path): readonly {readonly path: Path; readonly list: readonly Json[]}[] {
  if (isList(value)) return [{path, list: value}];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => (untouchable.test(key) ? [] : listsOf(one, [...path, key])));
}
