import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {parseAllDocuments} from 'yaml';
import type {KubeObject} from '../../src/cluster/object.ts';
import {replaySsa} from './ssa.ts';

const folder = fileURLToPath(new URL('../recordings/ssa/', import.meta.url));
const text = ['train', 'written-back'].map((file) => readFileSync(`${folder}${file}.jsonl`, 'utf8')).join('');
const crds = parseAllDocuments(readFileSync(`${folder}crds.yaml`, 'utf8')).map(
  (document) => document.toJS() as KubeObject,
);

describe('the recorded sequences of a real API server', () => {
  test('replay with the same answers, objects and managed fields', () => {
    const {sequences, passed} = replaySsa(text, crds);
    expect(sequences.flatMap(({id, differences}) => differences.map((difference) => `${id}: ${difference}`))).toEqual(
      [],
    );
    expect(passed).toBe(text.trim().split('\n').length);
  });

  test('say the same in every sentence of refusal', () => {
    const recorded = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as {ops: {response: {message?: string}}[]});
    const {sequences} = replaySsa(text, crds);
    expect(sequences.map(({ops}) => ops.map(({response}) => response.message ?? ''))).toEqual(
      recorded.map(({ops}) => ops.map(({response}) => response.message ?? '')),
    );
  });

  test('are told apart from what differs by one field', () => {
    const [line = ''] = text.split('\n');
    const changed = line.replace('"owner":"you"', '"owner":"they"');
    const {failed, sequences} = replaySsa(changed, crds);
    expect(failed).toBe(1);
    expect(sequences[0]?.differences[0]).toMatch(/^op 0 \(apply\): object: expected /);
  });

  test('that cannot be read are failures of their own, and the others are replayed', () => {
    const [line = ''] = text.split('\n');
    const {sequences, passed, failed} = replaySsa(`{"id": 7}\nno JSON\n${line}\n`, crds);
    expect([passed, failed]).toEqual([1, 2]);
    expect(sequences[0]?.differences[0]).toMatch(/^cannot replay line 1: /);
    expect(sequences[1]?.differences[0]).toMatch(/^cannot replay line 2: /);
  });
});
