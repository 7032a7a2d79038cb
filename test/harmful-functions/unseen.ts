// Functions that harm where a judge may not look: the time of the next look, the words of a Usage, a denied deletion, a condition of
// another writer, a key of the context, a reason, the order of a map.

import type {JsonObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {decodeRequest} from '../../src/wire/request-decode.ts';
import {bare, changing, isManaged, isTrue, isXr, withField} from './answer.ts';
import {droppedIn, plain} from './rare.ts';
import {each, fatal, type Harmful, ignoring} from './row.ts';
import {asking, inPart, throughout} from './words.ts';

const leavesOut =
  (word: string) =>
  ({[word]: _, ...rest}: JsonObject): JsonObject =>
    rest;

const words: readonly Harmful[] = [
  ignoring('ttl', 'nothing-selected', 'asked-words'),
  plain('answers-for-a-day', 'lets its answer count for a day', 'asked-words', ({answer}) => {
    answer.ttlSeconds = 86_400;
  }),
  asking('repeats-no-deletion', 'reads no replayDeletion', 'asked-words', throughout(leavesOut('replayDeletion'))),
  asking('gives-no-reasons', 'reads no reason', 'asked-words', throughout(leavesOut('reason'))),
  asking(
    'keeps-what-only-comes-first',
    'reads no createOnly of order',
    'half-orders',
    inPart('order', leavesOut('createOnly')),
  ),
];

const own = ['Synced', 'Ready', 'Responsive', 'Tethered'];

const answers: readonly Harmful[] = [
  plain('overrules-a-condition', 'says False in the conditions of others', 'conditions', ({xr, answer}) => {
    const conditions = (xr.status?.['conditions'] ?? []) as readonly {readonly type: string}[];
    for (const {type} of conditions)
      if (!own.includes(type)) answer.conditions.push({type, status: 'False', reason: 'Unknown', message: ''});
  }),
  plain('is-ready-at-once', 'says of what is not there yet that it is ready', 'ordered', ({observed, answer}) => {
    for (const [name, one] of answer.resources)
      if (!observed.has(name)) answer.resources.set(name, {...one, ready: 'true'});
  }),
  plain(
    'freezes-beside-an-unready-xr',
    'answers FATAL while a nested XR is not Ready',
    'nested-unready',
    ({observed, answer}) => {
      if ([...observed.values()].some((one) => isXr(one) && !isTrue(one, 'Ready'))) fatal(answer, 'wait for it');
    },
  ),
  plain('drops-the-environment', 'leaves the environment out of the context', 'later', ({answer}) => {
    answer.context &&= leavesOut('apiextensions.crossplane.io/environment')(answer.context);
  }),
  plain('leaks-in-a-reason', 'has an event whose reason is what it read', 'password', ({details: [value], answer}) => {
    if (value !== undefined) answer.results.push({severity: 'normal', message: 'connecting', reason: value});
  }),
  plain(
    'leaks-in-the-reason-of-a-condition',
    'has a condition whose reason is what it read',
    'password',
    ({details: [reason], answer}) => {
      if (reason !== undefined) answer.conditions.push({type: 'Read', status: 'True', reason, message: ''});
    },
  ),
];

const inBase64 = (text: string) => Buffer.from(text).toString('base64');
const lettersOf = (text: string, write: (letter: string) => string) => [...text].map(write).join('');

function inBase32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{1,5}/g) ?? [];
  return letters.map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** Forms in which a value can still be read. */
