import {expect, test} from 'vitest';
import {composed, kindOf, named, word} from '../../../src/lifecycle/words/phrases.ts';

// Whoever may write an object says what it is called.

const long = 'x'.repeat(10_000);

test('what is called as objects are is said as it is', () => {
  expect(named({apiVersion: 'v1', kind: 'ConfigMap', namespace: 'blue', name: 'a'})).toBe('ConfigMap "blue/a"');
  expect(kindOf({apiVersion: 'ec2.example.org/v1', kind: 'VPC'})).toBe('VPC of ec2.example.org/v1');
  expect(composed('a "b"')).toBe('composed resource "a \\"b\\""');
});

test('no name makes a sentence long', () => {
  expect(composed(long)).toBe(`composed resource "${'x'.repeat(253)}..."`);
  expect(named({apiVersion: 'v1', kind: long, namespace: '', name: long}).length).toBeLessThan(600);
});

test('a kind that is none stays on its line, and in quotes', () => {
  expect(word('Shop\nSynced: True, all is well')).toBe('"Shop\\nSynced: True, all is well"');
});
