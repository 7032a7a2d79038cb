import {describe, expect, it} from 'vitest';
import {fromSequencer} from '../../../src/lifecycle/input/dialect-sequencer.ts';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import {desired, type Given, observed, planOf, view, xr} from '../given.ts';

// A name, a pattern, a kind or a label that no resource has is said: in the condition as long as it is so, and in a Warning while something is
// created. It decides nothing.

const order: Input = {order: [{sequence: [{resources: ['vcp']}, {resources: ['db']}]}]};
const unknown = (given: Given) => planOf(given).unknownNames;

describe('a name that no resource has', () => {
  const made: Given = {desired: [desired('vpc'), desired('db')], input: order};

  it('is told with its place', () => {
    expect(unknown(made)).toEqual([{path: 'order[0].sequence[0]', name: 'vcp'}]);
  });

  it('is a Warning while something is created, and none afterwards', () => {
    const told = {kind: 'name-unknown', resourceName: 'db', path: 'order[0].sequence[0]', name: 'vcp'};
    expect(planOf(made).transitions).toEqual([told]);
    const settled = {...made, observed: [observed('vpc'), observed('db')]};
    expect(planOf(settled).transitions).toEqual([]);
    expect(unknown(settled)).toHaveLength(1);
  });

  it('decides nothing', () => {
    const decisions = ({input}: {input: Input}) => planOf({...made, input}).decisions;
    expect(decisions({input: order})).toEqual(
      decisions({input: {order: [{sequence: [{resources: ['db']}, {resources: ['db']}]}]}}),
    );
  });

  it.each<[string, Input]>([
    ['protect.resources[0].match', {protect: {resources: [{match: {resources: ['vcp']}}]}}],
    ['removal.policies[0].match', {removal: {policies: [{match: {resources: ['vcp']}, policy: 'Retain'}]}}],
    ['externalNames.from[0].match', {externalNames: {from: [{match: {resources: ['vcp']}, path: 'status.id'}]}}],
  ])('is told of %s, too', (path, input) => {
    expect(unknown({...made, input})).toEqual([{path, name: 'vcp'}]);
  });
});

describe('a name in a rule of a move that no resource has', () => {
  const other = {apiVersion: 'platform.example.org/v1', kind: 'XSite', name: 'other'};
  const resources = [{name: 'vcp'}];
  const given: Given = {observed: [observed('vpc')], desired: [desired('vpc')]};
  const rule = {path: 'take[0].resources[0]', name: 'vcp', among: 'rules'};

  it.each<[string, Input, readonly object[]]>([
    ['take', {take: [{from: other, resources}]}, [rule]],
    ['a dry run of give', {give: [{to: other, resources, dryRun: true}]}, [{...rule, path: 'give[0].resources[0]'}]],
    [
      'a dry run of handover',
      {handover: [{from: {resources: ['vcp']}, to: {resource: 'vpc'}, dryRun: true}]},
      [{path: 'handover[0].from', name: 'vcp'}],
    ],
  ])('is told of %s', (_what, input, told) => {
    expect(unknown({...given, input})).toEqual(told);
  });

  it.each<[string, Input]>([
    ['of give, which has given it', {give: [{to: other, resources}]}],
    ['of a move that is done', {handover: [{from: {resources: ['vcp']}, to: {resource: 'vpc'}}]}],
    ['of take that is not about this XR', {take: [{from: {...other, name: '${xr.spec.absent}'}, resources}]}],
    [
      'of take of a template',
      {
        take: [{from: other, resources}],
        resources: [{name: 'vcp', base: {apiVersion: 'a.example.org/v1', kind: 'Thing'}, include: 'false'}],
      },
    ],
  ])('is not told %s', (_what, input) => {
    expect(unknown({...given, input})).toEqual([]);
  });
});

describe('what else a selector says and no resource has', () => {
  const made = [desired('subnet-a', {labels: {role: 'net'}}), desired('db')];
  const kinds = [{apiVersion: 'ec2.m.example.org/v1', kind: 'Thing'}];
  const labels = [{key: 'role', value: 'data'}];

  it.each<[string, Input, readonly object[]]>([
    [
      'a glob, and a part of a name',
      {order: [{sequence: [{pattern: 'subnet-*'}, {pattern: 'subnet'}, {pattern: 'd.'}]}]},
      [
        {path: 'order[0].sequence[0]', part: 'pattern', name: 'subnet-*'},
        {path: 'order[0].sequence[1]', part: 'pattern', name: 'subnet'},
      ],
    ],
    [
      'the kind of another group',
      {removal: {policies: [{match: {kinds}, policy: 'Confirm'}]}, protect: {resources: [{match: {kinds}}]}},
      [{path: 'protect.resources[0].match', part: 'kinds', name: 'Thing of ec2.m.example.org/v1'}],
    ],
    [
      'a label',
      {protect: {resources: [{match: {labels}}]}},
      [{path: 'protect.resources[0].match', part: 'labels', name: 'role=data'}],
    ],
    [
      'all of it together',
      {order: [{of: {resources: ['db'], labels: [{key: 'role', value: 'net'}]}, by: {pattern: 'subnet-.*'}}]},
      [{path: 'order[0].of', part: 'selector', name: ''}],
    ],
  ])('is told: %s', (_, input, told) => {
    expect(unknown({desired: made, input})).toEqual(told);
    expect(planOf({desired: made, input}).condition.status).not.toBe('Unknown');
  });
});

