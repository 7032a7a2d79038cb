import {describe, expect, test} from 'vitest';
import {runAndReport, runFunction} from '../../src/function/library.ts';
import {decodeResponse} from '../../src/wire/response-decode.ts';
import {requestBytes} from './calling.ts';

// The public report: flat, and without the plan of the policy.

const secret = 'a-value-that-must-not-leave';
const object = {apiVersion: 'e/v1', kind: 'Db', metadata: {name: 'db'}, spec: {password: secret}};
const bytes = requestBytes({desired: {resources: new Map([['db', {object}]])}});

describe('a report', () => {
  test('has a row a resource, the condition, and no value of an object', () => {
    const {response, report} = runAndReport(bytes);
    expect(response).toEqual(runFunction(bytes));
    expect(report.resources).toEqual([
      expect.objectContaining({
        resourceName: 'db',
        object: 'Db db',
        observed: false,
        desired: true,
        decision: 'create',
      }),
    ]);
    expect(report.condition).toMatchObject({status: 'True'});
    expect(JSON.stringify(report)).not.toContain(secret);
  });

  test('survives JSON: it has names, texts and booleans, and no map or object of the policy', () => {
    const {report} = runAndReport(bytes);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  test('names the sentence of a refusal', () => {
    const {report} = runAndReport(new Uint8Array([255]));
    expect(report.refused).toContain('cannot read RunFunctionRequest');
    expect(report.resources).toEqual([]);
  });

  test('is about a response with the TTL of the options', () => {
    expect(decodeResponse(runFunction(bytes, {ttlSeconds: 300})).ttlSeconds).toBe(300);
  });
});