const forms: readonly (readonly [name: string, how: string, write: (value: string) => string])[] = [
  ['in-base64-twice', 'twice in base64', (value) => inBase64(inBase64(value))],
  ['by-thirteen-letters', '13 letters on', (value) => value.replace(/[a-z]/gi, (one) => turned(one))],
  ['in-halves', 'in two halves', (value) => `${value.slice(0, value.length / 2)} and ${value.slice(value.length / 2)}`],
  ['letter-by-letter', 'with dashes between its letters', (value) => [...value].join('-')],
  ['in-base32', 'in base32', inBase32],
  ['in-numbers', 'as the numbers of its letters', (value) => lettersOf(value, (one) => `${one.charCodeAt(0)} `)],
  [
    'in-hexadecimal-pairs',
    'in pairs of hexadecimal digits',
    (value) => Buffer.from(value).toString('hex').replace(/../g, '$&:'),
  ],
  [
    'in-escapes',
    'as JSON escapes it',
    (value) => lettersOf(value, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ],
];

function turned(letter: string): string {
  const [first = 0, code = 0] = [letter < 'a' ? 65 : 97, letter.charCodeAt(0)];
  return String.fromCharCode(first + ((code - first + 13) % 26));
}

const leaks: readonly Harmful[] = [
  ...forms.map(([name, how, write]) =>
    plain(`leaks-${name}`, `has an event with what it read, ${how}`, 'password', ({details: [value], answer}) => {
      if (value !== undefined) answer.results.push({severity: 'normal', message: `connecting to ${write(value)}`});
    }),
  ),
  plain(
    'leaks-in-two-events',
    'has two events with half of what it read each',
    'password',
    ({details: [value], answer}) => {
      for (const half of value ? [value.slice(0, value.length / 2), value.slice(value.length / 2)] : [])
        answer.results.push({severity: 'normal', message: `connecting ${half}`});
    },
  ),
];

const none = {resources: ['none'], optional: true};
const selectingNone = (word: string) => throughout((one) => (word in one ? none : one));

/** Each way to select, where a part of the input has it. */
const selectors: readonly Harmful[] = [
  ...['kinds', 'labels', 'pattern'].map((word) =>
    asking(`orders-by-no-${word}`, `reads no ${word} in order`, 'selected', inPart('order', selectingNone(word))),
  ),
  asking(
    'requires-by-no-labels',
    'reads no labels of what it requires',
    'selected',
    protecting('required', selectingNone('labels')),
  ),
  asking(
    'requires-by-the-first-rule',
    'reads the first rule of what it requires alone',
    'selected',
    protecting('required', ({required}) => ({required: (required as readonly JsonObject[]).slice(0, 1)})),
  ),
  asking('remembers-in-the-usual-field', 'reads no field of remember', 'remembered', throughout(leavesOut('field'))),
  asking(
    'matches-no-kind-of-xr',
    'reads no kinds of xrMatch',
    'selected',
    protecting('xrMatch', () => ({})),
  ),
];

/** The input with a part of protect changed. */
function protecting(part: string, change: (one: JsonObject) => JsonObject): (input: JsonObject) => JsonObject {
  return inPart('protect', ({[part]: one, ...others}) =>
    one === undefined ? others : {...others, ...change({[part]: one})},
  );
}

const marks: readonly Harmful[] = [
  plain('adds-finalizers-to-nested-xrs', 'gives a nested XR a finalizer', 'nested', ({answer}) => {
    each(answer, isXr, (one) => withField(one, ['metadata', 'finalizers'], ['example.org/kept']));
  }),
  plain('trims-data', 'leaves out blanks at the end of data', 'bytes', ({answer}) => {
    const isData = ({kind}: KubeObject) => kind === 'ConfigMap';
    const trimmed = (one: unknown) =>
      Object.fromEntries(Object.entries((one ?? {}) as JsonObject).map(([key, text]) => [key, String(text).trimEnd()]));
    each(answer, isData, (one) => ({...one, data: trimmed(one['data'])}));
  }),
];

const readers: readonly Harmful[] = [
  plain(
    'lets-readers-go',
    'lets go what a template leaves out once the resource that it reads is given',
    'read-given',
    ({desired, answer}) => {
      if (!desired.has('b')) answer.resources.delete('b');
    },
  ),
];

const hourMs = 3_600_000;

const hours: readonly Harmful[] = [
  plain('deletes-in-the-second-hour', 'drops all once an XR of an hour is edited', 'hours', ({xr, answer}) => {
    const times = (xr.metadata.managedFields ?? []).map(({time}) => Date.parse(String(time)));
    if (Math.max(...times) - Date.parse(xr.metadata.creationTimestamp ?? '') > hourMs) answer.resources.clear();
  }),
];

const homes: readonly Harmful[] = [
  plain('drops-namespaces-at-once', 'lets a Namespace go while something is in it', 'home', ({desired, answer}) => {
    for (const [name, {object}] of answer.resources)
      if (object.kind === 'Namespace' && !desired.has(name)) answer.resources.delete(name);
  }),
  plain('keeps-namespaces', 'keeps a dropped Namespace', 'home', ({observed, desired, answer}) => {
    for (const [name, one] of observed)
      if (one.kind === 'Namespace' && !desired.has(name))
        answer.resources.set(name, {object: bare(one), ready: 'true'});
  }),
];

/** After a move between XRs has ended, or once the rule of one side is gone. */
const exchanges: readonly Harmful[] = [
  plain(
    'keeps-siblings-of-what-went',
    'keeps what is dropped beside what went to another XR',
    'given-and-over',
    (call) => {
      for (const name of droppedIn(call)) {
        const one = call.observed.get(name) as KubeObject;
        if (name !== 'a' && isManaged(one)) call.answer.resources.set(name, {object: bare(one), ready: 'true'});
      }
    },
  ),
  plain(
    'observes-what-it-took',
    'has a Site observe once it takes nothing',
    'given-and-over',
    ({xr, input, answer}) => {
      if (xr.kind === 'Site' && input['take'] === undefined)
        each(answer, isManaged, (one) => withField(one, ['spec', 'managementPolicies'], ['Observe']));
    },
  ),
];

const maps: readonly Harmful[] = [
  {
    name: 'goes-by-the-order-of-a-map',
    breaks: 'drops the first resource of a map whose order is not that of the alphabet',
    reason: 'nothing-selected',
    story: 'living',
    wrap: (honest) => (request, service) => {
      const names = [...decodeRequest(request).observed.resources.keys()];
      const isSorted = names.join() === names.toSorted().join();
      return changing(honest, ({answer}) => {
        if (!isSorted) answer.resources.delete(names[0] as string);
      })(request, service);
    },
  },
];

export const unseen: readonly Harmful[] = [
  ...words,
  ...answers,
  ...leaks,
  ...selectors,
  ...hours,
  ...marks,
  ...readers,
  ...homes,
  ...exchanges,
  ...maps,
];