describe('nothing is told of', () => {
  it.each<[string, Given]>([
    ['a name that is desired', {desired: [desired('vcp'), desired('db')], input: order}],
    ['a name that is observed alone', {observed: [observed('vcp')], desired: [desired('db')], input: order}],
    [
      'what may match nothing',
      {desired: [desired('db')], input: {order: [{sequence: [{pattern: 'vcp', optional: true}, {pattern: 'db'}]}]}},
    ],
    ['a selector of everything', {input: {protect: {resources: [{match: {}}]}}}],
    [
      'what only a template has that is left out',
      {
        desired: [desired('db')],
        input: {
          order: [{sequence: [{pattern: 'v.p'}, {kinds: [{apiVersion: 'v1', kind: 'Other'}]}]}],
          resources: [{name: 'vcp', base: {apiVersion: 'v1', kind: 'Other'}, include: 'false'}],
        },
      },
    ],
    [
      'the kind of another version',
      {
        observed: [observed('db')],
        input: {protect: {resources: [{match: {kinds: [{apiVersion: 'ec2.example.org/v9', kind: 'Thing'}]}}]}},
      },
    ],
    [
      'a template that is left out',
      {
        desired: [desired('db')],
        input: {...order, resources: [{name: 'vcp', base: {apiVersion: 'v1', kind: 'Thing'}, include: 'false'}]},
      },
    ],
  ])('%s', (_, given) => {
    expect(unknown(given)).toEqual([]);
  });

  it('an input of function-sequencer: it has patterns alone', () => {
    const apiVersion = 'sequencer.fn.crossplane.io/v1beta1';
    const parsed = fromSequencer({apiVersion, kind: 'Input', rules: [{sequence: ['vcp', 'db']}]});
    if (parsed.kind !== 'input') throw new Error('it is one');
    expect(unknown({desired: [desired('db')], input: parsed.input})).toEqual([]);
  });
});

describe('what a step requires, and the XR', () => {
  const required = (
    match: object,
    answers: Given['required'] = {settings: [view({apiVersion: 'v1', kind: 'ConfigMap'})]},
  ) => unknown({required: answers, input: {protect: {required: [{match}]}}} as Given);
  const path = 'protect.required[0].match';

  it('are told of by what no requirement has', () => {
    expect(required({resources: ['setings']})).toEqual([{path, among: 'required', name: 'setings'}]);
    expect(required({pattern: 'sett*'})).toEqual([{path, among: 'required', part: 'pattern', name: 'sett*'}]);
    expect(required({kinds: [{apiVersion: 'v1', kind: 'Secret'}]})).toEqual([
      {path, among: 'required', part: 'kinds', name: 'Secret of v1'},
    ]);
    expect(
      required({resources: ['settings'], pattern: 'set.*', kinds: [{apiVersion: 'v1', kind: 'ConfigMap'}]}),
    ).toEqual([]);
    expect(required({resources: ['setings'], optional: true})).toEqual([]);
    expect(required({resources: ['settings']}, {})).toHaveLength(1);
  });

  it('are not told of by the kind of an object that is not there yet', () => {
    const kinds = [{apiVersion: 'v1', kind: 'ConfigMap'}];
    expect(required({resources: ['settings'], kinds}, {settings: []})).toEqual([]);
    expect(required({resources: ['setings'], kinds}, {settings: []})).toEqual([
      {path, among: 'required', name: 'setings'},
    ]);
  });

  it('are told of by a name, a pattern or another kind, but no label', () => {
    const ofXr = (xrMatch: object) =>
      unknown({input: {protect: {xrMatch}}} as Given).map(({part, among}) => [part, among]);
    expect(ofXr({resources: ['app']})).toEqual([[undefined, 'xr']]);
    expect(ofXr({pattern: 'app-.*'})).toEqual([['pattern', 'xr']]);
    expect(ofXr({kinds: [{apiVersion: 'v1', kind: 'Secret'}]})).toEqual([['kinds', 'xr']]);
    expect(ofXr({kinds: [{apiVersion: xr.apiVersion, kind: xr.kind}]})).toEqual([]);
    expect(ofXr({labels: [{key: 'protect', value: 'true'}]})).toEqual([]);
  });
});
