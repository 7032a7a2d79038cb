// RBAC that gives Crossplane or a provider too little, for a while or for good.

import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../src/cluster/json.ts';
import {bucket, message, type Story, tell} from './small-move.ts';

const forbid = (process: string, verbs: readonly string[], kinds: readonly string[] = ['Bucket']) => ({
  name: 'a right is taken',
  fault: {forbid: process, verbs, kinds},
});
const allow = {name: 'the rights are back', fault: 'end', wait: '20m'};
const user = (process: string) => `User "system:serviceaccount:crossplane-system:${process}"`;

/** A Bucket and another one, which the edit drops; the edit adds a third. */
function edited(more: Partial<Story>) {
  const told = tell({
    before: [bucket('a', 'old'), bucket('b', 'old')],
    after: [bucket('a', 'old'), bucket('c', 'old')],
    inputAfter: {},
    ...more,
  });
  const roles = told.buckets.map(({metadata}) => String((metadata.labels as JsonObject)['role']));
  return {told, roles: roles.sort()};
}

describe('a right that a process lacks', () => {
  test.each<[string, string, readonly string[], string]>([
    [
      'to create',
      'crossplane',
      ['create'],
      'cannot create resource "buckets" in API group "old.example.org" at the cluster scope',
    ],
    ['to patch', 'crossplane', ['patch'], 'cannot patch resource "buckets"'],
    ['to delete', 'crossplane', ['delete'], 'cannot delete resource "buckets"'],
  ])('%s is in the condition Synced, and the XR goes on once it is back', (_, process, verbs, text) => {
    const without = edited({meanwhile: [forbid(process, verbs)]});
    const synced = message(without.told.xr, 'Synced');
    expect(synced).toContain(`${user(process)} ${text}`);
    expect(without.roles).not.toEqual(['a', 'c']);
    expect(edited({meanwhile: [forbid(process, verbs)], afterwards: [allow]}).roles).toEqual(['a', 'c']);
  });

  test.each(['list', 'watch'])('to %s keeps a new informer from syncing', (verb) => {
    const meanwhile = [forbid('crossplane', [verb]), {name: 'again', restart: 'crossplane'}];
    const timeout = 'Timeout: failed waiting for *unstructured.Unstructured Informer to sync';
    expect(message(edited({meanwhile}).told.xr, 'Synced')).toContain(timeout);
    expect(edited({meanwhile, afterwards: [allow]}).roles).toEqual(['a', 'c']);
  });

  test('is lacked for the kinds that are named, and by the process that is', () => {
    for (const one of [forbid('crossplane', ['create'], ['Secret']), forbid('provider', ['create'])])
      expect(edited({meanwhile: [one]}).roles).toEqual(['a', 'c']);
    expect(edited({meanwhile: [forbid('crossplane', ['create'], [])]}).roles).not.toEqual(['a', 'c']);
  });

  test('of a provider keeps what is deleted in the cluster', () => {
    expect(edited({meanwhile: [forbid('provider', ['update', 'patch'])]}).roles).toContain('b');
  });
});

describe.each(['1.16', '1.20'])('Crossplane %s without the right to list', (crossplane) => {
  const story = {crossplane, inputAfter: {crossplane}, meanwhile: [forbid('crossplane', ['list'])]};

  test('does all that an empty input asks for', () => {
    expect(edited(story).roles).toEqual(['a', 'c']);
  });

  test.runIf(crossplane === '1.16')('cannot look for lost resources, and the XR waits for it', () => {
    const {told, roles} = edited({...story, inputAfter: {crossplane, restore: {lookup: true}}});
    expect(message(told.xr, 'Synced')).toContain('cannot list resource "buckets"');
    expect(roles).toEqual(['a', 'b']);
  });
});
