import type {KubeObject} from '../../src/cluster/object.ts';
import type {Selector} from '../../src/harness/control-plane/catalogue.ts';
import type {StepAction} from '../../src/harness/control-plane/operator/action.ts';
import {
  asAmount,
  asBoolean,
  asObject,
  asOneOf,
  asString,
  type Cursor,
  entries,
  fail,
  items,
  maybe,
  onlyFields,
  optional,
  required,
  strings,
} from '../../src/harness/input/cursor.ts';

// The scenarios of the recorder, as typed steps. Only the recorder writes this format; our own scenarios are another
// one (harness/scenario). Values keep their `${name:...}` placeholders: they are filled in when the step runs.

export interface RecordedScenario {
  readonly name: string;
  readonly provider: ProviderChange;
  readonly steps: readonly RecordedStep[];
}

export interface RecordedStep {
  readonly label: string;
  readonly actions: readonly Action[];
  readonly wait?: RecordedWait;
  /** Seconds without any watch event before the step ends; 0 ends it at once. */
  readonly quietSeconds: number;
  readonly maxSeconds: number;
}

export type Action =
  | {readonly kind: 'operate'; readonly action: StepAction}
  /** The recorder had a backup tool of its own. */
  | {readonly kind: 'backup'; readonly kinds: readonly string[]}
  | {readonly kind: 'wipe'; readonly kinds: readonly string[]}
  | ({readonly kind: 'restore'} & RestoreOptions)
  | {readonly kind: 'provider'; readonly change: ProviderChange};

export interface RestoreOptions {
  readonly order: readonly string[];
  readonly only: readonly string[];
  readonly exclude: readonly string[];
  readonly keepOwnerReferences: boolean;
  readonly keepFinalizers: boolean;
  readonly keepStatus: boolean;
  readonly keepGenerateName: boolean;
  readonly stripResourceRefs: boolean;
  /** Annotations that the tool adds to the objects of some kinds. */
  readonly annotate: Annotating;
}

export interface Annotating {
  /** Absent: every kind. */
  readonly kinds?: readonly string[];
  readonly annotations: {readonly [key: string]: string};
}

export type RecordedWait = {readonly seconds: number} | ObjectWait;

export interface ObjectWait {
  readonly ref: Selector;
  readonly until: WaitCondition;
  readonly timeoutSeconds: number;
}

export type WaitCondition =
  | {readonly kind: 'condition'; readonly type: string; readonly status: string; readonly reason?: string}
  | {readonly kind: 'absent' | 'exists' | 'deleting'};

/** How the emulated provider behaves from now on; absent fields stay as they are. */
export interface ProviderChange {
  readonly enabled?: boolean;
  readonly finalizer?: boolean;
  readonly readyDelayMs?: number;
  readonly deleteDelayMs?: number | 'never';
  readonly per?: {readonly [resource: string]: ProviderChange};
}

const actionFields = [
  'apply',
  'create',
  'patch',
  'delete',
  'crossplane',
  'kcm',
  'backup',
  'wipe',
  'restore',
  'provider',
];

export function parseRecordedScenario(recorded: Cursor): RecordedScenario {
  const cursor = {...recorded, value: inOurWords(recorded.value)};
  onlyFields(cursor, ['name', 'description', 'provider', 'steps', 'crossplaneArgs']);
  return {
    name: asString(required(cursor, 'name')),
    provider: maybe(cursor, 'provider', parseProvider) ?? {},
    steps: items(required(cursor, 'steps')).map(parseStep),
  };
}

