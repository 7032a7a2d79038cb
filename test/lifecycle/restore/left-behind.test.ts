import {describe, expect, it} from 'vitest';
import {conditionSentence} from '../../../src/function/answer.ts';
import {composedFieldManager, compositeId} from '../../../src/lifecycle/facts/naming.ts';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import {refTo} from '../../../src/lifecycle/words/references.ts';
import type {ResourceView} from '../../../src/lifecycle/words/snapshot.ts';
import {desired, type Given, type ObservedOptions, observed, planOf, table, view, xr} from '../given.ts';

const before = '2026-01-01T00:00:00Z';
const until = '2026-01-02T00:00:00Z';
const after = '2026-01-03T00:00:00Z';

/** Listed by the XR, with Crossplane's marks and none of ours. */
function old(options: ObservedOptions = {}, metadata: JsonObject = {}): [string, ResourceView] {
  const labels = {'crossplane.io/composite': 'net'};
  const [name, seen] = observed('b', {controller: 'nobody', proof: 'none', labels, ...options});
  const object = seen.json();
  const made = {...(object['metadata'] as JsonObject), creationTimestamp: before, ...metadata};
  return [name, view({...object, metadata: made})];
}

function xrWith(metadata: JsonObject, conditions: readonly JsonObject[] = []): ResourceView {
  const all = {...(xr.json()['metadata'] as JsonObject), creationTimestamp: before, ...metadata};
  return view({...xr.json(), metadata: all, status: {conditions}});
}

/** What the XR says after the reconcile in which b was left behind. */
function said(): JsonObject {
  const plan = planOf({observed: [observed('a'), old()], desired: [desired('a')], schemas: {}});
  return {type: 'Tethered', status: 'False', reason: plan.condition.reason, message: conditionSentence(plan)};
}

const later = (metadata: JsonObject = {}, given: Given = {}): Given => ({
  xr: xrWith(metadata, [said()]),
  observed: [observed('a')],
  desired: [desired('a')],
  ...given,
});

describe('what a backup that is older than function-tether leaves behind', () => {
  it('is told as long as nobody has decided', () => {
    const plan = planOf(later());
    expect(plan.condition).toEqual({status: 'False', reason: 'LeftBehind', resources: []});
    const message = conditionSentence(plan);
    expect(message).toContain('left behind composed resource "b": Thing of ec2.example.org/v1beta1 "net-b"');
    const again = later();
    const next = {...again, xr: xrWith({}, [{type: 'Tethered', status: 'False', message}])};
    expect(conditionSentence(planOf(next))).toBe(message);
  });

  it('and asked for, of a kind that is known to be served', () => {
    const [[name, requirement] = []] = planOf(later()).requirements;
    expect(requirement).toMatchObject({kind: 'Thing', match: {kind: 'name', name: 'net-b'}});
    const answered = (views: readonly ResourceView[]) =>
      planOf(later({}, {required: {[name ?? '']: views}})).condition.reason;
    expect(answered([old()[1]])).toBe('LeftBehind');
    expect(answered([])).toBe('Tethered');
    expect(answered([observed('b')[1]])).toBe('Tethered');
    expect(answered([old({deleting: true})[1]])).toBe('Tethered');
  });

  it('but not of a kind that may be gone', () => {
    const none = later({}, {observed: [], desired: []});
    expect(planOf(none).requirements.size).toBe(0);
    expect(planOf(none).condition.reason).toBe('LeftBehind');
    expect([...planOf({...none, schemas: {}}).schemas.keys()]).toEqual(['kind-Thing.ec2.example.org/v1beta1']);
  });

  it('until a person says that it is not this XR’s any more', () => {
    const annotations = {'tether.fn.crossplane.io/gone': 'b'};
    expect(planOf(later({annotations})).condition.reason).toBe('Tethered');
  });

  it('or the XR has it again', () => {
    const given = later({}, {observed: [observed('a'), observed('b')], desired: [desired('a'), desired('b')]});
    expect(planOf(given).condition.reason).toBe('Tethered');
  });

  it('but is still there if the pipeline wants its resource name again, and Crossplane has created a second object', () => {
    const second = observed('b', {name: 'net-second'});
    const given = later({}, {observed: [observed('a'), second], desired: [desired('a'), desired('b')]});
    expect(planOf(given).leftBehind).toMatchObject([{resourceName: 'b', object: {name: 'net-b'}}]);
    expect(planOf(given).condition.reason).toBe('LeftBehind');
  });

  it('and is nothing that Crossplane did not compose for an XR of this name', () => {
    const foreign = old({labels: {'crossplane.io/composite': 'other'}});
    expect(planOf({observed: [foreign]}).leftBehind).toEqual([]);
  });

  it('whatever is in the message', () => {
    for (const message of [
      '',
      'left behind composed resource "b: x of y "z"',
      'left behind composed resource "\\": T of v "n"',
    ]) {
      const given = {xr: xrWith({}, [{type: 'Tethered', message}])};
      expect(() => planOf(given)).not.toThrow();
    }
  });
});

