import {getConformanceSuite, type IncrementalTestSuite} from '@bufbuild/cel-spec/testdata/tests.js';
import {describe, expect, test} from 'vitest';
import {compile} from '../../../src/cluster/cel/program.ts';
import {celValue} from '../../../src/cluster/cel/schema-values.ts';
import {EvaluationProblem, isEqual, listOf, mapOf, type Value} from '../../../src/cluster/cel/values.ts';
import {structuralOf} from '../../../src/cluster/schema/structural.ts';

// The conformance tests of cel-spec that need no variables.

/** Extensions that Kubernetes does not have, messages, and what the heads of src/cluster/cel leave out. */
const without =
  /bindings_ext|block_ext|encoders_ext|math_ext|proto|enums|wrapper|dynamic|namespace|type_deduction|receiver_function_names|selectors_tz|timestamp_range|string_ext\/(format|value_errors|type_errors)/;

/** Errors before anything runs in Kubernetes; messages; keys of maps that no rule has use for. */
const others = /^(x|f_unknown\(17\)) \|\| true$|^1\.0 == 1$|TestAllTypes|google\.protobuf|^\{(3\.3|null):/;

const structural = structuralOf({type: 'object'});

type Matcher = ReturnType<typeof getConformanceSuite>['tests'][number]['original']['resultMatcher'];
type Wanted = NonNullable<Extract<Matcher, {case: 'value'}>['value']>;

interface Case {
  readonly section: string;
  readonly expr: string;
  readonly want: Value | 'an error';
}

function answer(source: string): Value | 'an error' {
  const program = compile(`dyn(${source})`, structural, {type: 'bool', optionalOldSelf: false});
  if ('problem' in program) return 'an error';
  try {
    return program.run(celValue({}, structural), undefined);
  } catch (problem) {
    if (problem instanceof EvaluationProblem) return 'an error';
    throw problem;
  }
}

function casesIn(suite: IncrementalTestSuite, path = ''): readonly Case[] {
  const section = `${path}/${suite.name}`;
  if (without.test(section)) return [];
  const own = suite.tests.flatMap(({original}): readonly Case[] => {
    const {expr, bindings, container, typeEnv, disableMacros, checkOnly, resultMatcher} = original;
    const isPlain = Object.keys(bindings).length === 0 && container === '' && typeEnv.length === 0;
    if (!isPlain || disableMacros || checkOnly || others.test(expr)) return [];
    if (resultMatcher.case === 'evalError') return [{section, expr, want: 'an error'}];
    const want = resultMatcher.case === 'value' ? celOf(resultMatcher.value) : undefined;
    return want === undefined ? [] : [{section, expr, want}];
  });
  return [...own, ...suite.suites.flatMap((inner) => casesIn(inner, section))];
}

/** Undefined for messages and enums. */
function celOf({kind}: Wanted): Value | undefined {
  switch (kind.case) {
    case 'int64Value':
    case 'doubleValue':
    case 'stringValue':
    case 'boolValue':
      return kind.value;
    case 'uint64Value':
      return {kind: 'uint', value: kind.value};
    case 'nullValue':
      return null;
    case 'bytesValue':
      return {kind: 'bytes', value: [...kind.value]};
    case 'listValue': {
      const items = kind.value.values.map(celOf);
      return items.includes(undefined) ? undefined : listOf(items as Value[]);
    }
    case 'mapValue': {
      const entries = kind.value.entries.map(({key, value}) => [key && celOf(key), value && celOf(value)]);
      return entries.flat().includes(undefined) ? undefined : mapOf(entries as [Value, Value][]);
    }
    default:
      return undefined;
  }
}

const cases = casesIn(getConformanceSuite());

describe('the conformance tests of cel-spec', () => {
  test.each([...Map.groupBy(cases, ({section}) => section)])('%s', (_, tests) => {
    const wrong = tests.flatMap(({expr, want}) => {
      const got = answer(expr);
      const isSame = want === 'an error' || got === 'an error' ? want === got : isEqual(want, got);
      return isSame ? [] : [{expr, got, want}];
    });
    expect(wrong).toEqual([]);
  });

  test('are many', () => {
    expect(cases.length).toBeGreaterThan(700);
  });
});
