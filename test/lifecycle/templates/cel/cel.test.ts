import {getConformanceSuite, type IncrementalTestSuite} from '@bufbuild/cel-spec/testdata/tests.js';
import {describe, expect, it} from 'vitest';
import {type CelOutcome, celProblem, compileCel} from '../../../../src/lifecycle/templates/cel/cel.ts';
import {fullMeter} from '../../../../src/lifecycle/templates/cel/functions.ts';
import {at, type Json} from '../../../../src/lifecycle/words/json.ts';

const xr: Json = {
  metadata: {name: 'net', annotations: {'example.org/tier': 'gold'}},
  spec: {replicas: 3, ratio: 1.5, region: 'eu', zones: ['a', 'b'], limits: {cpu: 2}, nothing: null, sizes: [1, 2, 3]},
};
const variables = ['xr', 'resources', 'context'];

function run(text: string, asked: string[] = []): CelOutcome {
  const program = compileCel(text, variables);
  if (program.kind === 'failed') return program;
  const source = (path: readonly string[]) => {
    asked.push(path.join('.'));
    return at(xr, path);
  };
  return program.run({xr: source, resources: (path) => at({vpc: {metadata: {name: 'vpc'}}}, path)}, fullMeter());
}

describe('expressions of Compositions', () => {
  it.each<[string, Json]>([
    ['xr.spec.replicas', 3],
    ['xr.spec.replicas == 3', true],
    ['xr.spec.replicas > 2 && xr.spec.replicas <= 3.5', true],
    ['xr.spec.replicas + 1', 4],
    ['2 * xr.spec.ratio', 3],
    ['xr.spec.replicas / 2', 1.5],
    ['int(xr.spec.replicas) % 2', 1],
    ['string(xr.spec.replicas)', '3'],
    ['xr.spec.zones[xr.spec.replicas - 2]', 'b'],
    ['xr.spec.sizes.map(size, size * 2)', [2, 4, 6]],
    ['xr.spec.zones.filter(zone, zone != "a")', ['b']],
    ['xr.spec.zones.exists(zone, zone == "b") && "a" in xr.spec.zones', true],
    ['xr.metadata.annotations["example.org/tier"]', 'gold'],
    ['has(xr.spec.region)', true],
    ['has(xr.spec.planet)', false],
    ['has(xr.spec.planet) ? xr.spec.planet : "earth"', 'earth'],
    ['has(xr.spec.nothing)', false],
    ['xr.spec.nothing == null', true],
    ['"cpu" in xr.spec.limits', true],
    ['xr.spec.region.upperAscii() + "-" + xr.spec.zones.join("")', 'EU-ab'],
    ['"banana".replace("a", "o")', 'bonono'],
    ['"banana".replace("a", "o", 2)', 'bonona'],
    ['"%s has %d".format([xr.metadata.name, 3])', 'net has 3'],
    ['xr.spec.region.matches("^[a-z]{1,63}$")', true],
    ['{"name": xr.metadata.name, "zones": xr.spec.zones}', {name: 'net', zones: ['a', 'b']}],
    ['xr.spec.limits', {cpu: 2}],
    ['xr.spec.zones.filter(xr, xr == "a")', ['a']],
    ['xr.spec.planet.name == "earth" || true', true],
  ])('%s', (text, want) => {
    expect(run(text)).toEqual({kind: 'value', value: want});
  });

  it.each([
    ['xr.spec.planet', 'xr.spec.planet'],
    ['xr.spec.planet.name', 'xr.spec.planet'],
    ['has(xr.spec.planet.name)', 'xr.spec.planet'],
    ['string(resources.vpc.status.id)', 'resources.vpc.status'],
    ['resources.subnet.status.id + "x"', 'resources.subnet'],
    ['resources["sub-net"].status.id', 'resources["sub-net"].status.id'],
    ['context.environment', 'context'],
    ['xr.spec.zones[7]', 'xr.spec.zones[7]'],
  ])('%s may come: %s is missing', (text, missing) => {
    expect(run(text)).toEqual({kind: 'unresolved', missing});
  });

  it.each([
    ['xr.spec. == 1', /found/, 8],
    ['xr.spec.region + 1', /no matching overload for '_\+_' applied to '\(string, int\)'/, 16],
    ['xr.spec.region && true', /expected bool, got string/, 1],
    ['xs.spec.region', /an unknown variable xs \(there are xr, resources, context\)/, 1],
    ['true || xs.spec', /an unknown variable xs/, 9],
    ['now() > timestamp("2026-01-01T00:00:00Z")', /an unknown function now/, 1],
    ['timestamp("2026-01-01T00:00:00Z").getHours()', /an unknown function getHours/, 34],
    ['1 / 0', /divide by zero/, 2],
    ['xr.metadata.name.substring(5)', /a value that does not fit/, 17],
    ['int(xr.spec.region)', /^a value that does not fit$/, 1],
    ['duration("1h")', /use string\(\)/, 1],
    ['1.0 / 0.0', /Infinity/, 1],
    ['9223372036854775807', /too large/, 1],
    ['{1: 2}', /a key that is no string/, 1],
  ])('%s can never be', (text, problem, character) => {
    expect(run(text)).toEqual({kind: 'failed', problem: expect.stringMatching(problem), character});
  });

  it('is quoted with the place of its mistake', () => {
    const failure = run('xr.spec.region + 1');
    if (failure.kind !== 'failed') throw new Error('expected a failure');
    expect(celProblem('xr.spec.region + 1', failure)).toMatch(
      /^an error at character 16 of "xr.spec.region \+ 1": found no /,
    );
  });

  it('reads maps in the order of their keys', () => {
    const program = compileCel('xr.map(key, key)', ['xr']);
    if (program.kind === 'failed') throw new Error(program.problem);
    const source = (path: readonly string[]) => at({zone: 1, app: 2, tier: 3}, path);
    expect(program.run({xr: source}, fullMeter())).toEqual({kind: 'value', value: ['app', 'tier', 'zone']});
  });

  it('asks for the fields that it names and for nothing else', () => {
    const asked: string[] = [];
    run('xr.spec.region == "eu" && xr.metadata.annotations["example.org/tier"] == "gold"', asked);
    expect(asked.sort()).toEqual(['metadata.annotations.example.org/tier', 'spec.region']);
  });

  it('asks what holds a field only where the field is missing', () => {
    const asked: string[] = [];
    run('has(xr.spec.planet)', asked);
    expect(asked).toEqual(['spec.planet', 'spec']);
  });

  it('never sees what is not an own field', () => {
    expect(run('has(xr.spec.constructor) || "__proto__" in xr.spec')).toEqual({kind: 'value', value: false});
  });
});