/** The recorder's placeholders say `crn` for the name of a composed resource in the pipeline. */
function inOurWords(value: Cursor['value']): Cursor['value'] {
  return JSON.parse(JSON.stringify(value).replaceAll(/(\$\{(?:name|uid|label):)crn=/g, '$1resource='));
}

function parseStep(cursor: Cursor): RecordedStep {
  onlyFields(cursor, ['step', 'wait', 'quiet', 'max', ...actionFields]);
  const actions = actionFields.flatMap((field) => {
    const value = optional(cursor, field);
    return value === undefined ? [] : [parseAction(field, value)];
  });
  const first = actionFields.find((field) => optional(cursor, field) !== undefined);
  const label = maybe(cursor, 'step', asString) ?? first ?? 'wait';
  const wait = maybe(cursor, 'wait', parseWait);
  return {
    label,
    actions,
    ...(wait === undefined ? {} : {wait}),
    quietSeconds: maybe(cursor, 'quiet', asAmount) ?? 2,
    maxSeconds: maybe(cursor, 'max', asAmount) ?? 30,
  };
}

/** What the recorder called the processes. */
const processes = {crossplane: 'crossplane', kcm: 'owner-gc'} as const;

function operate(action: StepAction): Action {
  return {kind: 'operate', action};
}

function parseAction(field: string, cursor: Cursor): Action {
  switch (field) {
    case 'apply':
    case 'create':
      return operate({kind: field, objects: oneOrMany(cursor).map(parseObject)});
    case 'patch':
      return parsePatch(cursor);
    case 'delete': {
      onlyFields(cursor, ['ref', 'propagationPolicy']);
      const policy = maybe(cursor, 'propagationPolicy', (value) =>
        asOneOf(value, ['Background', 'Foreground', 'Orphan'] as const),
      );
      const target = parseSelector(required(cursor, 'ref'));
      const action = {kind: 'delete', target, ignoreNotFound: false} as const;
      return operate(policy === undefined ? action : {...action, propagationPolicy: policy});
    }
    case 'crossplane':
    case 'kcm':
      return operate({kind: 'process', process: processes[field], change: asOneOf(cursor, ['start', 'stop'])});
    case 'backup':
    case 'wipe':
      onlyFields(cursor, ['kinds']);
      return {kind: field, kinds: strings(required(cursor, 'kinds'))};
    case 'restore':
      return {kind: 'restore', ...parseRestore(cursor)};
    default:
      return {kind: 'provider', change: parseProvider(cursor)};
  }
}

function parsePatch(cursor: Cursor): Action {
  onlyFields(cursor, ['ref', 'type', 'subresource', 'body']);
  return operate({
    kind: 'patch',
    target: parseSelector(required(cursor, 'ref')),
    type: maybe(cursor, 'type', (value) => asOneOf(value, ['merge', 'json'] as const)) ?? 'merge',
    status: maybe(cursor, 'subresource', (value) => asOneOf(value, ['status'] as const)) !== undefined,
    body: required(cursor, 'body').value,
  });
}

function parseRestore(cursor: Cursor): RestoreOptions {
  const lists = ['order', 'only', 'exclude'];
  const flags = ['ownerRefs', 'finalizers', 'keepGenerateName', 'stripResourceRefs', 'status', 'annotate'];
  onlyFields(cursor, [...lists, ...flags]);
  const list = (key: string): readonly string[] =>
    maybe(cursor, key, (value) => (typeof value.value === 'string' ? [value.value] : strings(value))) ?? [];
  const kept = (key: string): boolean => maybe(cursor, key, (value) => asOneOf(value, ['keep', 'drop'])) === 'keep';
  const flag = (key: string): boolean => maybe(cursor, key, asBoolean) ?? false;
  return {
    order: list('order'),
    only: list('only'),
    exclude: list('exclude'),
    keepOwnerReferences: kept('ownerRefs'),
    keepFinalizers: kept('finalizers'),
    keepStatus: kept('status'),
    keepGenerateName: flag('keepGenerateName'),
    stripResourceRefs: flag('stripResourceRefs'),
    annotate: maybe(cursor, 'annotate', parseAnnotating) ?? {annotations: {}},
  };
}

function parseAnnotating(cursor: Cursor): Annotating {
  onlyFields(cursor, ['kinds', 'annotations']);
  const pairs = entries(required(cursor, 'annotations')).map(([key, value]) => [key, asString(value)] as const);
  const kinds = maybe(cursor, 'kinds', strings);
  return {annotations: Object.fromEntries(pairs), ...(kinds === undefined ? {} : {kinds})};
}

function parseProvider(cursor: Cursor): ProviderChange {
  onlyFields(cursor, ['enabled', 'finalizer', 'readyDelayMs', 'deleteDelayMs', 'per']);
  const per = maybe(cursor, 'per', (value) =>
    Object.fromEntries(entries(value).map(([resource, change]) => [resource, parseProvider(change)])),
  );
  const parts = {
    enabled: maybe(cursor, 'enabled', asBoolean),
    finalizer: maybe(cursor, 'finalizer', asBoolean),
    readyDelayMs: maybe(cursor, 'readyDelayMs', asAmount),
    deleteDelayMs: maybe(cursor, 'deleteDelayMs', (value) => (value.value === 'never' ? 'never' : asAmount(value))),
    per,
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

function parseWait(cursor: Cursor): RecordedWait {
  onlyFields(cursor, ['seconds', 'for', 'timeout']);
  const seconds = maybe(cursor, 'seconds', asAmount);
  if (seconds !== undefined) return {seconds};
  const target = required(cursor, 'for');
  onlyFields(target, ['ref', 'condition', 'status', 'reason', 'absent', 'exists', 'deleting']);
  return {
    ref: parseSelector(required(target, 'ref')),
    until: parseUntil(target),
    timeoutSeconds: maybe(cursor, 'timeout', asAmount) ?? 30,
  };
}

function parseUntil(cursor: Cursor): WaitCondition {
  const type = maybe(cursor, 'condition', asString);
  if (type !== undefined) {
    const reason = maybe(cursor, 'reason', asString);
    const status = maybe(cursor, 'status', asString) ?? 'True';
    return {kind: 'condition', type, status, ...(reason === undefined ? {} : {reason})};
  }
  const kind = (['absent', 'exists', 'deleting'] as const).find((word) => optional(cursor, word)?.value === true);
  return kind === undefined ? fail(cursor, 'wait.for must say condition, absent, exists or deleting') : {kind};
}

function parseSelector(cursor: Cursor): Selector {
  onlyFields(cursor, ['apiVersion', 'kind', 'namespace', 'name', 'crn']);
  const fields = ['apiVersion', 'namespace', 'name', 'crn'].flatMap((key) => {
    const value = maybe(cursor, key, asString);
    return value === undefined ? [] : [[key === 'crn' ? 'resource' : key, value] as const];
  });
  return {kind: asString(required(cursor, 'kind')), ...Object.fromEntries(fields)};
}

function parseObject(cursor: Cursor): KubeObject {
  asString(required(cursor, 'apiVersion'));
  asString(required(cursor, 'kind'));
  asObject(required(cursor, 'metadata'));
  return asObject(cursor) as KubeObject;
}

function oneOrMany(cursor: Cursor): readonly Cursor[] {
  return Array.isArray(cursor.value) ? items(cursor) : [cursor];
}
