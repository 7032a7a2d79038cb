import {describe, expect, test} from 'vitest';
import {configMapKind, secretKind} from '../../../src/cluster/api/native/config-kinds.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import {Rig} from './given.ts';

/** What an apply is answered, '' if it passes. Each answer is that of a kube-apiserver 1.34.2. */
function answer(rig: Rig, kind: 'ConfigMap' | 'Secret', said: JsonObject): string {
  const metadata = {name: 'm', namespace: 'default'};
  const body = {apiVersion: 'v1', kind, metadata, ...said};
  const ref = {apiVersion: 'v1', kind, name: 'm', namespace: 'default'};
  const response = rig.ask({verb: 'patch', type: 'apply', ref, body, manager: 'crossplane', force: true});
  return response.ok ? '' : response.message;
}

const mebibyte = 1024 * 1024;

describe('a ConfigMap', () => {
  test('that is immutable keeps its data, and takes labels', () => {
    const rig = new Rig(configMapKind);
    expect(answer(rig, 'ConfigMap', {data: {names: 'one'}, immutable: true})).toBe('');
    expect(answer(rig, 'ConfigMap', {data: {names: 'two'}, immutable: true})).toBe(
      'ConfigMap "m" is invalid: data: Forbidden: field is immutable when `immutable` is set',
    );
    const metadata = {name: 'm', namespace: 'default', labels: {a: 'b'}};
    expect(answer(rig, 'ConfigMap', {data: {names: 'one'}, immutable: true, metadata})).toBe('');
  });

  test('has no key twice', () => {
    expect(answer(new Rig(configMapKind), 'ConfigMap', {data: {names: 'one'}, binaryData: {names: 'eHg='}})).toBe(
      'ConfigMap "m" is invalid: data[names]: Invalid value: "names": duplicate of key present in binaryData',
    );
  });

  test('has room for a mebibyte of values, text and bytes together', () => {
    const data = (length: number) => ({data: {names: 'xx', big: 'x'.repeat(length)}, binaryData: {b: 'eHg='}});
    expect(answer(new Rig(configMapKind), 'ConfigMap', data(mebibyte - 4))).toBe('');
    expect(answer(new Rig(configMapKind), 'ConfigMap', data(mebibyte - 3))).toBe(
      'ConfigMap "m" is invalid: []: Too long: may not be more than 1048576 bytes',
    );
  });
});

test('the values of a Secret are measured as the bytes that they stand for', () => {
  const data = (length: number) => ({data: {big: btoa('x'.repeat(length))}});
  expect(answer(new Rig(secretKind), 'Secret', data(mebibyte))).toBe('');
  expect(answer(new Rig(secretKind), 'Secret', data(mebibyte + 1))).toBe(
    'Secret "m" is invalid: data: Too long: may not be more than 1048576 bytes',
  );
});