describe('hostile expressions', () => {
  const many = Array.from({length: 1000}, (_, index) => index);

  it.each([
    ['nested comprehensions', `${'[1,2,3,4,5,6,7,8,9,0].map(a,'.repeat(8)}1${')'.repeat(8)}`, /more work/],
    ['a value that doubles with every dot', `[1]${'.map(x,[x,x])'.repeat(40)} == [1]`, /more work/],
    ['a text that doubles with every dot', `["aaaaaaaaaa"]${'.map(x,x+x)'.repeat(60)}`, /text of more than|more work/],
    [
      'a text that replaces itself',
      `"aaaaaaaaaa"${'.replace("a","aaaaaaaaaa")'.repeat(9)}`,
      /text of more than|more work/,
    ],
    ['pieces joined by more', `"aaaaaaaaaa"${'.split("").join("bbbbbbbb")'.repeat(15)}`, /more work|text of more than/],
    ['a counted pattern', '"aaaaaaaaaaaaaaaaaaaa".matches("(((a{30}){30}){30})*b")', /more work/],
    ['comparisons of large lists', 'xr.many.all(x, xr.many == xr.more)', /more work/],
    ['a thousand brackets', `${'('.repeat(1000)}1${')'.repeat(1000)}`, /more than 100 brackets/],
    ['a very long expression', `${'1 + '.repeat(600)}1`, /an expression of 2401 characters/],
  ])('%s end soon', (_name, text, problem) => {
    const program = compileCel(text, ['xr']);
    const source = (path: readonly string[]) => at({many, more: [...many]}, path);
    const outcome = program.kind === 'failed' ? program : program.run({xr: source}, fullMeter());
    expect(outcome).toMatchObject({kind: 'failed', problem: expect.stringMatching(problem)});
  });

  it('cannot hide behind an alternative', () => {
    const text = `${'[1,2,3,4,5,6,7,8,9,0].all(a,'.repeat(7)}true${')'.repeat(7)} || true`;
    expect(run(text)).toMatchObject({kind: 'failed', problem: expect.stringMatching(/more work/)});
  });

  it('share what one call may cost', () => {
    const program = compileCel('xr.many.map(x, x + 1).size()', ['xr']);
    if (program.kind === 'failed') throw new Error(program.problem);
    const meter = fullMeter();
    const outcomes = Array.from({length: 10}, () => program.run({xr: (path) => at({many}, path)}, meter).kind);
    expect(outcomes[0]).toBe('value');
    expect(outcomes.at(-1)).toBe('failed');
  });
});

