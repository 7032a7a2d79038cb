// apiextensions.fn.proto.v1 RunFunctionResponse from a request and its changes. All else is copied byte for byte: the composite,
// the context, every desired resource without a change, and fields of a later contract inside of them. The request's order is kept;
// additions come last, sorted. So equal requests give equal bytes.
//
// Written back to front (see sink.ts): every function here writes its fields last to first.

import type {CallMemory} from './call-memory.ts';
import {type Slice, wholeSlice} from './cursor.ts';
import type {JsonObject} from './json.ts';
import type {RequestMessage, ResourceField, StateMessage} from './request-decode.ts';
import {
  type Condition,
  type Ready,
  type ResourceMessage,
  type ResourceSelector,
  type Result,
  readyNumbers,
  resourceObject,
  resourceReady,
  type SchemaSelector,
  severityNumbers,
  statusNumbers,
  targetNumbers,
} from './resource-message.ts';
import {Sink} from './sink.ts';
import {allLevels, amendStruct, encodeStruct} from './struct-encode.ts';
import {atPlace, keyPlace} from './text.ts';

/** The change of one desired resource. `ready` left out stays as it is. */
export type ResourceChange =
  | {readonly kind: 'drop'}
  /** Lay the overlay over the desired object (see struct-encode.ts). */
  | {readonly kind: 'amend'; readonly overlay: JsonObject; readonly ready?: Ready}
  /** Put this object in place of whatever is there. */
  | {readonly kind: 'put'; readonly object: JsonObject; readonly ready: Ready};

export interface ResponseChanges {
  readonly ttlSeconds: number;
  /** Fields to set in the desired composite's status; a field that is there already is replaced whole. */
  readonly compositeStatus?: JsonObject | undefined;
  /** The readiness of the desired composite; left out, it stays as it is. */
  readonly compositeReady?: Ready | undefined;
  /** By resource name; each is asked for once. Resources that are not named pass. */
  readonly resources: Pick<ReadonlyMap<string, ResourceChange>, 'get' | 'keys'>;
  readonly results: readonly Result[];
  readonly conditions: readonly Condition[];
  /** Fields to set in the context. */
  readonly context?: JsonObject | undefined;
  /** By requirement name. */
  readonly requirements: ReadonlyMap<string, ResourceSelector>;
  /** Kinds whose schema Crossplane should look up, by requirement name. */
  readonly schemas?: ReadonlyMap<string, SchemaSelector>;
  /** Which fields carry the requirements: extra_resources is what Crossplane before v2 reads. */
  readonly requirementFields: readonly ('resources' | 'extra_resources')[];
}

const changesSizeHint = 16_384;
const none: Slice = wholeSlice(new Uint8Array(0));

/** The bytes of the response to `request`. Throws WireError if a change holds what no Struct can hold. */
export function encodeResponse(request: RequestMessage, changes: ResponseChanges, memory?: CallMemory): Uint8Array {
  const passing = length(request.desired.slice) + length(request.context ?? none);
  const sink = new Sink(Math.ceil(passing * 1.25) + changesSizeHint, memory, request.index);
  writeConditions(sink, changes.conditions);
  writeRequirements(sink, changes);
  writeContext(sink, request.context, changes.context);
  writeResults(sink, changes.results);
  const sizeBefore = sink.size;
  writeDesired(sink, request.desired, changes);
  if (sink.size > sizeBefore) sink.message(2, sizeBefore);
  writeMeta(sink, request.tag, changes.ttlSeconds);
  return sink.finish();
}

/** The bytes of a response that only reports: desired state, if any could be read, passes whole. */
export function encodeRefusal(tag: string, desired: Slice | undefined, ttlSeconds: number, results: readonly Result[]) {
  const sink = new Sink(length(desired ?? none) + changesSizeHint);
  writeResults(sink, results);
  if (desired !== undefined) sink.copy(2, desired.bytes, desired.start, desired.end);
  writeMeta(sink, tag, ttlSeconds);
  return sink.finish();
}

/** Of a field in both, the one that is added counts: it comes last. */
function writeContext(sink: Sink, passing: Slice | undefined, added: JsonObject | undefined): void {
  if (passing === undefined && added === undefined) return;
  const sizeBefore = sink.size;
  if (added !== undefined) encodeStruct(sink, added);
  if (passing !== undefined) sink.raw(passing.bytes, passing.start, passing.end);
  sink.message(4, sizeBefore);
}

function writeMeta(sink: Sink, tag: string, ttlSeconds: number): void {
  const sizeBefore = sink.size;
  sink.uint(1, ttlSeconds);
  sink.message(2, sizeBefore);
  sink.text(1, tag);
  sink.message(1, sizeBefore);
}

function writeDesired(sink: Sink, desired: StateMessage, changes: ResponseChanges): void {
  const {resources, compositeStatus, compositeReady} = changes;
  const changesComposite = compositeStatus !== undefined || compositeReady !== undefined;
  const added = [...resources.keys()].filter((key) => !desired.resources.has(key)).sort();
  for (const key of added.reverse()) writeChange(sink, key, undefined, resources.get(key));
  const {bytes, start: first} = desired.slice;
  let upTo = desired.slice.end;
  for (let index = desired.fields.length - 1; index >= 0; index--) {
    const {start, end, resource} = desired.fields[index] as ResourceField;
    const {key} = resource;
    const change = key === undefined ? undefined : resources.get(key);
    if (key === undefined ? !changesComposite : change === undefined) continue;
    sink.raw(bytes, end, upTo);
    if (key === undefined) writeComposite(sink, resource, changes);
    // Of a name given twice the last one counts; the others must not come back in its place.
    else if (desired.resources.get(key) === resource) writeChange(sink, key, resource, change);
    upTo = start;
  }
  sink.raw(bytes, first, upTo);
  if (changesComposite && desired.composite === undefined) writeComposite(sink, undefined, changes);
}

