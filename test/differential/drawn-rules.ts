// Rules in CEL, drawn over a schema that has a field of every type: each fits its schema, so that the real server takes
// it, and says with its number which of them a write broke.

import fc from 'fast-check';
import type {KubeObject} from '../../src/cluster/object.ts';
import type {JsonObject} from '../../src/wire/json.ts';
import {defined, maybe} from './arbitrary.ts';

type Text = fc.Arbitrary<string>;

/** An expression of each type about `self`, whose fields are those of the schema below. */
interface Expressions {
  readonly bool: string;
  readonly int: string;
  readonly double: string;
  readonly text: string;
  readonly texts: string;
}

function filled(template: string, holes: readonly Text[]): Text {
  return fc.tuple(...holes).map((parts) => {
    let next = 0;
    return template.replaceAll('$', () => parts[next++] ?? '');
  });
}

/** `check(text) && template`, with the text for every @; without the check the problem of a text would be told. */
function guarded(check: string, text: Text, template: string, holes: readonly Text[]): Text {
  return fc.tuple(text, filled(template, holes)).map(([checked, rest]) => {
    return `(${check}(${checked}) && (${rest.replaceAll('@', checked)}))`;
  });
}

const patterns = ['^[a-z]+$', '[0-9]+', 'x|y', '^\\\\w*$', '(?i)^A', '^a?b*$', '\\\\.', '[[:alpha:]]'];
const texts = [
  '',
  'x',
  'xa',
  'abc',
  'a,b',
  'TOO',
  'é',
  '10.0.0.1',
  '10.0.0.0/8',
  '::1',
  '2001:db8::/32',
  '1Gi',
  '100m',
];
const moreTexts = ['1.5', '7', 'https://a.example.org:8080/p?q=1', '/path', 'a-name', 'Not_A_Name', 'true', '5m'];
const literal = fc.constantFrom(...texts, ...moreTexts).map((text) => `'${text}'`);
const pattern = fc.constantFrom(...patterns).map((text) => `'${text}'`);
const whole = fc.constantFrom('0', '1', '2', '5', '-1', '9223372036854775807');
const order = fc.constantFrom('<', '<=', '>', '>=');
const compare = fc.constantFrom('==', '!=', '<', '<=', '>', '>=');

