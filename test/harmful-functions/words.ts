// Functions that misread one word of the input, and functions that harm only a nested XR, the last of many, or a restored world.

import {isList, isObject, type Json, type JsonObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {askedInstead, isTrue, isXr, withField} from './answer.ts';
import {each, type Harmful, row} from './row.ts';

/** The honest function, asked something else. */
export function asking(
  name: string,
  breaks: string,
  story: string,
  change: (input: JsonObject) => JsonObject,
): Harmful {
  return {name, breaks, reason: 'nothing-selected', story, wrap: (honest) => askedInstead(honest, change)};
}

/** Each object within the value, changed. */
function everywhere(value: Json, change: (object: JsonObject) => JsonObject): Json {
  if (isList(value)) return value.map((one) => everywhere(one, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, everywhere(one as Json, change)])));
}

/** Each object within the input, changed. */
export function throughout(change: (object: JsonObject) => JsonObject): (input: JsonObject) => JsonObject {
  return (input) => everywhere(input, change) as JsonObject;
}

/** The part of the input, changed: each rule of a list. */
export function inPart(part: string, change: (rule: JsonObject) => JsonObject): (input: JsonObject) => JsonObject {
  return (input) => {
    const {[part]: one} = input;
    if (isList(one)) return {...input, [part]: one.map((rule) => change(rule as JsonObject))};
    return isObject(one) ? {...input, [part]: change(one)} : input;
  };
}

/** An order of a sequence as one of each two neighbours. */
function inPairs({sequence, ...how}: JsonObject): readonly JsonObject[] {
  if (!isList(sequence)) return [{...how}];
  return sequence.slice(1).map((by, index) => ({...how, of: sequence[index] as Json, by}));
}

const words: readonly Harmful[] = [
  asking(
    'needs-no-confirmation',
    'takes Confirm for Delete',
    'confirm',
    throughout((one) => (one['policy'] === 'Confirm' ? {...one, policy: 'Delete'} : one)),
  ),
  asking(
    'selects-no-labels',
    'reads no labels in selectors',
    'selectors',
    throughout((one) => (isList(one['labels']) ? {resources: ['none']} : one)),
  ),
  asking(
    'lets-one-more-go',
    'has budgets of one more',
    'budgets',
    throughout(({resources, ...one}) =>
      typeof resources === 'number' ? {...one, resources: resources + 1} : {...one, ...(resources && {resources})},
    ),
  ),
  asking(
    'counts-percents-as-resources',
    'takes a budget of percents for one of resources',
    'budgets',
    throughout(({percent, ...one}) => (percent === undefined ? one : {...one, resources: percent})),
  ),
  asking(
    'matches-parts-of-names',
    'has a pattern fit a part of a name',
    'near-miss',
    throughout((one) => (typeof one['pattern'] === 'string' ? {...one, pattern: `.*(${one['pattern']}).*`} : one)),
  ),
  asking(
    'ignores-patterns',
    'has a pattern select nothing',
    'patterns',
    throughout((one) => (typeof one['pattern'] === 'string' ? {resources: ['none']} : one)),
  ),
  asking(
    'ignores-case',
    'compares no label by case',
    'near-miss',
    throughout((one) => (typeof one['key'] === 'string' ? {...one, ignoreCase: true} : one)),
  ),
  asking(
    'includes-everything',
    'makes templates that are switched off',
    'switched',
    inPart('resources', ({include: _, ...template}) => template),
  ),
  asking(
    'protects-against-never',
    'protects an XR with its resources if it is to be protected never',
    'xr-alone',
    inPart('protect', (one) => (one['xr'] === 'Never' ? {...one, xr: 'WithResources'} : one)),
  ),
  asking(
    'protects-no-xr-alone',
    'protects an XR only with its resources if it is to be protected always',
    'xr-alone',
    inPart('protect', (one) => (one['xr'] === 'Always' ? {...one, xr: 'WithResources'} : one)),
  ),
  asking(
    'protects-only-its-own',
    'protects nothing that its step only requires',
    'required',
    inPart('protect', ({required: _, ...one}) => one),
  ),
  asking('orders-neighbours-alone', 'orders no steps of a sequence but neighbours', 'neighbours', (input) => ({
    ...input,
    ...(isList(input['order']) && {order: (input['order'] as readonly JsonObject[]).flatMap(inPairs)}),
  })),
  asking(
    'only-says-what-it-takes',
    'takes nothing from another XR, and says what it would',
    'exchange',
    inPart('take', (rule) => ({...rule, dryRun: true})),
  ),
  asking('moves-only-one', 'reads the first rule of handover alone', 'two-moves', ({handover, ...input}) => ({
    ...input,
    ...(isList(handover) && {handover: handover.slice(0, 1)}),
  })),
  asking(
    'orders-deletion-alone',
    'creates in no order',
    'ordered',
    inPart('order', (rule) => (rule['createOnly'] === true ? rule : {...rule, deleteOnly: true})),
  ),
  asking(
    'orders-creation-alone',
    'deletes in no order',
    'order',
    inPart('order', (rule) => (rule['deleteOnly'] === true ? rule : {...rule, createOnly: true})),
  ),
];

