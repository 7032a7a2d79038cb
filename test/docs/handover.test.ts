// The two pages on moves quote sentences of the condition for what cannot be moved: each is a sentence of the function.

import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {type Decision, rowOf} from '../../src/lifecycle/words/decision.ts';
import type {Counterpart, ExchangeObstacle, Moving, Obstacle} from '../../src/lifecycle/words/obstacles.ts';

const bucket = {apiVersion: 'cloud.example.org/v1', kind: 'Bucket', namespace: '', name: '...'};
const moving: Moving = {
  from: 'a',
  to: 'b',
  object: bucket,
  wanted: {apiVersion: 'cloud.m.example.org/v1', kind: 'Bucket'},
};

const shop = {apiVersion: 'platform.example.org/v1', kind: 'Shop', namespace: '', name: 'orders'};
const other: Counterpart = {xr: shop, isThere: true, resource: 'db', path: 'take[0].resources[0]'};

const obstacles: {readonly [kind in Obstacle['kind']]: readonly Extract<Obstacle, {kind: kind}>[]} = {
  'dry-run': [{kind: 'dry-run'}],
  'no-rule': [{kind: 'no-rule'}, {kind: 'no-rule', isNew: true}],
  dropped: [{kind: 'dropped'}],
  rivals: [
    {kind: 'rivals', others: ['c']},
    {kind: 'rivals', other: 'b'},
  ],
  'two-steps': [{kind: 'two-steps'}],
  'target-taken': [{kind: 'target-taken'}, {kind: 'target-taken', next: 'c'}, {kind: 'target-taken', isMoving: true}],
  'named-otherwise': [{kind: 'named-otherwise'}],
  unproven: [{kind: 'unproven'}],
  unresolved: [{kind: 'unresolved', path: 'resources[0]', cause: {kind: 'missing', field: 'status.id'}}],
  'no-external-name': [{kind: 'no-external-name'}],
  'still-creating': [{kind: 'still-creating'}],
  'no-policies': [
    {kind: 'no-policies', whose: 'old'},
    {kind: 'no-policies', whose: 'new'},
  ],
  protected: [
    {kind: 'protected', usages: []},
    {kind: 'protected', usages: ['uses']},
  ],
  unprotected: [{kind: 'unprotected'}, {kind: 'unprotected', usage: 'protect-a'}],
  unanswered: [{kind: 'unanswered'}, {kind: 'unanswered', lacksRoom: true}],
  'not-served': [{kind: 'not-served'}],
  'not-listed': [{kind: 'not-listed'}],
  deleting: [
    {kind: 'deleting', whose: 'old'},
    {kind: 'deleting', whose: 'new'},
  ],
  'old-gone': [
    {kind: 'old-gone', isAnother: false},
    {kind: 'old-gone', isAnother: true},
  ],
  'another-resource': [
    {kind: 'another-resource', field: 'status.atProvider.arn'},
    {kind: 'another-resource', field: 'external name', isDesired: true},
    {kind: 'another-resource', field: 'spec.forProvider', isNamesake: true},
  ],
  'not-synced': [{kind: 'not-synced'}],
  secret: [
    {kind: 'secret', why: 'shared'},
    {kind: 'secret', why: 'none'},
    {kind: 'secret', why: 'lacking'},
    {kind: 'secret', why: 'generated'},
  ],
};

const sentenceOf = (name: string, decision: Decision) => rowOf(decision).sentence(name, decision);

const sentences = [
  ...Object.values(obstacles)
    .flat()
    .map((obstacle) => sentenceOf('a', {kind: 'refuse', reason: 'cannot-hand-over', obstacle, ...moving})),
  sentenceOf('a', {kind: 'wait', reason: 'still-deleting', object: bucket}),
];
const ofExchanges: readonly ExchangeObstacle[] = [
  {kind: 'no-external-name'},
  {kind: 'no-policies', whose: 'old'},
  {kind: 'another-resource', field: 'the external name'},
  {kind: 'not-synced'},
  {kind: 'other-rule', does: 'gives'},
  {kind: 'same-object'},
  {kind: 'secret', why: 'shared'},
  {kind: 'secret', why: 'lacking'},
  {kind: 'unprotected', usage: 'protect-db'},
  {kind: 'rivals'},
];
const exchangeSentences = ofExchanges.map((stopped) =>
  sentenceOf('instance', {kind: 'wait', reason: 'not-moved', stopped, ...other}),
);
const quotes = quotesOf('move-to-another-name-or-kind');
const exchangeQuotes = quotesOf('move-to-another-xr');

function quotesOf(name: string): readonly string[] {
  const page = readFileSync(new URL(`../../docs/how-to/${name}.md`, import.meta.url), 'utf8');
  const [, section = ''] = page.split('## What cannot be moved');
  const [table = ''] = section.split(/\n\n(?=[^|])/);
  const said = table.split('\n').map((row) => row.split(' | ')[1] ?? '');
  // Other words in backticks are names.
  return said.flatMap((cell) => [...cell.matchAll(/`([^`]{12,})`/g)].map(([, quote = '']) => quote));
}

test('the pages quote sentences', () => {
  expect(quotes.length).toBeGreaterThan(15);
  expect(exchangeQuotes).toHaveLength(ofExchanges.length);
});

test.each(quotes)('the condition says: %s', (quote) => {
  const [first] = sentences.filter((sentence) => sentence.includes(quote.replaceAll('VPC', 'Bucket')));
  expect(first, sentences.join('\n')).toBeDefined();
});

test.each(exchangeQuotes)('the condition of an exchange says: %s', (quote) => {
  expect(exchangeSentences.filter((sentence) => sentence.includes(quote))).toHaveLength(1);
});
