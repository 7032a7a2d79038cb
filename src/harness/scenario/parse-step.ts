import type {Selector} from '../control-plane/catalogue.ts';
import {readProfile} from '../control-plane/profile-names.ts';
import {
  asBoolean,
  asCount,
  asObject,
  asOneOf,
  asString,
  type Cursor,
  fail,
  items,
  maybe,
  onlyFields,
  optional,
  pathText,
  required,
  strings,
} from '../input/cursor.ts';
import {readDuration} from '../input/duration.ts';
import {shown} from '../input/input-error.ts';
import type {ManifestReader} from '../manifests/manifest-reader.ts';
import type {Fault, ProcessName, RestoreSetting, StepAction} from '../operator/action.ts';
import {parseExpectation, parseExpectations, parseSelector} from './parse-expectation.ts';
import {actors, faultKinds, type Step, type StepFault, type Wait} from './scenario.ts';

const actionWords = [
  'apply',
  'create',
  'patch',
  'delete',
  'backup',
  'wipe',
  'restore',
  'start',
  'stop',
  'restart',
  'kill',
  'upgrade',
  'fault',
] as const;
type ActionWord = (typeof actionWords)[number];

export function parseStep(cursor: Cursor, manifests: ManifestReader): Step {
  onlyFields(cursor, ['name', 'by', 'early', 'faults', 'wait', 'expect', 'mayFail', ...actionWords]);
  const given = actionWords.filter((word) => optional(cursor, word) !== undefined);
  const [word] = given;
  if (given.length > 1) fail(cursor, `${pathText(cursor)} must have one action, got ${given.join(' and ')}`);
  const wait = maybe(cursor, 'wait', parseWait);
  const expect = maybe(cursor, 'expect', parseExpectations) ?? [];
  if (word === undefined && wait === undefined && expect.length === 0) {
    fail(cursor, `${pathText(cursor)} must do something: one of ${actionWords.join(', ')}, wait or expect`);
  }
  const action = word === undefined ? undefined : parseAction(word, required(cursor, word), manifests);
  const mayFail = maybe(cursor, 'mayFail', asBoolean);
  const by = maybe(cursor, 'by', (one) => asOneOf(one, actors));
  const early = maybe(cursor, 'early', asCount);
  const faults = maybe(cursor, 'faults', items)?.map(parseStepFault);
  return {
    name: maybe(cursor, 'name', asString) ?? (action === undefined ? 'wait' : describe(action)),
    place: cursor.placeOf(cursor.path),
    ...(by === undefined ? {} : {by}),
    ...(action === undefined ? {} : {action}),
    ...(faults === undefined ? {} : {faults}),
    ...(early === undefined ? {} : {early}),
    ...(wait === undefined ? {} : {wait}),
    expect,
    ...(mayFail === undefined ? {} : {mayFail}),
  };
}

function parseStepFault(cursor: Cursor): StepFault {
  onlyFields(cursor, ['fault', 'at']);
  return {
    fault: asOneOf(required(cursor, 'fault'), faultKinds),
    at: maybe(cursor, 'at', asCount) ?? 0,
  };
}

function describe(action: StepAction): string {
  switch (action.kind) {
    case 'apply':
    case 'create':
      return `${action.kind} ${action.objects.map(({kind, metadata}) => `${kind} ${metadata.name}`).join(', ')}`;
    case 'patch':
    case 'delete':
      return `${action.kind} ${action.target.kind} ${action.target.name ?? action.target.crn ?? ''}`.trim();
    case 'process':
      return `${action.change} ${action.process}`;
    case 'upgrade':
      return `upgrade to Crossplane ${action.crossplane}`;
    default:
      return action.kind;
  }
}