/** The honest function, asked without a word of a part of the input. */
const skipping = (name: string, story: string, part: string, word: string): Harmful =>
  asking(
    name,
    `reads no ${word} of ${part}`,
    story,
    inPart(part, ({[word]: _, ...rest}) => rest),
  );

const skipped: readonly Harmful[] = [
  skipping('writes-no-names', 'cloud-named', 'externalNames', 'from'),
  skipping('looks-for-no-kinds', 'lost-and-dropped', 'restore', 'kinds'),
  asking(
    'protects-by-the-last-rule',
    'reads the last rule of protect alone',
    'two-rules',
    inPart('protect', ({resources, ...one}) => ({...one, ...(isList(resources) && {resources: resources.slice(-1)})})),
  ),
  asking(
    'protects-by-the-first-rule',
    'reads the first rule of protect alone',
    'two-rules',
    inPart('protect', ({resources, ...one}) => ({
      ...one,
      ...(isList(resources) && {resources: resources.slice(0, 1)}),
    })),
  ),
];

const few: readonly Harmful[] = [
  row('drops-the-tail', 'drops the last of three or more', 'over-budget', 'scaled', ({answer}) => {
    const counted = [...answer.resources.keys()].filter((name) => /-\d+$/.test(name));
    const last = counted.sort((one, other) => Number(one.split('-').at(-1)) - Number(other.split('-').at(-1))).at(-1);
    if (counted.length >= 3 && last !== undefined) answer.resources.delete(last);
  }),
  row('keeps-nested-specs', 'desires the spec that a nested XR has', 'kind-changed', 'nested-edit', (call) => {
    each(call.answer, isXr, (one, name) => {
      const old = call.observed.get(name)?.spec?.['size'];
      return old === undefined ? one : withField(one, ['spec', 'size'], old);
    });
  }),
  row(
    'drops-edited-nested-xrs',
    'drops a nested XR in the call in which it is edited',
    'kind-changed',
    'nested-edit',
    ({observed, desired, answer}) => {
      for (const [name, one] of observed)
        if (isXr(one) && desired.get(name)?.spec?.['size'] !== one.spec?.['size']) answer.resources.delete(name);
    },
  ),
  row('drops-nested-xrs', 'drops a nested XR once it is Ready', 'renamed', 'nested', ({observed, answer}) => {
    for (const [name, one] of observed) if (isXr(one) && isTrue(one, 'Ready')) answer.resources.delete(name);
  }),
  row(
    'waits-for-details',
    'keeps what is dropped once a restored resource names a Secret',
    'restore-in-progress',
    'third-dropped',
    ({observed, desired, answer}) => {
      const names = ({metadata, spec}: KubeObject) =>
        metadata.labels?.['velero.io/restore-name'] !== undefined && spec?.['writeConnectionSecretToRef'] !== undefined;
      if (![...observed.values()].some(names)) return;
      for (const [name, {apiVersion, kind, metadata, spec = {}}] of observed)
        if (!desired.has(name))
          answer.resources.set(name, {
            object: {apiVersion, kind, metadata: {name: metadata.name}, spec},
            ready: 'true',
          });
    },
  ),
  row('keeps-the-first-key', 'leaves out all but the first key of data', 'unwritable', 'restore', ({answer}) => {
    each(
      answer,
      (one) => 'data' in one,
      (one) => ({
        ...one,
        data: Object.fromEntries(Object.entries((one as KubeObject)['data'] as JsonObject).slice(0, 1)),
      }),
    );
  }),
  row('forgets-its-memory', 'leaves out the ConfigMap of external names', 'nothing-selected', 'memory', ({answer}) => {
    answer.resources.delete('tether-external-names');
  }),
];

export const misread: readonly Harmful[] = [...words, ...skipped, ...few];
