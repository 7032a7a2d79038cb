// An external resource goes from one XR to another, and the author of either Composition wrote something about it: its external name,
// or policies that keep it. Or an edit comes in the middle, and the provider is down.

import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {parseAllDocuments} from 'yaml';
import type {JsonObject} from '../../src/cluster/json.ts';
import {profileNamed} from '../../src/harness/control-plane/profile-names.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import {registry} from './registry.ts';
import {readWhole} from './small-move.ts';

const files = new URL('../../examples/split-xr/', import.meta.url);
const instance = (name: string) => ({apiVersion: 'rds.aws.upbound.io/v1beta1', kind: 'Instance', name});

interface Resource {
  readonly name: string;
  readonly base: {readonly kind: string; metadata?: object; spec: object};
}

interface StepInput {
  readonly resources?: readonly Resource[];
  readonly [part: string]: unknown;
}

interface Composition {
  readonly spec: {readonly pipeline: readonly {readonly step: string; readonly input: StepInput}[]};
}

/** `instances`: the Instances among its resources. */
type Edit = (input: StepInput, instances: readonly Resource[]) => StepInput;
type Compositions = (file: string, edit?: Edit) => Composition;

const asItIs: Edit = (input) => input;

function read(file: string): readonly JsonObject[] {
  return parseAllDocuments(readFileSync(new URL(file, files), 'utf8')).map((document) => document.toJS());
}

function tell(crossplane: string, steps: (of: Compositions) => readonly object[]) {
  const isOld = crossplane.startsWith('1');
  const of: Compositions = (file, edit = asItIs) => {
    const [said] = read(`composition-${file}.yaml`) as unknown as readonly [Composition];
    const pipeline = said.spec.pipeline.map(({input, ...step}) => {
      const instances = (input.resources ?? []).filter(({base}) => base.kind === 'Instance');
      const named = isOld && step.step === 'tether' ? {...input, crossplane} : input;
      return {...step, input: edit(named, instances)};
    });
    return {...said, spec: {...said.spec, pipeline}};
  };
  const platform = read('platform.yaml').map((one) => {
    if (!isOld || one['kind'] !== 'CompositeResourceDefinition') return one;
    const {scope: _, ...spec} = one['spec'] as JsonObject;
    return {...one, apiVersion: 'apiextensions.crossplane.io/v1', spec};
  });
  const scenario = readWhole({
    name: 'two XRs',
    crossplane,
    fixtures: platform,
    functions: {'function-templates': {builtin: 'function-static'}, 'function-tether': {builtin: 'function-tether'}},
    provider: {readyAfter: '2s', deleteAfter: '5s'},
    steps: [...steps(of), {name: 'the end', wait: '1h'}],
  } as unknown as JsonObject);
  const variant = {name: 'with', without: [], expect: []};
  const {externals, objects} = driveHere(
    driveScenario(scenario, {crossplane: profileNamed(crossplane), variant, seed: 1, builtins: registry}),
  );
  const instances = objects.filter(({kind}) => kind === 'Instance').map(({metadata}) => metadata.name);
  return {creates: externals.creates, deletes: externals.deletes, instances: instances.sort()};
}

function xr(kind: string): JsonObject {
  return {apiVersion: 'example.org/v1', kind, metadata: {name: 'orders'}, spec: {size: 'small'}};
}

describe.each(['main', '2.3', '1.20', '1.16'])('on Crossplane %s', (crossplane) => {
  describe('the author wrote its external name in both Compositions', () => {
    const written = (name: string, more: JsonObject = {}, isRuled = false): Edit => {
      return ({give, take, ...input}, instances) => {
        const metadata = {name, annotations: {'crossplane.io/external-name': 'ledger'}};
        for (const {base} of instances) base.metadata = metadata;
        const rules = {...(give === undefined ? {} : {give}), ...(take === undefined ? {} : {take})};
        return {...input, ...(input.resources ? {} : more), ...(isRuled ? rules : {})};
      };
    };
    const moved = (of: Compositions, shop: Edit, database: Edit) => [
      {name: 'both kinds', apply: [of('shop', shop), of('database', database)]},
      {name: 'a shop', apply: xr('Shop'), wait: '5m'},
      {name: 'a database', apply: xr('Database')},
      {name: 'the Shop drops it', apply: of('shop-split', shop)},
    ];

    test('it moves by the rules', () => {
      const [shop, database] = [written('old', {}, true), written('new', {}, true)];
      expect(tell(crossplane, (of) => moved(of, shop, database))).toEqual({creates: 2, deletes: 0, instances: ['new']});
    });

    test('it stays if the XR that drops it leaves it by a policy, and is destroyed otherwise', () => {
      const leaving = written('old', {removal: {policies: [{match: {resources: ['db']}, policy: 'Orphan'}]}});
      const left = tell(crossplane, (of) => moved(of, leaving, written('new')));
      expect(left).toEqual({creates: 2, deletes: 0, instances: ['new']});
      expect(tell(crossplane, (of) => moved(of, written('old'), written('new'))).deletes).toBe(1);
    });
  });

  test('what is given before its provider made it is made, whatever policies its author gives it', () => {
    const keeping: Edit = (input, instances) => {
      const managementPolicies = ['Observe', 'Create', 'Update', 'LateInitialize'];
      for (const {base} of instances) base.spec = {...base.spec, managementPolicies};
      return input;
    };
    const giving: Edit = (input, instances) => {
      if (input.resources) return keeping(input, instances);
      const to = {apiVersion: 'example.org/v1', kind: 'Database', name: 'orders'};
      return {...input, give: [{to, resources: [{name: 'db', there: 'instance'}]}]};
    };
    const told = tell(crossplane, (of) => [
      {name: 'both kinds', apply: [of('shop', keeping), of('database')]},
      {stop: 'provider'},
      {name: 'a shop', apply: xr('Shop'), wait: '5m'},
      {name: 'the Shop gives it', apply: of('shop', giving), wait: '5m'},
      {start: 'provider', wait: '5m'},
      {name: 'a database', apply: xr('Database')},
    ]);
    expect(told).toMatchObject({creates: 2, deletes: 0});
  });

  test.each([
    ['ledger-of-database', 'Observe'],
    ['ledger', 'Orphan'],
  ])('an edit gives the old object another resource name while the provider is down: %s', (name, seen) => {
    const match = seen === 'Orphan' ? {deletionPolicy: 'Orphan'} : {managementPolicies: [seen]};
    const named =
      (object: string): Edit =>
      (input, instances) => {
        for (const {base} of instances) base.metadata = {name: object};
        return input;
      };
    const told = tell(crossplane, (of) => {
      const again = of('shop', named('ledger')).spec.pipeline[0]?.input.resources ?? [];
      const renamed = again.filter(({name: one}) => one === 'db').map((one) => ({...one, name: 'db-moved'}));
      const renaming: Edit = (input) =>
        input.resources ? {...input, resources: [...input.resources, ...renamed]} : input;
      return [
        {name: 'both kinds', apply: [of('shop', named('ledger')), of('database', named('ledger-of-database'))]},
        {name: 'a shop', apply: xr('Shop'), wait: '5m'},
        {name: 'the Shop gives it', apply: of('shop-split')},
        {
          name: 'a database',
          apply: xr('Database'),
          wait: {for: {object: instance(name), match: {spec: match}}, timeout: '10m'},
        },
        {stop: 'provider'},
        {name: 'the Shop has it again, under another name', apply: of('shop-split', renaming), wait: '10m'},
        {start: 'provider'},
      ];
    });
    expect(told).toEqual({creates: 3, deletes: 0, instances: ['ledger', 'ledger-of-database']});
  });
});
