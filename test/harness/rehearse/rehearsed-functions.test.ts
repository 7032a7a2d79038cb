import {expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {rehearsedFunctions} from '../../../src/harness/rehearse/rehearsed-functions.ts';

// A claim of a database, whose Composition calls function-kcl, and no XR of it yet: Crossplane makes that one.

const group = 'platform.example.org';
const objects: readonly KubeObject[] = [
  {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'CompositeResourceDefinition',
    metadata: {name: `xdatabases.${group}`},
    spec: {group, names: {kind: 'XDatabase'}, claimNames: {kind: 'Database'}},
  },
  {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: {name: 'databases'},
    spec: {
      compositeTypeRef: {apiVersion: `${group}/v1`, kind: 'XDatabase'},
      pipeline: [{step: 'compose', functionRef: {name: 'function-kcl'}}],
    },
  },
];
const claim = {apiVersion: `${group}/v1`, kind: 'Database', metadata: {namespace: 'shop', name: 'orders'}};
const functionsOf = (all: readonly KubeObject[]) => rehearsedFunctions(all, {places: {}, without: [], builtins: {}});

test('what the XR of a claim calls is missing before the rehearsal begins', () => {
  expect(() => functionsOf([...objects, claim])).toThrow('cannot rehearse without function "function-kcl"');
});

test('what no XR and no claim of the source calls is missing once it is called', () => {
  const part = functionsOf(objects).parts['function-kcl'];
  expect(() => typeof part === 'function' && part({} as never, {} as never)).toThrow(
    'cannot rehearse without function "function-kcl"',
  );
});