describe('references that the input trusts', () => {
  const input: Input = {restore: {trustReferencesUntil: until}};
  const of = (seen: [string, ResourceView], metadata: JsonObject = {}) =>
    table({xr: xrWith(metadata), observed: [seen], input, schemas: {}})['b'];

  it('have what they list adopted, and then released', () => {
    expect(of(old())).toBe('hold (without-controller)');
    expect(table({xr: xrWith({}), observed: [old()], schemas: {}})['b']).toBe('refuse (unproven)');
  });

  it.each([
    ['v1.16.2', true],
    ['1.20', true],
    ['2.0', true],
    ['2.3.4', true],
    ['1.16', false],
    ['1.16.1', false],
    ['2.3.5', false],
    ['2.4', false],
    ['3.0', false],
  ])(
    'and so do those of a Crossplane that deletes what nobody adopts, whenever it was made: %s',
    (crossplane, isTrusted) => {
      const late = old({}, {creationTimestamp: after});
      const decided = table({xr: xrWith({}), observed: [late], input: {crossplane}})['b'];
      expect(decided).toBe(isTrusted ? 'hold (without-controller)' : 'refuse (unproven)');
      const foreign = old({labels: {'crossplane.io/composite': 'other'}});
      expect(table({xr: xrWith({}), observed: [foreign], input: {crossplane}})['b']).toBe('refuse (unproven)');
    },
  );

  it('and so do those of one that shows no capabilities: it is older than 2.2', () => {
    expect(table({xr: xrWith({}), observed: [old()]})['b']).toBe('hold (without-controller)');
    const foreign = old({labels: {'crossplane.io/composite': 'other'}});
    expect(table({xr: xrWith({}), observed: [foreign]})['b']).toBe('refuse (unproven)');
  });

  it('and so do those of a backup that came back into a namespace of another name, if all was one former XR', () => {
    const idIn = (namespace: string) => compositeId({...refTo(xr), namespace});
    const marked = (namespace: string): [string, ResourceView] => {
      const labels = {'crossplane.io/composite': 'net', 'tether.fn.crossplane.io/composite': idIn(namespace)};
      return old({labels, namespace: 'green'});
    };
    const green = xrWith({namespace: 'green'});
    const decided = (more: Given, given = input) =>
      table({xr: green, observed: [marked('blue')], input: given, schemas: {}, ...more})['b'];
    expect([decided({}), decided({}, {crossplane: '2.3.4'})]).toEqual(Array(2).fill('hold (without-controller)'));
    expect(decided({}, {})).toBe('refuse (unproven)');
    for (const other of ['green', 'red'])
      expect(decided({observed: [marked('blue'), ['a', marked(other)[1]]]})).toBe('refuse (unproven)');
  });

  it('unless it was made later, or the XR was', () => {
    expect(of(old({}, {creationTimestamp: after}))).toBe('refuse (unproven)');
    expect(of(old(), {creationTimestamp: after})).toBe('refuse (unproven)');
  });

  it('or something on it says another XR', () => {
    const other = compositeId({apiVersion: 'x/v1', kind: 'Y', namespace: '', name: 'z'});
    const manager = composedFieldManager(view({apiVersion: 'x/v1', kind: 'Y', metadata: {name: 'z'}}));
    expect(of(old({labels: {'crossplane.io/composite': 'other'}}))).toBe('refuse (unproven)');
    expect(of(old({labels: {'tether.fn.crossplane.io/composite': other}}))).toBe('refuse (unproven)');
    expect(of(old({owned: {}, manager}))).toBe('refuse (unproven)');
    expect(of(old({controller: 'stale'}))).toBe('refuse (stale-controller)');
    expect(of(old({namespace: 'blue'}), {namespace: 'green'})).toBe('refuse (unproven)');
  });
});