function parseAction(word: ActionWord, cursor: Cursor, manifests: ManifestReader): StepAction {
  switch (word) {
    case 'apply':
    case 'create':
      return {kind: word, objects: manifests.objects(cursor)};
    case 'patch':
      return parsePatch(cursor);
    case 'delete':
      return parseDelete(cursor);
    case 'backup':
      onlyFields(cursor, ['tool', 'kinds']);
      return {
        kind: 'backup',
        tool: maybe(cursor, 'tool', (one) => asOneOf(one, ['velero', 'etcd', 'gitops'] as const)) ?? 'velero',
        kinds: maybe(cursor, 'kinds', strings) ?? [],
      };
    case 'wipe':
      onlyFields(cursor, ['kinds']);
      return {kind: 'wipe', kinds: maybe(cursor, 'kinds', strings) ?? []};
    case 'restore':
      return {kind: 'restore', options: parseRestore(cursor)};
    case 'start':
    case 'stop':
    case 'restart':
    case 'kill':
      return {kind: 'process', change: word, process: readProcess(cursor)};
    case 'upgrade':
      onlyFields(cursor, ['crossplane']);
      return {kind: 'upgrade', crossplane: readProfile(required(cursor, 'crossplane'))};
    case 'fault':
      return {kind: 'fault', fault: parseFault(cursor)};
  }
}

/** A selector's fields beside the action's own. */
function targetOf(cursor: Cursor, own: readonly string[]): Selector {
  onlyFields(cursor, ['apiVersion', 'kind', 'namespace', 'name', 'resource', ...own]);
  const fields = Object.entries(asObject(cursor)).filter(([key]) => !own.includes(key));
  return parseSelector({...cursor, value: Object.fromEntries(fields)});
}

function parsePatch(cursor: Cursor): StepAction {
  return {
    kind: 'patch',
    target: targetOf(cursor, ['type', 'subresource', 'body']),
    type: maybe(cursor, 'type', (value) => asOneOf(value, ['merge', 'json'] as const)) ?? 'merge',
    status: maybe(cursor, 'subresource', (value) => asOneOf(value, ['status'] as const)) !== undefined,
    body: required(cursor, 'body').value,
  };
}

function parseDelete(cursor: Cursor): StepAction {
  const target = targetOf(cursor, ['propagationPolicy', 'ignoreNotFound']);
  const ignoreNotFound = maybe(cursor, 'ignoreNotFound', asBoolean) ?? false;
  const policies = ['Background', 'Foreground', 'Orphan'] as const;
  const propagationPolicy = maybe(cursor, 'propagationPolicy', (value) => asOneOf(value, policies));
  const action = {kind: 'delete', target, ignoreNotFound} as const;
  return propagationPolicy === undefined ? action : {...action, propagationPolicy};
}

/** The options of a Velero restore; the other tools have none. */
function parseRestore(cursor: Cursor): RestoreSetting {
  onlyFields(cursor, ['existingResourcePolicy', 'statusOf', 'resources', 'exclude', 'priorities']);
  const policy = maybe(cursor, 'existingResourcePolicy', (value) => asOneOf(value, ['none', 'update'] as const));
  const lists = (['statusOf', 'resources', 'exclude', 'priorities'] as const).flatMap((key) => {
    const list = maybe(cursor, key, strings);
    return list === undefined ? [] : [[key, list] as const];
  });
  return {...(policy === undefined ? {} : {existingResourcePolicy: policy}), ...Object.fromEntries(lists)};
}

function readProcess(cursor: Cursor): ProcessName {
  return asOneOf(cursor, ['crossplane', 'owner-gc', 'provider'] as const);
}

function parseFault(cursor: Cursor): Fault {
  if (cursor.value === 'end') return {kind: 'end'};
  onlyFields(cursor, ['function', 'error', 'crash', 'at']);
  const name = maybe(cursor, 'function', asString);
  if (name !== undefined) return {kind: 'function', name, error: asString(required(cursor, 'error'))};
  const process = maybe(cursor, 'crash', readProcess);
  if (process === undefined) fail(cursor, `a fault must name a function or a crash, got ${shown(cursor.value)}`);
  return {kind: 'crash', process, point: asString(required(cursor, 'at'))};
}

const defaultTimeoutMs = 60_000;

function parseWait(cursor: Cursor): Wait {
  if (typeof cursor.value === 'string' || typeof cursor.value === 'number')
    return {kind: 'time', ms: readDuration(cursor)};
  onlyFields(cursor, ['for', 'quiet', 'timeout']);
  const timeoutMs = maybe(cursor, 'timeout', readDuration) ?? defaultTimeoutMs;
  const quietMs = maybe(cursor, 'quiet', readDuration);
  if (quietMs !== undefined) return {kind: 'quiet', quietMs, timeoutMs};
  return {kind: 'until', expect: parseExpectation(required(cursor, 'for')), timeoutMs};
}