function draw(names: {readonly text: readonly string[]; readonly int: readonly string[]; readonly more: boolean}) {
  const {text, int, more} = names;
  return fc.letrec<Expressions>((named) => {
    const tie = named as (name: keyof Expressions) => Text;
    const [B, I, D, S, L] = [tie('bool'), tie('int'), tie('double'), tie('text'), tie('texts')];
    const binary = (left: Text, sign: Text, right: Text) => filled('($ $ $)', [left, sign, right]);
    const local = more
      ? [
          filled('has(self.$)', [fc.constantFrom('s', 't', 'i', 'd', 'b', 'l', 'm', 'o', 'il', 'ios', 'dur', 'ts')]),
          fc.constantFrom(
            'self.b',
            'type(self.ios) == int',
            "self.ios == '25%'",
            "self.dur < duration('5m')",
            "self.dur + duration('1h') >= duration('1h5m')",
            "self.ts < timestamp('2024-01-01T00:00:01Z')",
            'self.ts.getFullYear() == 2024',
            'self.n.isSorted()',
            'self.n == [1, 0]',
            'self.il == self.il',
            'self.o == {}',
            "self.il.map(e, e.name).exists(n, n == 'x')",
            'self.il.all(e, !has(e.port) || e.port > 0)',
            "self.il.filter(e, e.name == 'x').size() <= 1",
            'self.m.all(k, self.m[k] > 0)',
            "self.m.exists(k, k.startsWith('k'))",
            "self.m == {'k1': 1}",
            "'k1' in self.m",
            'self.?t.hasValue()',
            'self.?o.?y.orValue(0) > 0',
            "self.?t.orValue('none') == 'none'",
            "self.?o.x.orValue('') == 'x'",
            'self.l.exists_one(x, x.size() > 1)',
            'sets.contains(self.l, ["x"])',
            'self.l + ["z"] != self.l',
            'self.n + [0] == self.n',
            'dyn(self.i) == dyn(self.d)',
            'self.i == self.i && self.d <= 0.5',
            "self.__dash__ed == 'x'",
            "self.__namespace__ != 'x'",
            'size(self.any) > 0',
            'self.when.all(w, w.getHours() == 0)',
            'oldSelf.s == self.s',
            'has(oldSelf.t) == has(self.t)',
            '!has(oldSelf.i) || (has(self.i) && self.i >= oldSelf.i)',
            'oldSelf.l.all(x, x in self.l)',
          ),
          filled('$ in self.l', [S]),
          filled('self.l.$(x, x$ $)', [fc.constantFrom('all', 'exists', 'exists_one'), fc.constant('.size() <'), I]),
          filled('self.l.$(x, x.$(x) && $)', [
            fc.constantFrom('all', 'exists'),
            fc.constantFrom('startsWith', 'endsWith', 'contains'),
            B,
          ]),
        ]
      : [];
    return {
      bool: fc.oneof(
        {maxDepth: 3, withCrossShrink: true},
        binary(S, compare, S),
        binary(I, compare, I),
        ...local,
        binary(D, compare, D),
        binary(D, order, I),
        filled('!$', [B]),
        binary(B, fc.constantFrom('&&', '||'), B),
        filled('($ ? $ : $)', [B, B, B]),
        filled('$.$($)', [S, fc.constantFrom('startsWith', 'endsWith', 'contains'), S]),
        filled('$.matches($)', [S, pattern]),
        filled('$($)', [fc.constantFrom('isIP', 'isCIDR', 'isURL', 'isQuantity'), S]),
        guarded('isIP', S, 'ip(@).$()', [
          fc.constantFrom('isLoopback', 'isGlobalUnicast', 'isUnspecified', 'isLinkLocalUnicast'),
        ]),
        guarded('isIP', S, "cidr('10.0.0.0/8').containsIP(@) || cidr('2001:db8::/32').containsIP(ip(@))", []),
        guarded('isCIDR', S, "cidr(@).containsCIDR('10.0.0.0/16')", []),
        guarded('isCIDR', S, "cidr(@).masked() == cidr(@) && string(cidr(@).ip()) != '::1'", []),
        guarded('isQuantity', S, 'quantity(@).isLessThan(quantity($))', [fc.constantFrom("'1'", "'1Ki'", "'0.1'")]),
        guarded('isQuantity', S, "quantity(@).add(quantity('1')).compareTo(quantity('1001m')) == 0", []),
        guarded('isURL', S, "url(@).$() == '$'", [
          fc.constantFrom('getHostname', 'getHost', 'getScheme', 'getPort', 'getEscapedPath'),
          fc.constantFrom('a.example.org', 'https', '/path', '/p', ''),
        ]),
        filled('format.$().validate($).hasValue()', [
          fc.constantFrom(
            'dns1123Label',
            'dns1123Subdomain',
            'dns1035Label',
            'qualifiedName',
            'labelValue',
            'uri',
            'uuid',
          ),
          S,
        ]),
        filled('$.exists(x, x == $)', [L, S]),
        filled('$.all(x, x.size() > 0)', [L]),
        filled('bool($)', [S]),
      ),
      int: fc.oneof(
        {maxDepth: 3},
        whole,
        ...(int.length === 0 ? [] : [fc.constantFrom(...int)]),
        filled('size($)', [S]),
        filled('$.size()', [L]),
        binary(I, fc.constantFrom('+', '-', '*', '/', '%'), I),
        filled('-($)', [I]),
        filled('$.$($)', [S, fc.constantFrom('indexOf', 'lastIndexOf'), S]),
        filled('int($)', [fc.oneof(S, D)]),
        filled('(isIP($) ? 1 : 0)', [S]),
      ),
      double: fc.oneof(
        {maxDepth: 3},
        fc.constantFrom('0.5', '1.0', '-2.25', ...(more ? ['self.d'] : [])),
        filled('double($)', [fc.oneof(I, S)]),
        binary(D, fc.constantFrom('+', '-', '*', '/'), D),
      ),
      text: fc.oneof(
        {maxDepth: 3},
        literal,
        fc.constantFrom(...text),
        filled('($ + $)', [S, S]),
        filled('$.$()', [S, fc.constantFrom('lowerAscii', 'upperAscii', 'trim')]),
        filled('$.replace($, $)', [S, S, S]),
        filled('$.substring($)', [S, whole]),
        filled('$.substring(0, $)', [S, I]),
        filled('$.charAt($)', [S, whole]),
        filled('$.find($)', [S, pattern]),
        filled('$[$]', [L, whole]),
        filled("$.join(',')", [L]),
        filled('string($)', [fc.oneof(I, B, D)]),
        filled('($ ? $ : $)', [B, S, S]),
      ),
      texts: fc.oneof(
        {maxDepth: 3},
        filled('[$, $]', [S, S]),
        filled("$.split(',')", [S]),
        filled('$.findAll($)', [S, pattern]),
        ...(more
          ? [
              fc.constantFrom('self.l', 'self.l.filter(x, x.size() > 1)', 'self.m.map(k, k)', 'self.il.map(e, e.name)'),
              filled('self.l.map(x, x + $)', [S]),
            ]
          : []),
      ),
    };
  });
}

