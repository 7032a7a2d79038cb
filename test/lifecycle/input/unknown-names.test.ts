import {describe, expect, it} from 'vitest';
import {fromSequencer} from '../../../src/lifecycle/input/dialect-sequencer.ts';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import {desired, type Given, observed, planOf} from '../given.ts';

// A plain name that no resource has is said: in the condition as long as it is so, and in a Warning while something is
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

describe('nothing is told of', () => {
  it.each<[string, Given]>([
    ['a name that is desired', {desired: [desired('vcp'), desired('db')], input: order}],
    ['a name that is observed alone', {observed: [observed('vcp')], desired: [desired('db')], input: order}],
    ['a pattern', {desired: [desired('db')], input: {order: [{sequence: [{pattern: 'vcp'}, {pattern: 'db'}]}]}}],
    [
      'a template that is left out',
      {
        desired: [desired('db')],
        input: {...order, resources: [{name: 'vcp', base: {apiVersion: 'v1', kind: 'Thing'}, include: 'false'}]},
      },
    ],
    [
      'what the step requires',
      {desired: [desired('db')], input: {protect: {required: [{match: {resources: ['vcp']}}]}}},
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