function writeComposite(sink: Sink, from: ResourceMessage | undefined, changes: ResponseChanges): void {
  const overlay = changes.compositeStatus === undefined ? {} : {status: changes.compositeStatus};
  const sizeBefore = sink.size;
  void from?.object;
  try {
    writeResource(sink, from, overlay, 1, changes.compositeReady);
  } catch (error) {
    throw atPlace('desired.composite', error);
  }
  sink.message(1, sizeBefore);
}

function writeChange(
  sink: Sink,
  key: string,
  from: ResourceMessage | undefined,
  change: ResourceChange | undefined,
): void {
  if (change === undefined || change.kind === 'drop') return;
  const sizeBefore = sink.size;
  // Read before the try: errors of its bytes already name the resource.
  void from?.object;
  try {
    if (change.kind === 'put') writePut(sink, change);
    else if (from !== undefined) writeResource(sink, from, change.overlay, allLevels, change.ready);
    else return;
  } catch (error) {
    throw atPlace(`desired.resources${keyPlace(key)}`, error);
  }
  sink.message(2, sizeBefore);
  sink.text(1, key);
  sink.message(2, sizeBefore);
}

function writePut(sink: Sink, change: ResourceChange & {readonly kind: 'put'}): void {
  sink.uint(resourceReady, readyNumbers[change.ready]);
  const sizeBefore = sink.size;
  // Its integers came as doubles: from an observed object, or from an input that holds no other integers.
  encodeStruct(sink, change.object, 'any');
  sink.message(resourceObject, sizeBefore);
}

// The message of a resource with `overlay` laid over its object; everything else of it stays as it came.
function writeResource(
  sink: Sink,
  from: ResourceMessage | undefined,
  overlay: JsonObject,
  mergeDepth: number,
  ready?: Ready,
): void {
  sink.int32(resourceReady, ready === undefined ? (from?.readyNumber ?? 0) : readyNumbers[ready]);
  for (const other of (from?.others ?? []).toReversed()) sink.raw(other.bytes, other.start, other.end);
  const sizeBefore = sink.size;
  if (from === undefined) encodeStruct(sink, overlay);
  else amendStruct(sink, from.object, overlay, mergeDepth);
  sink.message(resourceObject, sizeBefore);
}

function writeResults(sink: Sink, results: readonly Result[]): void {
  for (const result of results.toReversed()) {
    const sizeBefore = sink.size;
    if (result.target !== undefined) sink.uint(4, targetNumbers[result.target]);
    if (result.reason !== undefined) sink.text(3, result.reason, true);
    sink.text(2, result.message);
    sink.uint(1, severityNumbers[result.severity]);
    sink.message(3, sizeBefore);
  }
}

function writeConditions(sink: Sink, conditions: readonly Condition[]): void {
  for (const condition of conditions.toReversed()) {
    const sizeBefore = sink.size;
    if (condition.target !== undefined) sink.uint(5, targetNumbers[condition.target]);
    if (condition.message !== undefined) sink.text(4, condition.message, true);
    sink.text(3, condition.reason);
    sink.uint(2, statusNumbers[condition.status]);
    sink.text(1, condition.type);
    sink.message(6, sizeBefore);
  }
}

// Left out when there are none: Crossplane calls once more for a requirements message that differs from the absent one.
function writeRequirements(sink: Sink, changes: ResponseChanges): void {
  const {requirements, schemas = new Map<string, SchemaSelector>()} = changes;
  if (requirements.size + schemas.size === 0) return;
  const sizeBefore = sink.size;
  for (const name of [...schemas.keys()].sort().reverse())
    writeSelector(sink, 3, name, schemas.get(name) as SchemaSelector);
  for (const name of [...requirements.keys()].sort().reverse()) {
    const selector = requirements.get(name) as ResourceSelector;
    if (changes.requirementFields.includes('resources')) writeSelector(sink, 2, name, selector);
    if (changes.requirementFields.includes('extra_resources')) writeSelector(sink, 1, name, selector);
  }
  sink.message(5, sizeBefore);
}

function writeSelector(sink: Sink, field: number, name: string, selector: ResourceSelector): void {
  const sizeBefore = sink.size;
  if (selector.namespace !== undefined) sink.text(5, selector.namespace);
  if (selector.match?.kind === 'name') sink.text(3, selector.match.name, true);
  if (selector.match?.kind === 'labels') writeLabels(sink, selector.match.labels);
  sink.text(2, selector.kind);
  sink.text(1, selector.apiVersion);
  sink.message(2, sizeBefore);
  sink.text(1, name);
  sink.message(field, sizeBefore);
}

function writeLabels(sink: Sink, labels: {readonly [key: string]: string}): void {
  const sizeBefore = sink.size;
  for (const key of Object.keys(labels).sort().reverse()) {
    const entrySizeBefore = sink.size;
    sink.text(2, labels[key] as string);
    sink.text(1, key);
    sink.message(1, entrySizeBefore);
  }
  sink.message(4, sizeBefore);
}

function length(slice: Slice): number {
  return slice.end - slice.start;
}
