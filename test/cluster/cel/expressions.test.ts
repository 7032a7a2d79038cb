import {describe, expect, test} from 'vitest';
import {compile} from '../../../src/cluster/cel/program.ts';
import {celValue} from '../../../src/cluster/cel/schema-values.ts';
import {EvaluationProblem, type Value} from '../../../src/cluster/cel/values.ts';
import type {Json, JsonObject} from '../../../src/cluster/json.ts';
import {structuralOf} from '../../../src/cluster/schema/structural.ts';

// What the real libraries answer, as `npm run differential` compares it, one line each.

const text = {type: 'string'};
const schema: JsonObject = {
  type: 'object',
  properties: {
    name: text,
    count: {type: 'integer'},
    ratio: {type: 'number'},
    tags: {type: 'array', 'x-kubernetes-list-type': 'set', items: text},
    list: {type: 'array', items: text},
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {type: 'object', properties: {name: text, port: {type: 'integer'}}},
    },
    limits: {type: 'object', additionalProperties: {type: 'integer'}},
    either: {'x-kubernetes-int-or-string': true},
    wait: {type: 'string', format: 'duration'},
    when: {type: 'string', format: 'date-time'},
    'dash-ed': text,
    namespace: text,
    gone: {type: 'string', nullable: true},
  },
};
const object: JsonObject = {
  name: 'db',
  count: 3,
  ratio: 2,
  tags: ['b', 'a'],
  list: ['x', 'yy'],
  ports: [
    {name: 'web', port: 80},
    {name: 'tls', port: 443},
  ],
  limits: {cpu: 2},
  either: '25%',
  wait: '90m',
  when: '2024-02-29T12:00:00Z',
  'dash-ed': 'd',
  namespace: 'n',
  gone: null,
};

function answer(source: string, self: Json = object): Value | string {
  const structural = structuralOf(schema);
  const program = compile(`[${source}].size() == 1`, structural, {type: 'bool', optionalOldSelf: false});
  if ('problem' in program) return program.problem;
  const whole = compile(`dyn(${source})`, structural, {type: 'bool', optionalOldSelf: false});
  if ('problem' in whole) return whole.problem;
  try {
    return whole.run(celValue(self, structural), undefined);
  } catch (problem) {
    if (problem instanceof EvaluationProblem) return problem.message;
    throw problem;
  }
}

describe('an expression', () => {
  test.each([
    ['self.count + 1 == 4 && self.ratio == 2.0', true],
    ['1 + 2 * 3 - 4 / 2 % 3', 5n],
    ['9223372036854775807 + 1', 'integer overflow'],
    ['1 / 0', 'division by zero'],
    ['1 % 0', 'modulus by zero'],
    ['1 + 1.0', 'no such overload'],
    ['dyn(1) == 1.0 && 1 < 1.5', true],
    ['has(self.name) && !has(self.gone)', true],
    ['self.limits.memory', 'no such key: memory'],
    ['self.list[2]', 'index out of bounds: 2'],
    // One side that decides is enough, whatever the other comes to.
    ['self.limits.memory > 1 || true', true],
    ['self.list.exists(x, self.limits[x] > 0 || x == "yy")', true],
    ['self.limits.memory > 1 && true', 'no such key: memory'],
    ['self.tags == ["a", "b"] && self.list != ["yy", "x"]', true],
    ['self.ports == [self.ports[1], self.ports[0]]', true],
    ['(self.tags + ["a", "c"]).size()', 3n],
    ['self.ports.filter(p, p.port > 100).map(p, p.name) == ["tls"]', true],
    ['self.ports.exists_one(p, p.port == 80)', true],
    ['self.limits.all(k, k.startsWith("c") && self.limits[k] == 2)', true],
    ['self.limits.transformList(k, v, k + string(v)) == ["cpu2"]', true],
    ['type(self.either) == string', true],
    ['self.wait > duration("1h") && self.wait.getMinutes() == 90', true],
    ['self.when.getDayOfYear() == 59 && self.when - duration("24h") < self.when', true],
    ['self.dash__dash__ed + self.__namespace__', 'dn'],
    ['self.?gone.orValue("none") + self.?limits.cpu.hasValue() ? "a" : "b"', 'no such overload'],
    ['self.?limits[?"cpu"].orValue(0)', 2n],
    ['optional.none().value()', 'optional.none() dereference'],
    ['"a" in self.tags && "cpu" in self.limits', true],
  ])('%s comes to %s', (source, want) => {
    expect(answer(source)).toEqual(want);
  });
});

describe('a library', () => {
  test.each([
    ['"abc".substring(1, 2) + "abc".charAt(3)', 'b'],
    ['"é-x".size()', 3n],
    ['"abc".substring(4)', 'index out of range: 4'],
    ['"a,b,c".split(",", 2) == ["a", "b,c"]', true],
    ['"Ab".lowerAscii() + "Ab".upperAscii()', 'abAB'],
    ['"tacocat".replace("c", "k", 1)', 'takocat'],
    ['"x1y22".findAll("[0-9]+") == ["1", "22"]', true],
    ['"baaac".findAll("a*") == ["", "aaa", ""]', true],
    ['"xabab".findAll("a|ab") == ["a", "a"]', true],
    ['"aaa".findAll("a", 2) == ["a", "a"] && "aaa".findAll("a", 0) == []', true],
    ['"x-y".matches("^[a-z]\\\\-[[:alpha:]]$")', true],
    ['"ABC".matches("(?i)^a")', true],
    ['"%s has %d".format([self.name, self.count])', 'db has 3'],
    ['string(1e6) + string(0.5) + string(duration("90s"))', '1e+060.590s'],
    ['int("x")', "type conversion error from 'string' to 'int'"],
    ['[3, 1, 2].sort() == [1, 2, 3] && [1, 2].sum() == 3 && [1, 5].max() == 5', true],
    ['[].max()', 'max called on empty list'],
    ['sets.contains(self.tags, ["a"]) && !sets.intersects([1], [2])', true],
    ['isIP("10.0.0.1") && !isIP("10.0.0.256") && ip("::1").isLoopback()', true],
    ['string(ip("2001:DB8:0:0:1::1"))', '2001:db8::1:0:0:1'],
    ['ip.isCanonical("2001:db8:0::1")', false],
    ['cidr("10.0.0.0/8").containsIP("10.1.2.3") && cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16")', true],
    ['cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8")', true],
    ['url("https://a.example.org:8443/p?q=1").getHostname()', 'a.example.org'],
    ['isURL("../relative")', false],
    ['url("/p?k=a&k=b").getQuery()["k"] == ["a", "b"]', true],
    ['quantity("1Gi").isGreaterThan(quantity("1G")) && quantity("500m").add(quantity("0.5")).asInteger() == 1', true],
    ['isQuantity("1GG")', false],
    ['semver("1.2.3-rc.2").isLessThan(semver("1.2.3")) && !isSemver("v1.2") && isSemver("v1.2", true)', true],
    ['format.dns1123Label().validate("Not").hasValue() && !format.dns1123Label().validate("yes").hasValue()', true],
    ['format.named("nothing").hasValue()', false],
  ])('answers %s with %s', (source, want) => {
    expect(answer(source)).toEqual(want);
  });
});
