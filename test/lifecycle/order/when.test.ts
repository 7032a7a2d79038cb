import {describe, expect, it} from 'vitest';
import {parseInput} from '../../../src/lifecycle/input/parse.ts';
import {plan} from '../../../src/lifecycle/plan/plan.ts';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import {desired, type Given, observed, planOf, snapshot, table, view, xr} from '../given.ts';

const dbThenApp = (when: string) => ({order: [{of: {resources: ['db']}, by: {resources: ['app']}, when}]});
const notReady: Given = {desired: [desired('db', {ready: 'false'}), desired('app')]};
const both: Given = {
  observed: [observed('db'), observed('app')],
  desired: [desired('db'), desired('app')],
};

const production = view({...xr.json(), spec: {tier: 'production', replicas: 3}});

describe('an order with `when`', () => {
  it.each<[string, string, string]>([
    ['holds while it is true', 'xr.spec.tier == "production"', 'wait (creation-order)'],
    ['does not hold while it is false', 'xr.spec.tier == "test"', 'create'],
    ['may compare numbers', 'xr.spec.replicas >= 3 && xr.spec.replicas + 1 < 5', 'wait (creation-order)'],
    ['may ask for fields that are not there', 'has(xr.status) && has(xr.status.done)', 'create'],
    ['may ask which resources are there', '"db" in resources', 'create'],
    ['may read the context', 'context.env == "prod"', 'wait (creation-order)'],
    ['may read what is required', 'required.zones.exists(z, z.metadata.name == "a")', 'wait (creation-order)'],
    ['may read the desired state', '"db" in desired.resources', 'wait (creation-order)'],
    ['may read the observed state', 'size(observed.resources) > 0', 'create'],
  ])('%s: %s', (_what, when, app) => {
    const given = {
      ...notReady,
      xr: production,
      context: {env: 'prod'},
      required: {zones: [view({apiVersion: 'v1', kind: 'Zone', metadata: {name: 'a'}})]},
      input: dbThenApp(when),
    };
    expect(table(given)['app']).toBe(app);
  });

  it('keeps deletion in order for what is there, whether it holds or not', () => {
    const usages = (when: string) =>
      [...planOf({...both, input: dbThenApp(when)}).decisions.keys()].filter((name) => name.includes('-uses-'));
    expect(usages('false')).toHaveLength(1);
    expect(usages('false')).toEqual(usages('true'));
  });

  it('tells once, of a resource that is created at once because of it', () => {
    const skipped = {
      kind: 'order-skipped',
      resourceName: 'app',
      path: 'order[0]',
      of: 'db',
    };
    expect(planOf({...notReady, input: dbThenApp('false')}).transitions).toContainEqual(skipped);
    const created = {...notReady, observed: [observed('app')], input: dbThenApp('false')};
    expect(planOf(created).transitions).toEqual([]);
    const ready: Given = {desired: [desired('db', {ready: 'true'}), desired('app')], observed: [observed('db')]};
    expect(planOf({...ready, input: dbThenApp('false')}).transitions).toEqual([]);
  });

  it.each([
    [
      'spec.tier == 1',
      'an error at character 1 of "spec.tier == 1": an unknown variable spec (there are xr, resources, context, required, observed, desired, apiextensions)',
    ],
  ])('is refused: %s', (when, got) => {
    const path = 'order[0].when';
    const expected = 'an expression that is true or false';
    const input = dbThenApp(when);
    expect(plan(snapshot({...notReady, xr: production}), input)).toEqual({kind: 'invalid-input', path, expected, got});
  });

  it.each([
    [
      'int(resources.db.spec.size) > 1',
      'an error at character 1 of "int(resources.db.spec.size) > 1": a value that does not fit',
    ],
    ['resources.db.spec.size', 'a string'],
    ['resources.db.spec.tier == "a"', 'resources.db.spec.tier, which is not there: ask has() first'],
  ])('holds if it is neither, and the condition tells: %s', (when, got) => {
    const db = observed('db', {spec: {size: 'many'}});
    const result = planOf({...notReady, observed: [db], input: dbThenApp(when)});
    expect(result.decisions.get('app')).toMatchObject({reason: 'creation-order'});
    expect(result.undecided).toMatchObject([{path: 'order[0].when', got}]);
  });

  it.each([
    ['xr.spec.tier', 'a string'],
    ['xr.status.done', 'xr.status, which is not there: ask has() first'],
    [
      'xr.spec.tier > 3',
      `an error at character 14 of "xr.spec.tier > 3": found no matching overload for '_>_' applied to '(string, int)'`,
    ],
  ])('holds if it is neither, for a new XR, too: %s', (when, got) => {
    const result = planOf({...notReady, xr: production, input: dbThenApp(when)});
    expect(result.decisions.get('app')).toMatchObject({reason: 'creation-order'});
    expect(result.undecided).toMatchObject([{path: 'order[0].when', got}]);
  });

  it('is a mistake all the same where the expression is none', () => {
    const input = dbThenApp('nobody == 1');
    expect(plan(snapshot({...notReady, observed: [observed('db')]}), input)).toMatchObject({kind: 'invalid-input'});
  });

  it('makes no cycle with an order that does not hold', () => {
    const input = {
      order: [
        {of: {resources: ['a']}, by: {resources: ['b']}, createOnly: true, when: 'true'},
        {of: {resources: ['b']}, by: {resources: ['a']}, createOnly: true, when: 'false'},
      ],
    };
    expect(table({desired: [desired('a'), desired('b')], input})).toEqual({a: 'create', b: 'wait (creation-order)'});
  });
});

