// The cloud: a ledger of external resources with counters of what was really carried out. A create comes into being at
// its commit time, whether or not the caller waits for the answer; updates and deletes take effect when they are
// answered, as the recorded cloud's did. Reads may lag behind a create (`visibleDelayMs`).
//
// Not modelled: quotas, partial updates, dependencies between external resources (a VPC with subnets deletes at once) and
// authentication. Sound here because no property asks whether the cloud would have refused an allowed request.

import {equal, type JsonObject} from '../json.ts';
import {remembering} from '../memo.ts';
import {drop, emptyTable, put} from '../table.ts';
import {
  type CloudConfig,
  type ConfigChange,
  defaultConfig,
  identifier,
  isOwnIdentifier,
  type TypeConfig,
} from './cloud-config.ts';
import type {CloudModel} from './cloud-model.ts';
import type {
  CloudRequest,
  CreateRequest,
  ExternalReply,
  ExternalRequest,
  ExternalView,
  UpdateRequest,
} from './cloud-protocol.ts';
import type {CloudCounters, CloudLedger, External, InFlight} from './ledger-state.ts';

const idPlaceholder = '{id}';

type Answered = {readonly ledger: CloudLedger; readonly reply: ExternalReply};

/** A fresh cloud as the kernel runs it. */
export function cloudModel(config: CloudConfig = defaultConfig): CloudModel {
  return {
    initial: {
      config,
      externals: emptyTable(),
      counters: {creates: 0, updates: 0, deletes: 0, outOfBandDeletes: 0},
      named: 0,
      namedFor: emptyTable(),
      inFlight: emptyTable(),
    },
    begin,
    finish,
  };
}

/** The external resources alive at `nowMs`, in the order of creation. */
export function aliveExternals(ledger: CloudLedger, nowMs: number): readonly External[] {
  return [...settle(ledger, nowMs).externals.values()];
}

export function countersAt(ledger: CloudLedger, nowMs: number): CloudCounters {
  return settle(ledger, nowMs).counters;
}

/** Changes how the cloud behaves from now on; requests in flight keep their course. */
export function reconfigured(ledger: CloudLedger, change: ConfigChange): CloudLedger {
  return {...ledger, config: {...ledger.config, ...change}};
}

/** Creates an external resource without a provider. */
export function putOutOfBand(
  ledger: CloudLedger,
  {id, type, fields, owner, shown}: Pick<External, 'id' | 'type' | 'fields' | 'shown'> & {owner?: string},
  nowMs: number,
): CloudLedger {
  const external: External = {
    id,
    type,
    owner,
    fields,
    ...(shown === undefined ? {} : {shown}),
    createdAtMs: nowMs,
    visibleAtMs: nowMs,
  };
  return {...ledger, externals: put(ledger.externals, keyOf(external), external)};
}

/** Deletes an external resource without a provider; no change if it does not exist. */
export function deleteOutOfBand(ledger: CloudLedger, id: string, nowMs: number): CloudLedger {
  const settled = settle(ledger, nowMs);
  const external = settled.externals.values().find((one) => one.id === id);
  return external === undefined ? settled : removed(settled, external, 'outOfBandDeletes');
}

/** Of an external resource. */
export function keyOf({type, id}: Pick<External, 'type' | 'id'>): string {
  return `${type}/${id}`;
}

function begin(
  before: CloudLedger,
  cloudRequest: CloudRequest,
  ticket: string,
  nowMs: number,
): {state: CloudLedger; answerAfterMs: number} {
  const request = cloudRequest as ExternalRequest;
  const ledger = settle(before, nowMs);
  const {latencyMs, createDelayMs, updateDelayMs, deleteDelayMs} = configOf(ledger, request.type);
  switch (request.op) {
    case 'create': {
      const {state, entry} = beginCreate(ledger, request, nowMs);
      return {state: waiting(state, ticket, entry), answerAfterMs: latencyMs + createDelayMs};
    }
    case 'get':
      return {state: waiting(ledger, ticket, {request}), answerAfterMs: latencyMs};
    case 'update':
      return {state: waiting(ledger, ticket, {request}), answerAfterMs: latencyMs + updateDelayMs};
    case 'delete':
      return {state: waiting(ledger, ticket, {request}), answerAfterMs: latencyMs + deleteDelayMs};
  }
}

function beginCreate(
  ledger: CloudLedger,
  request: CreateRequest,
  nowMs: number,
): {state: CloudLedger; entry: InFlight} {
  const {config} = ledger;
  if (config.failCreates > 0) {
    const reply: ExternalReply = {code: 500, error: 'cloud says no'};
    return {state: reconfigured(ledger, {failCreates: config.failCreates - 1}), entry: {request, reply}};
  }
  const {createDelayMs} = configOf(ledger, request.type);
  const commitAtMs =
    config.commitAt === 'end' ? nowMs + createDelayMs : nowMs + Math.min(config.commitAt, createDelayMs);
  const entry: InFlight = {request, commitAtMs};
  if (config.failAfterCommit === 0) return {state: ledger, entry};
  const state = reconfigured(ledger, {failAfterCommit: config.failAfterCommit - 1});
  return {state, entry: {...entry, failsAfterCommit: true}};
}

function waiting(ledger: CloudLedger, ticket: string, entry: InFlight): CloudLedger {
  return {...ledger, inFlight: put(ledger.inFlight, ticket, entry)};
}

