import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import {type Plan, plan} from '../../../src/lifecycle/plan/plan.ts';
import {at, type Json, type JsonObject} from '../../../src/lifecycle/words/json.ts';
import {desired, emitted, type Given, id, observed, planOf, snapshot, table, usage, view, xr} from '../given.ts';

type Template = NonNullable<Input['resources']>[number];

const ready = {conditions: [{type: 'Ready', status: 'True'}]};
const network = view({...xr.json(), spec: {region: 'eu', replicas: 3, zones: ['a', 'b'], tags: {team: 'net'}}});

function thing(name: string, forProvider: JsonObject, more: Partial<Template> = {}): Template {
  return {name, base: {apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing', spec: {forProvider}}, ...more};
}

const vpc = thing('vpc', {region: '${xr.spec.region}'});
const subnet = thing('subnet', {vpcId: '${resources.vpc.status.id}'});
const provided = {'f:spec': {'f:forProvider': {}}};
const seenVpc = observed('vpc', {status: {id: 'vpc-1', ...ready}});

function given(resources: readonly Template[], more: Given = {}): Given {
  return {xr: network, ...more, input: {...more.input, resources}};
}

function specOf(result: Plan, name: string): Json | undefined {
  return at(emitted(result, name), ['spec', 'forProvider']);
}

/** Resource names of the Usages in desired, as `by uses of`. */
function usagesIn(result: Plan): readonly string[] {
  const bodies = [...result.edits.values()].flatMap((edit) => (edit.kind === 'put' ? [edit.object] : []));
  const annotation = (body: JsonObject, end: string) =>
    at(body, ['metadata', 'annotations', `tether.fn.crossplane.io/${end}`]);
  return bodies
    .filter((body) => `${body['kind']}`.endsWith('Usage'))
    .map((body) => `${annotation(body, 'by')} uses ${annotation(body, 'of')}`)
    .sort();
}

function refusal(given: Given): {readonly path: string; readonly expected: string; readonly got: string} {
  const result = plan(snapshot(given), given.input ?? {});
  if (result.kind === 'plan') throw new Error('expected the input to be refused');
  const {path, expected, got} = result;
  return {path, expected, got};
}

describe('expressions of a template', () => {
  it.each<[string, Json, Json]>([
    ['keeps its type', '${xr.spec.replicas}', 3],
    ['may be a list', '${xr.spec.zones.map(zone, "eu-" + zone)}', ['eu-a', 'eu-b']],
    ['may be an object', '${xr.spec.tags}', {team: 'net'}],
    ['is text inside a longer string', 'n${xr.spec.replicas}-${xr.spec.region}', 'n3-eu'],
    ['may hold braces and quotes', '${{"a": "}", "b": \'${\'}}', {a: '}', b: '${'}],
    ['may hold an escaped quote', '${"a\\"}b"}', 'a"}b'],
    ['may hold a raw string that ends in a backslash', '${r"a\\"}!', 'a\\!'],
    ['may be escaped', '$${xr.spec.region} is ${xr.spec.region}', '${xr.spec.region} is eu'],
    ['is found in lists', ['${xr.spec.region}', 'x'], ['eu', 'x']],
    ['leaves no item where it is null', ['a', '${null}', null], ['a', null]],
  ])('an expression %s', (_what, value, want) => {
    expect(specOf(planOf(given([thing('a', {value})])), 'a')).toEqual({value: want});
  });

  it('leaves a field out where it is null, and only there', () => {
    const template = thing('a', {gone: '${has(xr.spec.size) ? xr.spec.size : null}', stays: null});
    expect(specOf(planOf(given([template])), 'a')).toEqual({stays: null});
  });

  it('may read the context and what is required', () => {
    const template = thing('a', {env: '${context.env}', zone: '${required.zones[0].metadata.name}'});
    const zone = view({apiVersion: 'v1', kind: 'Zone', metadata: {name: 'z1'}});
    const result = planOf(given([template], {context: {env: 'prod'}, required: {zones: [zone]}}));
    expect(specOf(result, 'a')).toEqual({env: 'prod', zone: 'z1'});
  });

  it.each<[string, Json, string, string]>([
    ['a mistake in CEL', {size: '${xr.spec.}'}, 'resources[0].base.spec.forProvider.size', 'found . but'],
    [
      'a variable that is none',
      [{size: '${spec.region}'}],
      'resources[0].base.spec.forProvider[0].size',
      'variable spec',
    ],
    [
      'an expression without its end',
      {'a.b': 'x${xr.spec'},
      'resources[0].base.spec.forProvider["a.b"]',
      'without its }',
    ],
  ])('are refused at their place: %s', (_what, forProvider, path, got) => {
    const template = thing('a', {});
    const problem = refusal(given([{...template, base: {...template.base, spec: {forProvider}}}]));
    expect(problem).toMatchObject({path, got: expect.stringContaining(got)});
  });

  it('are refused even where another one of the resource waits, or the resource is not included', () => {
    const wrong = thing('subnet', {a: '${resources.vpc.status.id}', b: '${nobody}'});
    expect(refusal(given([vpc, wrong])).path).toBe('resources[1].base.spec.forProvider.b');
    const unknown = thing('subnet', {b: '${nobody}'}, {include: 'false'});
    expect(refusal(given([vpc, unknown])).path).toBe('resources[1].base.spec.forProvider.b');
  });
});

describe('a template', () => {
  it('is composed with our marks, and counts as ready by its own condition', () => {
    const result = planOf(given([vpc], {observed: [seenVpc]}));
    expect(result.edits.get('vpc')).toEqual({
      kind: 'put',
      ready: 'true',
      object: {
        apiVersion: 'ec2.example.org/v1beta1',
        kind: 'Thing',
        metadata: {
          labels: {'tether.fn.crossplane.io/composite': id, 'tether.fn.crossplane.io/resource': 'vpc'},
          annotations: {'tether.fn.crossplane.io/phase': 'adopted', 'tether.fn.crossplane.io/status': 'ready'},
        },
        spec: {forProvider: {region: 'eu'}},
      },
    });
    expect(table(given([vpc]))).toEqual({vpc: 'create'});
    expect(planOf(given([vpc])).edits.get('vpc')).toMatchObject({ready: 'unspecified'});
  });

  it.each<[string, JsonObject | undefined, string]>([
    ['true', {id: 'vpc-1'}, 'true'],
    ['false', {id: 'vpc-2'}, 'false'],
    ['not to be said yet', undefined, 'false'],
  ])('is ready as readyWhen says: %s', (_what, status, want) => {
    const template = {...vpc, readyWhen: 'self.status.id == "vpc-1"'};
    const seen = observed('vpc', status === undefined ? {} : {status});
    expect(planOf(given([template], {observed: [seen]})).edits.get('vpc')).toMatchObject({ready: want});
  });

  it('leaves in order when it is no longer included', () => {
    const optional = {...subnet, include: 'xr.spec.replicas > 3'};
    const seen = {observed: [seenVpc, observed('subnet')]};
    expect(table(given([vpc, optional], seen))).toMatchObject({subnet: 'release'});
    const retained = {removal: {policies: [{policy: 'Retain' as const}]}};
    expect(table(given([vpc, optional], {...seen, input: retained}))).toMatchObject({subnet: 'retain'});
    expect(table(given([vpc, optional], {observed: [seenVpc]}))).not.toHaveProperty('subnet');
  });

  it('is taken back by its labels under its name', () => {
    const [, lost] = observed('vpc', {controller: 'nobody', labels: {'tether.fn.crossplane.io/resource': 'vpc'}});
    const more = {required: {'lost-Thing.ec2.example.org': [lost]}, input: {restore: {lookup: true}}};
    expect(table(given([vpc], more))).toEqual({vpc: 'adopt (found-by-label)'});
    expect(emitted(planOf(given([vpc], more)), 'vpc')).toMatchObject({metadata: {name: 'net-vpc'}});
  });

  it('has a stable name where the input wants that', () => {
    const result = planOf(given([vpc], {input: {restore: {stableNames: true}}}));
    expect(at(emitted(result, 'vpc'), ['metadata', 'name'])).toMatch(/^net-[0-9a-f]{12}$/);
  });

  it('stays desired as it is where somebody else controls it, so that composed GC does not stop the XR', () => {
    const stale = {observed: [observed('vpc', {controller: 'stale'})]};
    expect(table(given([vpc], stale))).toEqual({vpc: 'refuse (stale-controller)'});
    expect(specOf(planOf(given([vpc], stale)), 'vpc')).toEqual({region: 'eu'});
    const unresolved = thing('vpc', {region: '${xr.spec.planet}'});
    const seen = observed('vpc', {controller: 'stale', spec: {forProvider: {region: 'us'}}, owned: provided});
    expect(specOf(planOf(given([unresolved], {observed: [seen]})), 'vpc')).toEqual({region: 'us'});
  });

  it.each<[string, readonly Template[], Given, string]>([
    ['two of one name', [vpc, vpc], {}, 'resources[1].name'],
    ["an earlier step's name", [vpc], {desired: [desired('vpc')]}, 'resources[0].name'],
    [
      'a kind that is an expression',
      [{name: 'a', base: {apiVersion: 'v1', kind: '${xr.kind}'}}],
      {},
      'resources[0].base.kind',
    ],
    ['no apiVersion', [{name: 'a', base: {kind: 'Thing'}}], {}, 'resources[0].base.apiVersion'],
    [
      'metadata that is a text',
      [{name: 'a', base: {apiVersion: 'v1', kind: 'A', metadata: '${xr}'}}],
      {},
      'resources[0].base.metadata',
    ],
  ])('is refused: %s', (_what, resources, more, path) => {
    expect(refusal(given(resources, more)).path).toBe(path);
  });
});

describe('a value that is not there yet', () => {
  it('makes a new resource wait, and the XR unready', () => {
    const result = planOf(given([vpc, subnet]));
    expect(result.decisions.get('subnet')).toEqual({
      kind: 'wait',
      reason: 'unresolved',
      path: 'resources[1].base.spec.forProvider.vpcId',
      cause: {kind: 'missing', field: 'resources.vpc'},
    });
    expect(result.edits.get('subnet')).toEqual({kind: 'drop'});
    expect(result).toMatchObject({xrReady: 'false', condition: {status: 'False', reason: 'Waiting'}});
  });

  it('ends with the value', () => {
    const result = planOf(given([vpc, subnet], {observed: [seenVpc]}));
    expect(specOf(result, 'subnet')).toEqual({vpcId: 'vpc-1'});
  });

  it('adopts nothing that is not proven to be the XR’s: who edits an XR may list what is nobody’s', () => {
    const nobodys = observed('subnet', {controller: 'nobody', proof: 'none'});
    const result = planOf(given([vpc, subnet], {observed: [nobodys]}));
    expect(result.decisions.get('subnet')).toMatchObject({kind: 'wait', reason: 'unresolved'});
    expect(result.edits.get('subnet')).toEqual({kind: 'drop'});
  });

  it('drops nothing that exists: the resource is held as it is', () => {
    const seen = observed('subnet', {
      spec: {forProvider: {vpcId: 'vpc-1'}, lateInitialized: true},
      owned: {'f:spec': {'f:forProvider': {'f:vpcId': {}}}},
      status: ready,
    });
    const result = planOf(given([vpc, subnet], {observed: [observed('vpc'), seen]}));
    expect(result.decisions.get('subnet')).toMatchObject({
      kind: 'hold',
      reason: 'unresolved',
      cause: {kind: 'missing', field: 'resources.vpc.status'},
    });
    expect(result.edits.get('subnet')).toMatchObject({
      kind: 'put',
      ready: 'true',
      object: {
        spec: {forProvider: {vpcId: 'vpc-1'}},
        metadata: {annotations: {'tether.fn.crossplane.io/phase': 'adopted'}},
      },
    });
    expect(emitted(result, 'subnet')['spec']).not.toHaveProperty('lateInitialized');
    expect(result.transitions).toEqual([]);
  });

  it('drops nothing where `include` is what cannot be said', () => {
    const optional = {...vpc, include: 'xr.status.wanted'};
    expect(table(given([optional], {observed: [seenVpc]}))).toEqual({vpc: 'hold (unresolved)'});
    expect(table(given([optional]))).toEqual({vpc: 'wait (unresolved)'});
  });

  // Who may write what an expression reads stops the one resource, and not the XR.
  it.each<[string, Template, string]>([
    ['fits no number', thing('subnet', {size: '${int(resources.vpc.status.id)}'}), 'base.spec.forProvider.size'],
    ['is no text', thing('subnet', {zone: 'x-${resources.vpc.status}'}), 'base.spec.forProvider.zone'],
    ['is neither true nor false', {...vpc, name: 'subnet', include: 'resources.vpc.status.id'}, 'include'],
  ])('is waited for where what others wrote %s', (_what, template, place) => {
    const result = planOf(given([vpc, template], {observed: [seenVpc]}));
    const said = {reason: 'unresolved', path: `resources[1].${place}`, cause: {kind: 'unfit'}};
    expect(result.decisions.get('subnet')).toMatchObject({kind: 'wait', ...said});
    expect(result.decisions.get('vpc')).toEqual({kind: 'keep'});
    const ofNewXr = planOf(given([vpc, template]));
    expect(ofNewXr.decisions.get('vpc')).toEqual({kind: 'create'});
    const both = planOf(given([vpc, template], {observed: [seenVpc, observed('subnet')]}));
    expect(both.decisions.get('subnet')).toMatchObject({kind: 'hold', ...said});
  });

  it('is not ready where `readyWhen` comes to neither true nor false', () => {
    const unsure = {...vpc, readyWhen: 'self.status.id'};
    expect(planOf(given([unsure], {observed: [seenVpc]})).edits.get('vpc')).toMatchObject({ready: 'false'});
  });

  it('is a mistake all the same where the expression is none', () => {
    const wrong = thing('subnet', {size: '${nobody}'});
    expect(refusal(given([vpc, wrong], {observed: [seenVpc]})).path).toBe('resources[1].base.spec.forProvider.size');
  });

  it('adopts what a restore left without a controller, as it is', () => {
    const seen = observed('subnet', {controller: 'nobody', spec: {forProvider: {vpcId: 'vpc-1'}}, owned: provided});
    const result = planOf(given([vpc, subnet], {observed: [observed('vpc'), seen]}));
    expect(result.decisions.get('subnet')).toEqual({kind: 'adopt', reason: 'without-controller'});
    expect(specOf(result, 'subnet')).toEqual({vpcId: 'vpc-1'});
  });

  it('makes whatever an order creates after it wait, too', () => {
    const input = {order: [{sequence: [{resources: ['subnet']}, {resources: ['app']}]}]};
    const result = table(given([vpc, subnet], {desired: [desired('app')], input}));
    expect(result).toMatchObject({subnet: 'wait (unresolved)', app: 'wait (creation-order)'});
  });

  it('makes nobody protect or use what does not exist', () => {
    const named = {...subnet, base: {...subnet.base, metadata: {name: 'net-subnet'}}};
    const input: Input = {
      usages: [{of: 'vpc', by: 'subnet'}],
      protect: {resources: [{match: {resources: ['subnet']}}], xr: 'Never'},
      restore: {stableNames: true},
    };
    expect(usagesIn(planOf(given([vpc, named], {observed: [observed('vpc')], input})))).toEqual([]);
  });
});

describe('references', () => {
  it('order deletion: a Usage says that the reader uses what it reads', () => {
    const seen = {observed: [seenVpc, observed('subnet')]};
    expect(usagesIn(planOf(given([vpc, subnet], seen)))).toEqual(['subnet uses vpc']);
  });

  it('keep what is read while its reader is there, when both are no longer included', () => {
    const gone = [
      {...vpc, include: 'false'},
      {...subnet, include: 'false'},
    ];
    const before = planOf(given([vpc, subnet], {observed: [seenVpc, observed('subnet')]}));
    const [name = ''] = [...before.decisions.keys()].filter((key) => key.includes('-uses-'));
    const left = usage(name, {of: 'vpc', by: 'subnet'});
    expect(table(given(gone, {observed: [seenVpc, observed('subnet'), left]}))).toEqual({
      vpc: 'hold (still-used-by)',
      subnet: 'release',
      [name]: 'keep',
    });
  });

  it('in `include` count as well, and those in readyWhen do not', () => {
    const including = thing('app', {}, {include: 'resources.vpc.status.id != ""'});
    const readying = thing('app', {}, {readyWhen: 'resources.vpc.status.id != ""'});
    const seen = {observed: [seenVpc, observed('app')]};
    expect(usagesIn(planOf(given([vpc, including], seen)))).toEqual(['app uses vpc']);
    expect(usagesIn(planOf(given([vpc, readying], seen)))).toEqual([]);
  });

  it('to a resource of an earlier step order deletion, too', () => {
    const more = {observed: [seenVpc, observed('subnet')], desired: [desired('vpc')]};
    expect(usagesIn(planOf(given([subnet], more)))).toEqual(['subnet uses vpc']);
  });

  it('wait until what they read is ready, where that says when', () => {
    const slow = {...vpc, readyWhen: 'self.status.done'};
    const seen = (done: boolean) => ({observed: [observed('vpc', {status: {id: 'vpc-1', done}})]});
    expect(table(given([slow, subnet], seen(false)))).toMatchObject({subnet: 'wait (creation-order)'});
    expect(table(given([slow, subnet], seen(true)))).toMatchObject({subnet: 'create'});
    expect(table(given([vpc, subnet], seen(false)))).toMatchObject({subnet: 'create'});
  });

  it('that has() asks for first order nothing and wait for nothing', () => {
    const wish = thing('app', {vpcId: '${has(resources.vpc) ? resources.vpc.metadata.name : null}'});
    const sticky = thing('other', {id: '${has(resources.other) ? resources.other.spec.id : "first"}'});
    const result = planOf(given([vpc, wish, sticky], {observed: [seenVpc, observed('app')]}));
    expect(specOf(result, 'app')).toEqual({vpcId: 'net-vpc'});
    expect(specOf(result, 'other')).toEqual({id: 'first'});
    expect(usagesIn(result)).toEqual([]);
    expect(specOf(planOf(given([thing('app', wish.base['spec'] as JsonObject)])), 'app')).toEqual({forProvider: {}});
  });

  it('to what an earlier step left out wait, or stay as they are, and stop nothing else', () => {
    const other = {observed: [observed('web')], desired: [desired('web')]};
    expect(table(given([subnet], other))).toEqual({subnet: 'wait (unresolved)', web: 'keep'});
    const made = {...other, observed: [...other.observed, observed('subnet')]};
    expect(table(given([subnet], made))).toEqual({subnet: 'hold (unresolved)', web: 'keep'});
  });

  it.each<[string, readonly Template[], string]>([
    [
      'of two',
      [thing('a', {b: '${resources.b.status.id}'}), thing('b', {a: '${resources.a.status.id}'})],
      'the cycle "a" before "b" before "a"',
    ],
    ['of one', [thing('a', {a: '${resources.a.status.id}'})], 'the cycle "a" before "a"'],
  ])('in a cycle %s are refused by name', (_what, resources, got) => {
    expect(refusal(given(resources)).got).toBe(got);
  });

  it('in a cycle with an order of the input are refused, too', () => {
    const input = {order: [{sequence: [{resources: ['subnet']}, {resources: ['vpc']}]}]};
    expect(refusal(given([vpc, subnet], {input, desired: []})).got).toContain('"vpc"');
  });
});

describe('whatever the templates', () => {
  const names = ['a', 'b', 'c', 'd'];
  const expressions = fc.constantFrom(
    'plain',
    '${xr.spec.region}',
    '${xr.spec.planet}',
    'x-${resources.a.status.id}',
    '${has(resources.b) ? resources.b.metadata.name : null}',
    '${resources.c.status.id}',
  );
  const conditions = fc.constantFrom(undefined, 'true', 'false', 'xr.spec.replicas > 2', 'xr.status.wanted');
  const template = (name: string) =>
    fc
      .record({value: expressions, include: conditions, readyWhen: conditions})
      .map(({value, include, readyWhen}) =>
        thing(name, {value}, {...(include && {include}), ...(readyWhen && {readyWhen})}),
      );
  const seen = (name: string) =>
    fc
      .record({
        there: fc.boolean(),
        controller: fc.constantFrom<'ours' | 'nobody' | 'stale'>('ours', 'ours', 'nobody', 'stale'),
        id: fc.boolean(),
      })
      .map(({there, controller, id}) =>
        there ? [observed(name, {controller, ...(id && {status: {id: `id-${name}`}})})] : [],
      );
  const world = fc.record({
    resources: fc.tuple(...names.map(template)).map((templates) => templates as readonly Template[]),
    observed: fc.tuple(...names.map(seen)).map((lists) => lists.flat()),
    turn: fc.nat(3),
  });

  it('nothing that exists and is wanted, or may be, is ever dropped', () => {
    fc.assert(
      fc.property(world, ({resources, observed}) => {
        const input = {resources};
        const result = plan(snapshot({xr: network, observed}), input);
        if (result.kind !== 'plan') return;
        for (const [name] of observed) {
          const wanted = resources.some((template) => template.name === name && template.include !== 'false');
          if (wanted) expect(result.edits.get(name)).toMatchObject({kind: 'put'});
          else expect(result.decisions.get(name)?.kind).toMatch(/release|hold|refuse/);
        }
      }),
      {numRuns: 300},
    );
  });

  it('the answer does not depend on the order of the observed resources', () => {
    fc.assert(
      fc.property(world, ({resources, observed, turn}) => {
        const input = {resources};
        const turned = [...observed.slice(turn), ...observed.slice(0, turn)];
        const one = plan(snapshot({xr: network, observed}), input);
        const other = plan(snapshot({xr: network, observed: turned}), input);
        expect(other).toEqual(one);
        expect([...(other.kind === 'plan' ? other.decisions : [])]).toEqual([
          ...(one.kind === 'plan' ? one.decisions : []),
        ]);
      }),
      {numRuns: 300},
    );
  });
});
