import {describe, expect, it} from 'vitest';
import {parse} from 'yaml';
import {committedCrd, inputCrd} from '../../package/input-crd.ts';
import {crdProblems} from './structural-schema.ts';

/** The CRD with one change, made by hand to what is parsed. */
function changed(change: (root: {[keyword: string]: unknown}) => void) {
  const crd = parse(inputCrd());
  change(crd.spec.versions[0].schema.openAPIV3Schema);
  return crd;
}

describe('the CRD of the input', () => {
  it('can be installed: an API server finds nothing to refuse', () => {
    expect(crdProblems(parse(committedCrd()))).toEqual([]);
  });

  // Each of these was also shown to ValidateCustomResourceDefinition of k8s.io/apiextensions-apiserver v0.34.1, which
  // refuses it at the same place.
  it.each<readonly [string, (root: {[keyword: string]: unknown}) => void, string]>([
    [
      'a description of metadata',
      (root) => Object.assign((root['properties'] as {metadata: object}).metadata, {description: 'Not read.'}),
      'schema.properties[metadata]: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ],
    [
      'labels in metadata',
      (root) =>
        Object.assign((root['properties'] as {metadata: object}).metadata, {properties: {labels: {type: 'object'}}}),
      'schema.properties[metadata]: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ],
    [
      'a field without a type',
      (root) => Object.assign(root['properties'] as object, {more: {description: 'Any.'}}),
      'schema.properties[more].type: must not be empty',
    ],
    [
      'a list of nothing',
      (root) => Object.assign(root['properties'] as object, {more: {type: 'array'}}),
      'schema.properties[more].items: must be specified',
    ],
    [
      'a pattern that Go does not know',
      (root) => Object.assign(root['properties'] as object, {more: {type: 'string', pattern: '(?=a)'}}),
      'schema.properties[more].pattern: must be a valid regular expression',
    ],
    [
      'a root that is no object',
      (root) => Object.assign(root, {type: 'string'}),
      'schema.type: must be object at the root',
    ],
    [
      'a kind that is no string',
      (root) => Object.assign((root['properties'] as {kind: object}).kind, {type: 'integer'}),
      'schema.kind.type: must be string',
    ],
  ])('could not with %s', (_what, change, problem) => {
    expect(crdProblems(changed(change))).toContain(problem);
  });
});
