// A sequence as the real API server answered it, and where the simulated one answers differently.

import type {KubeObject} from '../../src/cluster/object.ts';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import {replaySsa} from '../conformance/ssa.ts';
import {type Difference, firstDifference} from './difference.ts';

/** In the form of the recordings of server-side apply. */
export interface AnsweredSequence extends JsonObject {
  readonly id: number;
  readonly category: string;
  readonly kind: string;
  /** Of a kind of Kubernetes itself. */
  readonly apiVersion?: string;
  readonly name: string;
  readonly ops: readonly JsonObject[];
  /** Of a kind that was drawn with the story. */
  readonly definition?: JsonObject;
}

/** The first thing that the simulated API server answers or keeps differently. */
export function differenceIn(told: AnsweredSequence, kinds: readonly KubeObject[]): Difference | undefined {
  const known = told.definition === undefined ? kinds : [told.definition as unknown as KubeObject];
  const {sequences} = replaySsa(JSON.stringify(told), known);
  const [replayed] = sequences;
  if (replayed === undefined || replayed.ops.length < told.ops.length) {
    return {where: 'replay', theirs: 'told', ours: replayed?.differences[0] ?? 'nothing'};
  }
  return firstDifference(
    told.ops.map((operation) => compared(operation)),
    withoutChance(JSON.parse(JSON.stringify(replayed.ops)) as readonly JsonObject[]).map((one) => compared(one)),
  );
}

/** Which address and which port of a node a Service is given differs from run to run. */
export function withoutChance<T extends Json | readonly JsonObject[]>(told: T): T {
  const text = JSON.stringify(told)
    .replaceAll(/"10\.96\.\d+\.\d+"/g, '"${clusterIP}"')
    .replaceAll(/"nodePort":3\d{4}/g, '"nodePort":"${nodePort}"');
  return JSON.parse(text) as T;
}

/** The rules of the recordings: causes are a set, managers have no order, an absent reason is an empty one. */
function compared({response, object}: JsonObject): JsonObject {
  const {code = 0, reason = '', causes = []} = response as JsonObject;
  const texts = (causes as readonly JsonObject[]).map((one) => [
    `${one['reason']} ${one['field']}: ${said(one)}`,
    true,
  ]);
  return {
    response: {code, reason, causes: Object.fromEntries(texts) as JsonObject},
    object: managersSorted(object ?? null),
  };
}

/** Not how Go prints a pod template, nor what differs between two of its structs, which it says on lines of its own. */
function said({field, message}: JsonObject): string {
  const [sentence = ''] = String(message).split('\n');
  return field === 'spec.template' ? sentence.replace(/\{.*\}/, '{}') : sentence;
}

function managersSorted(object: Json): Json {
  const metadata = (object as JsonObject | null)?.['metadata'] as JsonObject | undefined;
  const managed = metadata?.['managedFields'] as readonly JsonObject[] | undefined;
  if (managed === undefined) return object;
  const keyOf = ({manager, operation, subresource}: JsonObject) =>
    JSON.stringify([manager, operation, subresource ?? '']);
  const sorted = [...managed].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  return {...(object as JsonObject), metadata: {...metadata, managedFields: sorted}};
}
