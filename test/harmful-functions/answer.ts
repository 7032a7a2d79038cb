// One RunFunction call between the honest function and its caller: what was asked, and an answer that may still change.

import {withConnectionDetails} from '../../src/cluster/crossplane/composite/function-call.ts';
import {equal, isObject, type Json, type JsonObject} from '../../src/cluster/json.ts';
import type {FunctionReply} from '../../src/cluster/kernel/call.ts';
import {conditionOf, type KubeObject} from '../../src/cluster/object.ts';
import type {InProcessFunction} from '../../src/harness/functions/builtin.ts';
import {cursorOf, wholeSlice} from '../../src/wire/cursor.ts';
import {decodeRequest, type RequestMessage, type StateMessage} from '../../src/wire/request-decode.ts';
import {encodeRequest, type ResourceBody} from '../../src/wire/request-encode.ts';
import type {Condition, ResourceSelector, Result} from '../../src/wire/resource-message.ts';
import {decodeResponse, type ResponseBody} from '../../src/wire/response-decode.ts';
import {encodeResponse} from '../../src/wire/response-encode.ts';
import {decodeStruct} from '../../src/wire/struct-cells.ts';

export interface Call {
  readonly xr: KubeObject;
  readonly input: JsonObject;
  /** By resource name, sorted: what the XR has. */
  readonly observed: ReadonlyMap<string, KubeObject>;
  /** Values in the Secrets of what the XR has. */
  readonly details: readonly string[];
  /** What the earlier steps desire. */
  readonly desired: ReadonlyMap<string, KubeObject>;
  /** Names of requirements that are answered. */
  readonly required: readonly string[];
  readonly answer: Answer;
}

export interface Answer {
  /** The desired XR. */
  composite: ResourceBody | undefined;
  /** By resource name, sorted: what leaves. */
  readonly resources: Map<string, ResourceBody & {readonly object: KubeObject}>;
  ttlSeconds: number;
  status: JsonObject | undefined;
  readonly results: Result[];
  conditions: Condition[];
  readonly requirements: Map<string, ResourceSelector>;
  context: JsonObject | undefined;
}

/** The honest function's answers, changed. Where it refuses a request its refusal passes. */
export function changing(honest: InProcessFunction, change: (call: Call) => void): InProcessFunction {
  return (bytes, service) => {
    const reply = honest(bytes, service);
    if (!reply.ok) return reply;
    const request = decodeRequest(bytes);
    const body = withConnectionDetails(decodeResponse(reply.response), reply.response);
    if (request.observed.composite === undefined || body.results.some(({severity}) => severity === 'fatal'))
      return reply;
    const answer = answerOf(body);
    try {
      change({...asked(request), answer});
    } catch (error) {
      if (error instanceof Failed) return {ok: false, message: error.message};
      throw error;
    }
    return encoded(body, answer);
  };
}

/** Thrown by a change: the call fails. */
export class Failed extends Error {}

/** The honest function, asked something else: every other byte of the request stays. */
export function askedInstead(honest: InProcessFunction, change: (input: JsonObject) => JsonObject): InProcessFunction {
  return (bytes, service) => {
    const {input} = decodeRequest(bytes);
    if (input === undefined) return honest(bytes, service);
    const nothing = {resources: new Map()};
    const before = decodeStruct(input);
    const after = change(before);
    if (equal(before, after)) return honest(bytes, service);
    const changed = encodeRequest({tag: '', observed: nothing, desired: nothing, input: after});
    const parts = [
      ...partsOf(bytes, (field) => field !== inputField),
      ...partsOf(changed, (field) => field === inputField),
    ];
    return honest(Buffer.concat(parts), service);
  };
}

const inputField = 4;

/** The bytes of each field that is wanted, with its tag. */
function partsOf(bytes: Uint8Array, isWanted: (field: number) => boolean): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  const cursor = cursorOf(wholeSlice(bytes));
  while (!cursor.done) {
    const start = cursor.at;
    const tag = cursor.tag();
    cursor.skip(tag);
    if (isWanted(tag >>> 3)) parts.push(bytes.subarray(start, cursor.at));
  }
  return parts;
}

function asked({observed, desired, input, requiredResources}: RequestMessage): Omit<Call, 'answer'> {
  const objects = ({resources}: StateMessage) =>
    new Map([...resources.keys()].sort().map((name) => [name, resources.get(name)?.json() as KubeObject]));
  return {
    xr: observed.composite?.json() as KubeObject,
    input: input === undefined ? {} : decodeStruct(input),
    observed: objects(observed),
    details: [...observed.resources.values()].flatMap(({connectionDetails}) =>
      [...connectionDetails.values()].map((bytes) => Buffer.from(bytes).toString()),
    ),
    desired: objects(desired),
    required: [...requiredResources.keys()],
  };
}

function answerOf({desired, ttlSeconds, results, conditions, requirements, context}: ResponseBody): Answer {
  return {
    composite: desired.composite,
    resources: new Map([...desired.resources].sort(([one], [other]) => (one < other ? -1 : 1))) as Answer['resources'],
    ttlSeconds: ttlSeconds ?? 60,
    status: undefined,
    results: [...results],
    conditions: [...conditions],
    requirements: new Map(requirements),
    context,
  };
}

function encoded(body: ResponseBody, answer: Answer): FunctionReply {
  const {composite, resources, ttlSeconds, status, results, conditions, requirements, context} = answer;
  const passing = encodeRequest({
    tag: body.tag,
    observed: {resources: new Map()},
    desired: {...(composite === undefined ? {} : {composite}), resources},
    ...(context === undefined ? {} : {context}),
  });
  const isOld = body.extraRequirements.size > 0;
  const response = encodeResponse(decodeRequest(passing), {
    ttlSeconds,
    compositeStatus: status,
    resources: new Map(),
    results,
    conditions,
    requirements: isOld ? new Map([...body.extraRequirements, ...requirements]) : requirements,
    schemas: body.schemaRequirements,
    requirementFields: isOld ? ['extra_resources', 'resources'] : ['resources'],
  });
  return {ok: true, response};
}

export function isTrue(object: KubeObject, type: string): boolean {
  return conditionOf(object, type)?.status === 'True';
}

/** Whether the object stands for an external resource. */
export function isManaged({spec}: KubeObject): boolean {
  return isObject(spec?.['forProvider']);
}

export function isUsage({kind}: KubeObject): boolean {
  return /Usage$/.test(kind);
}

/** Whether the object is an XR within another. */
export function isXr({kind}: Pick<KubeObject, 'kind'>): boolean {
  return kind === 'App' || kind === 'Site';
}

/** What leaves of an object that is observed. */
export function bare({apiVersion, kind, metadata: {name, namespace}, spec, data}: KubeObject): KubeObject {
  return {
    apiVersion,
    kind,
    metadata: {name, ...(namespace === undefined ? {} : {namespace})},
    ...(spec === undefined ? {} : {spec}),
    ...(data === undefined ? {} : {data}),
  };
}

/** The object with a field set. Each word of the way is a field. */
export function withField<T extends JsonObject>(object: T, [first, ...rest]: readonly string[], value: Json): T {
  const inner = object[first as string];
  const field = rest.length === 0 ? value : withField(isObject(inner) ? inner : {}, rest, value);
  return {...object, [first as string]: field};
}
