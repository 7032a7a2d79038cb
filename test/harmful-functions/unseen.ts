// Functions that harm where a judge may not look: the time of the next look, the words of a Usage, a denied deletion, a condition of
// another writer, a key of the context, a reason, the order of a map.

import type {JsonObject} from '../../src/cluster/json.ts';
import {decodeRequest} from '../../src/wire/request-decode.ts';
import {changing, isTrue, isXr} from './answer.ts';
import {plain} from './rare.ts';
import {fatal, type Harmful, ignoring} from './row.ts';
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

export const unseen: readonly Harmful[] = [...words, ...answers, ...maps];