describe('`condition` of function-sequencer', () => {
  const input = (condition: string, more: JsonObject = {}) => {
    const rules = [{sequence: ['only-one']}, {sequence: ['db', 'app'], condition, ...more}];
    const head = {apiVersion: 'sequencer.fn.crossplane.io/v1beta1', kind: 'Input', enableDeletionSequencing: true};
    const parsed = parseInput({...head, rules});
    if (parsed.kind !== 'input') throw new Error(parsed.got);
    return parsed;
  };
  const optional = 'observed.composite.resource.spec.tier == "production"';

  it('makes its sequence hold or not, by the words of function-sequencer', () => {
    expect(table({...notReady, xr: production, input: input(optional).input})['app']).toBe('wait (creation-order)');
    const test = view({...xr.json(), spec: {tier: 'test'}});
    expect(table({...notReady, xr: test, input: input(optional).input})['app']).toBe('create');
  });

  it('knows resources of both states by name', () => {
    const condition = 'has(observed.resources.db) && desired.resources["app"].resource.kind == "Thing"';
    expect(planOf({...both, input: input(condition).input}).decisions.size).toBe(3);
  });

  it('may be empty, and then says nothing', () => {
    expect(input('').input.order?.[0]).not.toHaveProperty('when');
  });

  it('keeps the Usages of what is there while it is false', () => {
    expect([...planOf({...both, input: input('false').input}).decisions.values()]).toContainEqual({kind: 'create'});
    expect(planOf({...both, input: input('false').input}).decisions.size).toBe(3);
  });

  it('is FATAL as there where it says neither, whatever is composed', () => {
    const {input: translated} = input('size("a")');
    expect(plan(snapshot({...both, input: translated}), translated, 'function-sequencer')).toMatchObject({
      kind: 'invalid-input',
    });
  });

  it('is named in its own words where it is wrong', () => {
    const {input: translated, placeOf = (path) => path} = input('1 + 1');
    const problem = plan(snapshot({...notReady, input: translated}), translated, 'function-sequencer');
    if (problem.kind === 'plan') throw new Error('expected the condition to be refused');
    expect(placeOf(problem.path)).toBe('rules[1].condition');
  });
});