// The library passes these by itself; under the meter, and through JSON, the answers are the same.
describe('the conformance tests of cel-spec', () => {
  // What no expression of ours can say: extensions that are not there, messages, and what depends on time zones.
  const without =
    /bindings_ext|block_ext|encoders_ext|math_ext|macros2|optionals|selectors|converters|quoted_map_fields|timestamp|duration|receiver_function_names|proto|enums|wrappers|dynamic|namespace|type_deduction/;

  const cases = flat(getConformanceSuite(), '').filter(({want}) => want !== undefined);

  it.each([...Map.groupBy(cases, ({section}) => section)])('%s', (_section, tests) => {
    for (const {expr, want} of tests) {
      const program = compileCel(expr, []);
      const outcome = program.kind === 'failed' ? program : program.run({}, fullMeter());
      expect({expr, outcome}).toEqual({expr, outcome: {kind: 'value', value: want}});
    }
  });

  it('are many', () => {
    expect(cases.length).toBeGreaterThan(700);
  });

  function flat(suite: IncrementalTestSuite, path: string): {section: string; expr: string; want: Json | undefined}[] {
    const section = `${path}/${suite.name}`;
    if (without.test(section)) return [];
    const own = suite.tests.flatMap(({original}) => {
      const {expr, bindings, container, typeEnv, disableMacros, checkOnly, resultMatcher} = original;
      const plain = Object.keys(bindings).length === 0 && container === '' && typeEnv.length === 0;
      if (!plain || disableMacros || checkOnly || resultMatcher.case !== 'value' || namesUnknown.test(expr)) return [];
      return [{section, expr, want: jsonOf(resultMatcher.value)}];
    });
    return [...own, ...suite.suites.flatMap((inner) => flat(inner, section))];
  }
});

// Ours are errors before anything runs, and messages are not among our values.
const namesUnknown = /^(x|f_unknown\(17\)) \|\| true$|TestAllTypes|google\.protobuf/;

type Value = NonNullable<
  Extract<
    ReturnType<typeof getConformanceSuite>['tests'][number]['original']['resultMatcher'],
    {case: 'value'}
  >['value']
>;

/** The expected value as JSON, undefined where JSON does not know it. */
function jsonOf({kind}: Value): Json | undefined {
  switch (kind.case) {
    case 'int64Value':
    case 'uint64Value':
    case 'doubleValue':
      return isJsonNumber(Number(kind.value), kind.case) ? Number(kind.value) : undefined;
    case 'stringValue':
    case 'boolValue':
      return kind.value;
    case 'nullValue':
      return null;
    case 'listValue': {
      const items = kind.value.values.map(jsonOf);
      return items.includes(undefined) ? undefined : (items as Json[]);
    }
    case 'mapValue': {
      const entries = kind.value.entries.map(({key, value}) => [key && jsonOf(key), value && jsonOf(value)]);
      const known = entries.every(([key, value]) => typeof key === 'string' && value !== undefined);
      return known ? (Object.fromEntries(entries) as Json) : undefined;
    }
    default:
      return undefined;
  }
}

function isJsonNumber(number: number, kind: string): boolean {
  return kind === 'doubleValue' ? Number.isFinite(number) : Number.isSafeInteger(number);
}

describe('values of an XR that are made to cost', () => {
  const withSpec = (text: string, spec: Json) => {
    const program = compileCel(text, variables);
    if (program.kind === 'failed') return program.problem;
    const result = program.run({xr: (path) => at({spec}, path)}, fullMeter());
    return result.kind === 'failed' ? result.problem : result.kind;
  };

  it.each([
    'xr.spec.a.contains(xr.spec.b)',
    'xr.spec.a.indexOf(xr.spec.b)',
    'xr.spec.a.lastIndexOf(xr.spec.b)',
    'xr.spec.a.split(xr.spec.b)',
    'xr.spec.a.replace(xr.spec.b, "c")',
  ])('%s pays for both texts', (text) => {
    const spec = {a: 'a'.repeat(200_000), b: `b${'a'.repeat(50_000)}`};
    expect(withSpec(text, spec)).toContain('more work than an input may cause');
    expect(withSpec(text, {a: 'a'.repeat(20_000), b: 'b'})).toBe('value');
  });

  it('a pattern is no longer than what somebody writes', () => {
    const words = Array.from({length: 2_000}, (_, index) => `w${index}`).join('|');
    expect(withSpec('xr.spec.a.matches(xr.spec.b)', {a: 'a', b: words})).not.toBe('value');
    expect(withSpec('xr.spec.a.matches(xr.spec.b)', {a: 'a', b: words.slice(0, 4000)})).toBe('value');
  });

  it('a value of any depth is refused in a sentence', () => {
    let deep: Json = 1;
    for (let level = 0; level < 20_000; level++) deep = {v: deep};
    expect(withSpec('xr.spec', deep)).toBe('a value of more than 500 levels');
  });
});