function finish(before: CloudLedger, ticket: string, nowMs: number): {state: CloudLedger; reply: ExternalReply} {
  const settled = settle(before, nowMs);
  const entry = settled.inFlight.get(ticket);
  if (entry === undefined) throw new Error(`the cloud never took in request ${ticket}`);
  const ledger: CloudLedger = {...settled, inFlight: drop(settled.inFlight, ticket)};
  if (entry.reply !== undefined) return {state: ledger, reply: entry.reply};
  const {ledger: state, reply} = answer(ledger, entry.request, nowMs);
  return {state, reply};
}

function answer(ledger: CloudLedger, request: ExternalRequest, nowMs: number): Answered {
  const external = request.op === 'create' ? undefined : ledger.externals.get(keyOf(request));
  if (external === undefined) return {ledger, reply: {code: 404, error: 'not found'}};
  switch (request.op) {
    case 'get': {
      if (external.visibleAtMs > nowMs) return {ledger, reply: {code: 404, error: 'not found'}};
      return {ledger, reply: {code: 200, external: viewOf(ledger, external, nowMs)}};
    }
    case 'update':
      return answerUpdate(ledger, external, request, nowMs);
    case 'delete':
      return {ledger: removed(ledger, external, 'deletes'), reply: {code: 200}};
    case 'create':
      throw new Error('a create is answered from its commit');
  }
}

function answerUpdate(ledger: CloudLedger, external: External, {fields}: UpdateRequest, nowMs: number): Answered {
  const shown = external.shown === undefined ? {} : {shown: {...external.shown, ...changed(external.fields, fields)}};
  const next: External = {...external, fields: {...external.fields, ...fields}, ...shown};
  const counters = {...ledger.counters, updates: ledger.counters.updates + 1};
  return {
    ledger: {...ledger, counters, externals: put(ledger.externals, keyOf(external), next)},
    reply: {code: 200, external: viewOf(ledger, next, nowMs)},
  };
}

/** Carries out the creates whose commit time has come, in the order they were taken in. */
function settle(ledger: CloudLedger, nowMs: number): CloudLedger {
  const {pieces, places} = ledger.inFlight;
  let settled = ledger;
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at] as readonly InFlight[];
    if (firstCommitMs(piece) > nowMs) continue;
    for (const [index, entry] of piece.entries()) {
      const atMs = commitMsOf(entry);
      if (atMs <= nowMs) settled = commit(settled, places.pieces[at]?.keys[index] as string, entry, atMs);
    }
  }
  return settled;
}

/** When the first create of some requests is carried out. Found once: what is asked of the cloud changes few of them. */
const firstCommitMs = remembering((piece: readonly InFlight[]) =>
  piece.reduce((first, entry) => Math.min(first, commitMsOf(entry)), Number.POSITIVE_INFINITY),
);

function commitMsOf({commitAtMs, reply}: InFlight): number {
  return commitAtMs === undefined || reply !== undefined ? Number.POSITIVE_INFINITY : commitAtMs;
}

function commit(ledger: CloudLedger, ticket: string, entry: InFlight, atMs: number): CloudLedger {
  const request = entry.request as CreateRequest;
  const type = configOf(ledger, request.type);
  const owner = `${request.type}-${request.owner}`;
  const nth = type.idStyle === 'owner' ? (ledger.namedFor.get(owner) ?? 0) + 1 : ledger.named + 1;
  const id = chosenId(ledger, request) ?? identifier(type, nth, owner);
  if (ledger.externals.has(keyOf({type: request.type, id}))) {
    const reply: ExternalReply = {code: 409, error: `${id} already exists`};
    return waiting(ledger, ticket, {...entry, reply});
  }
  const external: External = {
    id,
    type: request.type,
    owner: request.owner,
    fields: {...type.defaults, ...request.fields},
    createdAtMs: atMs,
    visibleAtMs: atMs + ledger.config.visibleDelayMs,
  };
  const created = {committedAtMs: atMs, committedId: id};
  const reply: ExternalReply =
    entry.failsAfterCommit === true
      ? {code: 500, error: 'cloud says no', ...created}
      : {code: 201, external: viewOf(ledger, external, atMs), ...created};
  return waiting(
    {
      ...ledger,
      externals: put(ledger.externals, keyOf(external), external),
      counters: {...ledger.counters, creates: ledger.counters.creates + 1},
      named: ledger.named + 1,
      namedFor: type.idStyle === 'owner' ? put(ledger.namedFor, owner, nth) : ledger.namedFor,
    },
    ticket,
    {...entry, reply},
  );
}

/** The identifier that the client chose; undefined if the cloud chooses. */
function chosenId(ledger: CloudLedger, {type, asked}: CreateRequest): string | undefined {
  if (asked === undefined) return undefined;
  return asked.unlessChosen === true && isOwnIdentifier(configOf(ledger, type), type, asked.id) ? undefined : asked.id;
}

/** The fields that are not as they were. */
function changed(before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !equal(before[name], value)));
}

function removed(ledger: CloudLedger, external: External, counter: 'deletes' | 'outOfBandDeletes'): CloudLedger {
  const counters = {...ledger.counters, [counter]: ledger.counters[counter] + 1};
  return {...ledger, externals: drop(ledger.externals, keyOf(external)), counters};
}

function viewOf(ledger: CloudLedger, {id, type, fields, shown, createdAtMs}: External, nowMs: number): ExternalView {
  const {attributes: templates, readyDelayMs} = configOf(ledger, type);
  const computed = Object.entries(templates).map(([name, value]) => [name, value.replaceAll(idPlaceholder, id)]);
  const state = nowMs < createdAtMs + readyDelayMs ? 'creating' : 'available';
  const view = {id, fields, attributes: Object.fromEntries(computed), state} as const;
  return shown === undefined ? view : {...view, shown};
}

function configOf({config}: CloudLedger, type: string): CloudConfig & TypeConfig {
  return {...config, ...config.types[type]};
}
