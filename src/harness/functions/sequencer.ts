// A model of function-sequencer's order, so that the explorer can be run against it: creation in the order of a sequence,
// and with `enableDeletionSequencing` one Usage for each adjacent pair.
// Source: crossplane-contrib/function-sequencer c283338 (v0.6.0+11). Modelled: patterns anchored unless they begin with ^
// or end with $; a successor is left out until every predecessor is ready and is passed if it is observed; a Usage where
// `of` is desired and observed and `by` is observed; ClusterUsage where `of` has no namespace; replayDeletion false unless
// said. Not modelled: conditions, createOnly and deleteOnly, and several rules at odds.

import {RE2JS} from '@bufbuild/re2';
import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {isJsonObject, type JsonObject} from '../../wire/json.ts';
import {decodeRequest, type RequestMessage} from '../../wire/request-decode.ts';
import type {ResourceMessage} from '../../wire/resource-message.ts';
import type {ResourceChange} from '../../wire/response-encode.ts';
import {decodeStruct} from '../../wire/struct-decode.ts';
import {answered} from './passing.ts';
import {endOf, peerUsage} from './peer-usages.ts';

export function sequencer(request: Uint8Array): FunctionReply {
  const message = decodeRequest(request);
  const input = message.input === undefined ? {} : decodeStruct(message.input);
  const resources = new Map<string, ResourceChange>();
  const sequences = sequencesOf(input);
  if (typeof sequences === 'string') return {ok: false, message: `cannot compile regex ${sequences}`};
  for (const sequence of sequences) {
    if (input['enableDeletionSequencing'] === true) addUsages(message, sequence, input, resources);
    for (const name of delayed(message, sequence)) resources.set(name, {kind: 'drop'});
  }
  return answered(message, {resources});
}

type Sequence = readonly RE2JS[];

/** The first pattern that does not compile, where there is one: the original fails there, too. */
function sequencesOf(input: JsonObject): readonly Sequence[] | string {
  const rules = Array.isArray(input['rules']) ? input['rules'].filter(isJsonObject) : [];
  const texts = rules.map(({sequence}) => (Array.isArray(sequence) ? sequence.map(String) : []));
  const invalid = texts.flat().find((text) => patternOf(text) === undefined);
  return invalid ?? texts.map((sequence) => sequence.flatMap((text) => patternOf(text) ?? []));
}

function patternOf(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern.startsWith('^') || pattern.endsWith('$') ? pattern : `^${pattern}$`);
  } catch {
    return undefined;
  }
}

/** Successors that are not there yet and whose predecessors are not all there and ready. */
function delayed({observed, desired}: RequestMessage, sequence: Sequence): readonly string[] {
  return sequence.flatMap((pattern, index) => {
    const before = sequence.slice(0, index).flatMap((one) => matching(desired.resources, one));
    const isWaiting = before.some(
      (name) => !observed.resources.has(name) || desired.resources.get(name)?.ready !== 'true',
    );
    if (!isWaiting) return [];
    return matching(desired.resources, pattern).filter((name) => !observed.resources.has(name));
  });
}

function addUsages(
  {observed, desired}: RequestMessage,
  sequence: Sequence,
  input: JsonObject,
  resources: Map<string, ResourceChange>,
): void {
  for (const [index, pattern] of sequence.entries()) {
    const next = sequence[index + 1];
    if (next === undefined) continue;
    for (const ofName of matching(desired.resources, pattern)) {
      const of = observed.resources.get(ofName);
      if (of === undefined) continue;
      for (const byName of matching(observed.resources, next)) {
        const by = observed.resources.get(byName);
        if (by === undefined || byName === ofName) continue;
        resources.set(`${byName}-${ofName}-usage`, {kind: 'put', object: usage(of, by, input), ready: 'true'});
      }
    }
  }
}

function usage(of: ResourceMessage, by: ResourceMessage, input: JsonObject): JsonObject {
  return peerUsage({
    of,
    spec: {by: endOf(by), reason: 'dependency', replayDeletion: input['replayDeletion'] === true},
    name: `${by.kind}-${by.name}-${of.kind}-${of.name}`,
    suffix: 'dependency',
    isLegacy: input['usageVersion'] === 'v1',
  });
}

function matching(resources: ReadonlyMap<string, ResourceMessage>, pattern: RE2JS): readonly string[] {
  return [...resources.keys()].filter((name) => pattern.test(name));
}
