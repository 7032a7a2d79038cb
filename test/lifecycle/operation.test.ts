import {describe, expect, it} from 'vitest';
import type {Input} from '../../src/lifecycle/input/input.ts';
import {parseInput} from '../../src/lifecycle/input/parse.ts';
import {planOperation} from '../../src/lifecycle/plan/operation.ts';
import type {Plan} from '../../src/lifecycle/plan/plan.ts';
import type {JsonObject} from '../../src/lifecycle/words/json.ts';
import type {ResourceView} from '../../src/lifecycle/words/snapshot.ts';
import {observed, planOf, view} from './given.ts';

const watched = 'ops.crossplane.io/watched-resource';
const label = 'protection.fn.crossplane.io/block-deletion';

function namespace(name: string, metadata: JsonObject = {}): ResourceView {
  return view({apiVersion: 'v1', kind: 'Namespace', metadata: {name, ...metadata}});
}

function claim(name: string, metadata: JsonObject = {}): ResourceView {
  return view({apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: {name, namespace: 'team', ...metadata}});
}

function operation(required: {readonly [requirement: string]: readonly ResourceView[]}, input: Input): Plan {
  const result = planOperation({required: new Map(Object.entries(required))}, input);
  if (result.kind !== 'plan') throw new Error(`${result.path}: ${result.got}`);
  return result;
}

/** `kind namespace/name of: reason` of every Usage, sorted. */
function usagesIn({edits}: Plan): readonly string[] {
  return [...edits.values()]
    .map((edit) => {
      if (edit.kind !== 'put') throw new Error('expected a Usage');
      const {kind, metadata, spec} = edit.object as {kind: string; metadata: JsonObject; spec: JsonObject};
      const {of, reason} = spec as {of: {resourceRef: JsonObject}; reason: string};
      return `${kind} ${metadata['namespace'] ?? ''}/${of.resourceRef['name']}: ${reason}`;
    })
    .sort();
}

function dialect(): Input {
  const parsed = parseInput({apiVersion: 'protection.fn.crossplane.io/v1beta1', kind: 'Input'});
  if (parsed.kind !== 'input') throw new Error(parsed.got);
  return parsed.input;
}

describe('an Operation', () => {
  const rules: Input = {protect: {required: [{match: {labels: [{key: 'keep', value: 'yes'}]}, reason: 'kept'}]}};

  it('protects what it requires and the input selects', () => {
    const required = {
      all: [namespace('a', {labels: {keep: 'yes'}}), namespace('b'), claim('c', {labels: {keep: 'yes'}})],
    };
    expect(usagesIn(operation(required, rules))).toEqual(['ClusterUsage /a: kept', 'Usage team/c: kept']);
  });

  it('names Usages after what they protect, and by the name of no Operation', () => {
    const required = {all: [namespace('a', {labels: {keep: 'yes'}})]};
    const [edit] = operation(required, rules).edits.values();
    expect(edit).toMatchObject({
      ready: 'true',
      object: {
        apiVersion: 'protection.crossplane.io/v1beta1',
        metadata: {name: expect.stringMatching(/^protect-a-[0-9a-f]{12}$/)},
        spec: {of: {apiVersion: 'v1', kind: 'Namespace', resourceRef: {name: 'a'}}},
      },
    });
    const body = edit?.kind === 'put' ? edit.object : {};
    expect(body['spec']).not.toHaveProperty('replayDeletion');
  });

  it('takes an empty list of what needs an XR for nothing said', () => {
    const required = {all: [namespace('a', {labels: {keep: 'yes'}})]};
    expect(usagesIn(operation(required, {...rules, order: [], usages: []}))).toEqual(['ClusterUsage /a: kept']);
  });

  it('leaves alone what is being deleted, and Usages', () => {
    const labels = {keep: 'yes'};
    const usage = view({
      apiVersion: 'protection.crossplane.io/v1beta1',
      kind: 'ClusterUsage',
      metadata: {name: 'u', labels},
    });
    const deleting = namespace('a', {labels, deletionTimestamp: '2026-01-01T00:00:00Z'});
    expect(usagesIn(operation({all: [usage, deleting]}, rules))).toEqual([]);
  });

  it('has the same answer in whatever order the requirements come', () => {
    const a = [namespace('a', {labels: {keep: 'yes'}})];
    const b = [namespace('b', {labels: {keep: 'yes'}})];
    expect([...operation({a, b}, rules).edits]).toEqual([...operation({b, a}, rules).edits]);
  });

  it('says how long its answer may be reused, and no more: it has no XR', () => {
    expect(operation({}, {...rules, ttl: '2m'})).toMatchObject({
      ttlSeconds: 120,
      xrReady: undefined,
      xrStatus: undefined,
    });
    expect(operation({}, {}).edits.size).toBe(0);
  });

  it.each<[string, Input]>([
    ['order', {order: [{sequence: [{}, {}]}]}],
    ['usages', {usages: [{of: 'a', by: 'b'}]}],
    ['resources', {resources: [{name: 'a', base: {}}]}],
    ['removal', {removal: {}}],
    ['restore', {restore: {lookup: true}}],
    ['externalNames', {externalNames: {}}],
  ])('refuses %s, which is about composed resources', (path, input) => {
    expect(planOperation({required: new Map()}, input)).toMatchObject({kind: 'invalid-input', path});
  });
});

describe('function-deletion-protection in an Operation', () => {
  it('protects what the WatchOperation watches, label or not', () => {
    expect(usagesIn(operation({[watched]: [claim('data')]}, dialect()))).toEqual([
      'Usage team/data: protected by function-tether',
    ]);
  });

  it('protects what else is required by the label, in any case of letters', () => {
    const required = {all: [namespace('a', {labels: {[label]: 'TRUE'}}), namespace('b', {labels: {[label]: 'no'}})]};
    expect(usagesIn(operation(required, dialect()))).toEqual(['ClusterUsage /a: protected by function-tether']);
  });
});

it('makes no more Usages than a response takes, and says so', () => {
  const all = Array.from({length: 5001}, (_, index) => namespace(`ns-${index}`, {labels: {keep: 'yes'}}));
  const rules: Input = {protect: {required: [{match: {labels: [{key: 'keep', value: 'yes'}]}}]}};
  const {edits, refusedPairs, condition} = operation({all}, rules);
  expect([edits.size, refusedPairs.map(({reason}) => reason)]).toEqual([5000, ['too-many']]);
  expect(condition.status).toBe('False');
});

describe('required resources of an XR', () => {
  const labels = {[label]: 'true'};

  it('are protected as in an Operation, and do not protect the XR', () => {
    const result = planOf({required: {all: [namespace('a', {labels})]}, input: dialect()});
    expect(usagesIn(result)).toEqual(['ClusterUsage /a: protected by function-tether']);
  });

  it('are not what function-tether looks up for itself', () => {
    const [, lost] = observed('db', {labels});
    const required = {'lost-Thing.ec2.example.org': [lost], 'by-of-u': [lost], 'tether-external-names': [lost]};
    expect(planOf({required, input: {...dialect(), restore: {lookup: true}}}).edits.size).toBe(0);
  });

  it('are refused with a sentence where the Usage of Crossplane 1 cannot name them', () => {
    const result = planOf({required: {all: [claim('c', {labels})]}, input: {...dialect(), crossplane: '1.20'}});
    expect(result.refusedPairs).toMatchObject([{path: 'protect.required[1]', reason: 'legacy-namespaced'}]);
  });
});