const ofSpec = draw({
  text: ['self.s', 'self.t', 'self.o.x', 'string(self.?i.orValue(3))'],
  int: ['self.i', 'self.j', 'self.n.sum()', 'self.n.max()', "self.m['k1']"],
  more: true,
});
const ofText = draw({text: ['self'], int: [], more: false});
const ofNumber = draw({text: ['string(self)'], int: ['self'], more: false});

const reasons = fc.constantFrom(
  'FieldValueInvalid',
  'FieldValueForbidden',
  'FieldValueRequired',
  'FieldValueDuplicate',
);

function rule(place: string, expressions: ReturnType<typeof draw>, paths: readonly string[]): fc.Arbitrary<JsonObject> {
  const transitions = fc.constantFrom('!oldSelf.hasValue() || oldSelf.value() == self', 'oldSelf.hasValue()');
  const plain = fc
    .record({
      rule: expressions.bool,
      message: maybe(
        fc.nat({max: 99_999}).map((number) => `${place} ${number}`),
        80,
      ),
      messageExpression: maybe(expressions.text, 15),
      reason: maybe(reasons, 20),
      fieldPath: maybe(fc.constantFrom(...paths, '.'), 20),
    })
    .map(({fieldPath, ...rest}) => defined({...rest, fieldPath: fieldPath === '.' ? undefined : fieldPath}));
  const optional = transitions.map(
    (text): JsonObject => ({rule: text, optionalOldSelf: true, message: `${place}, before`}),
  );
  return fc.oneof({weight: 12, arbitrary: plain}, {weight: 1, arbitrary: optional});
}

const rulesMax = 6;
const rules = (place: string, of: ReturnType<typeof draw>, paths: readonly string[]) =>
  fc.array(rule(place, of, paths), {minLength: 1, maxLength: rulesMax});

/** A kind with rules on the spec, on texts, on items of lists, and on values of maps. */
export const ruledKinds: fc.Arbitrary<KubeObject> = fc
  .record({
    spec: rules('spec', ofSpec, ['.s', '.o.x', ".m['k1']"]),
    text: rules('text', ofText, []),
    item: rules('item', ofText, []),
    value: rules('value', ofNumber, []),
    entry: rules('entry', ofText, []),
  })
  .map((drawn) => kindOf(drawn));

function kindOf(
  drawn: {readonly [place in 'spec' | 'text' | 'item' | 'value' | 'entry']: readonly JsonObject[]},
): KubeObject {
  const text = {type: 'string', maxLength: 20};
  const ruled = (schema: JsonObject, list: readonly JsonObject[]): JsonObject => ({
    ...schema,
    'x-kubernetes-validations': list,
  });
  const properties: JsonObject = {
    s: text,
    t: {...text, nullable: true},
    i: {type: 'integer'},
    j: {type: 'integer', default: 1},
    d: {type: 'number'},
    b: {type: 'boolean'},
    l: {type: 'array', maxItems: 4, items: text},
    n: {type: 'array', maxItems: 4, 'x-kubernetes-list-type': 'set', items: {type: 'integer'}},
    m: {type: 'object', maxProperties: 3, additionalProperties: ruled({type: 'integer'}, drawn.value)},
    o: {type: 'object', properties: {x: ruled(text, drawn.text), y: {type: 'integer'}}},
    il: {
      type: 'array',
      maxItems: 3,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: {name: ruled(text, drawn.entry), port: {type: 'integer'}},
      },
    },
    ruled: {type: 'array', maxItems: 3, items: ruled(text, drawn.item)},
    ios: {'x-kubernetes-int-or-string': true},
    dur: {type: 'string', format: 'duration'},
    ts: {type: 'string', format: 'date-time'},
    when: {type: 'array', maxItems: 2, items: {type: 'string', format: 'date-time'}},
    any: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
    '-ed': text,
    namespace: text,
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'drawns.random.example.org'},
    spec: {
      group: 'random.example.org',
      scope: 'Namespaced',
      names: {kind: 'Drawn', listKind: 'DrawnList', plural: 'drawns', singular: 'drawn'},
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: {status: {}},
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: ruled({type: 'object', properties}, drawn.spec),
                status: {type: 'object', properties: {phase: text}},
              },
            },
          },
        },
      ],
    },
  } as unknown as KubeObject;
}
