import {describe, expect, test} from 'vitest';
import type {KindDefinition} from '../../../src/cluster/api/kinds.ts';
import {installKind} from '../../../src/cluster/api/server.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {create, merge, Rig, widgetKind, withMetadata, withSpec} from './given.ts';

/** Widgets whose spec has this schema. */
function kindWith(properties: JsonObject, rest: JsonObject = {}): KindDefinition {
  const schema = {type: 'object', properties: {spec: {type: 'object', properties, ...rest}}};
  return {...widgetKind, versions: [{name: 'v1', served: true, storage: true, status: false, schema}]};
}

function problemsOf(properties: JsonObject, spec: JsonObject, rest: JsonObject = {}): string {
  const {message} = new Rig(kindWith(properties, rest)).refuse(create(spec));
  return message.replace('Widget.test.example.org "w" is invalid: ', '');
}

describe('a pattern is read as Go reads it', () => {
  // Value by value as kube-apiserver 1.34.2 answered.
  test.each([
    {name: 'AFlagInTheMiddle', pattern: '^a(?i)b$', fits: ['ab', 'aB'], not: ['Ab']},
    {name: 'AQuotedText', pattern: '^\\Qa.b\\E$', fits: ['a.b'], not: ['axb']},
    {name: 'AUnicodeClass', pattern: '^\\pL+$', fits: ['abc', 'é', '漢'], not: ['a1']},
    {name: 'ANegatedClass', pattern: '^[[:^alpha:]]$', fits: ['1', 'é'], not: ['a']},
    {name: 'OnlyAsciiSpace', pattern: '^\\s$', fits: [' ', '\t'], not: ['\u00a0', '\v']},
    {name: 'OnlyAsciiDigits', pattern: '^\\d$', fits: ['1'], not: ['٣']},
    {name: 'AnywhereInTheText', pattern: 'b', fits: ['abc'], not: ['ac']},
    {name: 'TheEndOfTheText', pattern: 'a$', fits: ['ba'], not: ['a\n']},
  ])('$name', ({pattern, fits, not}) => {
    const problem = (value: string) => problemsOf({f: {type: 'string', pattern}}, {f: value});
    for (const value of not) expect(problem(value)).toContain('should match');
    for (const f of fits) new Rig(kindWith({f: {type: 'string', pattern}})).do(create({f}));
  });

  test('in time that grows with the text, whatever the pattern', () => {
    const f = `${'a'.repeat(5_000)}!`;
    expect(problemsOf({f: {type: 'string', pattern: '^(a+)+$'}}, {f})).toContain('should match');
  });
});

describe('a custom resource that does not fit its schema is refused', () => {
  const text = {type: 'string'};
  test.each([
    {
      name: 'WrongType',
      schema: {type: 'integer'},
      value: 'many',
      want: 'spec.f: Invalid value: "string": spec.f in body must be of type integer: "string"',
    },
    {
      name: 'FractionForAnInteger',
      schema: {type: 'integer'},
      value: 1.5,
      want: 'spec.f: Invalid value: "number": spec.f in body must be of type integer: "number"',
    },
    {
      name: 'BooleanForIntOrString',
      schema: {'x-kubernetes-int-or-string': true},
      value: true,
      want: 'spec.f: Invalid value: "boolean": spec.f in body must be of type integer,string: "boolean"',
    },
    {
      name: 'OfAnotherFormat',
      schema: {...text, format: 'date-time'},
      value: 'tomorrow',
      want: 'spec.f: Invalid value: "tomorrow": spec.f in body must be of type date-time: "tomorrow"',
    },
    {
      name: 'NoTextOfAFormat',
      schema: {...text, format: 'ipv4'},
      value: 5,
      want: 'spec.f: Invalid value: "int64": spec.f in body must be of type ipv4: "int64"',
    },
    {
      name: 'NotInTheEnum',
      schema: {...text, enum: ['a', 'b']},
      value: 'c',
      want: 'spec.f: Unsupported value: "c": supported values: "a", "b"',
    },
    {
      name: 'TooSmall',
      schema: {type: 'integer', minimum: 2},
      value: 1,
      want: 'spec.f: Invalid value: 1: spec.f in body should be greater than or equal to 2',
    },
    {
      name: 'NotLarger',
      schema: {type: 'integer', minimum: 2, exclusiveMinimum: true},
      value: 2,
      want: 'spec.f: Invalid value: 2: spec.f in body should be greater than 2',
    },
    {
      name: 'TooLarge',
      schema: {type: 'number', maximum: 2},
      value: 2.5,
      want: 'spec.f: Invalid value: 2.5: spec.f in body should be less than or equal to 2',
    },
    {
      name: 'NoMultiple',
      schema: {type: 'integer', multipleOf: 5},
      value: 7,
      want: 'spec.f: Invalid value: 7: spec.f in body should be a multiple of 5',
    },
    {
      name: 'TooShort',
      schema: {...text, minLength: 2},
      value: 'x',
      want: 'spec.f: Invalid value: "x": spec.f in body should be at least 2 chars long',
    },
    {
      name: 'TooLong',
      schema: {...text, maxLength: 2},
      value: 'xyz',
      want: 'spec.f: Too long: may not be more than 2 bytes',
    },
    {
      name: 'AgainstThePattern',
      schema: {...text, pattern: '^a+$'},
      value: 'b',
      want: `spec.f: Invalid value: "b": spec.f in body should match '^a+$'`,
    },
    {
      name: 'TooFewItems',
      schema: {type: 'array', items: text, minItems: 2},
      value: ['a'],
      want: 'spec.f: Invalid value: 1: spec.f in body should have at least 2 items',
    },
    {
      name: 'TooManyItems',
      schema: {type: 'array', items: text, maxItems: 1},
      value: ['a', 'b'],
      want: 'spec.f: Too many: 2: must have at most 1 items',
    },
    {
      name: 'TwiceInASet',
      schema: {type: 'array', items: text, 'x-kubernetes-list-type': 'set'},
      value: ['a', 'b', 'a', 'a'],
      want: 'spec.f[2]: Duplicate value: "a"',
    },
    {
      name: 'SameKeyTwice',
      schema: {
        type: 'array',
        items: {type: 'object', properties: {k: text, v: text}},
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
      value: [
        {k: 'a', v: '1'},
        {k: 'a', v: '2'},
      ],
      want: 'spec.f[1]: Duplicate value: {"k":"a"}',
    },
    {
      name: 'InAnItem',
      schema: {type: 'array', items: {type: 'object', required: ['k'], properties: {k: text}}},
      value: [{k: 'a'}, {}],
      want: 'spec.f[1].k: Required value',
    },
    {
      name: 'InAFreeKey',
      schema: {type: 'object', additionalProperties: {type: 'integer'}},
      value: {any: 'x'},
      want: 'spec.f.any: Invalid value: "string": spec.f.any in body must be of type integer: "string"',
    },
    {
      name: 'NoneOfAnyOf',
      schema: {type: 'object', properties: {a: text, b: text}, anyOf: [{required: ['a']}, {required: ['b']}]},
      value: {},
      want: '[<nil>: Invalid value: "": "spec.f" must validate at least one schema (anyOf), spec.f.a: Required value]',
    },
    {
      name: 'BothOfOneOf',
      schema: {type: 'object', properties: {a: text, b: text}, oneOf: [{required: ['a']}, {required: ['b']}]},
      value: {a: '1', b: '2'},
      want: '<nil>: Invalid value: "": "spec.f" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    },
    {
      name: 'Not',
      schema: {type: 'object', properties: {a: text}, not: {required: ['a']}},
      value: {a: '1'},
      want: '<nil>: Invalid value: "": "spec.f" must not validate the schema (not)',
    },
  ])('$name', ({schema, value, want}) => {
    expect(problemsOf({f: schema}, {f: value})).toBe(want);
  });

  test('but a list passes for a text of a format, as upstream has it', () => {
    expect(new Rig(kindWith({f: {...text, format: 'ipv4'}})).ask(create({f: ['x']})).ok).toBe(true);
    expect(new Rig(kindWith({f: text})).ask(create({f: ['x']})).ok).toBe(false);
  });

  test('but a whole number is held to the whole part of a bound only', () => {
    const half = {type: 'number', minimum: 0.5};
    expect(new Rig(kindWith({f: half})).ask(create({f: 0})).ok).toBe(true);
    expect(new Rig(kindWith({f: half})).ask(create({f: 0.4})).ok).toBe(false);
  });

  test('with all that is wrong at once', () => {
    expect(
      problemsOf({a: {type: 'string', minLength: 1}, b: {type: 'integer'}}, {a: '', b: 'x'}, {required: ['c']}),
    ).toBe(
      '[spec.a: Invalid value: "": spec.a in body should be at least 1 chars long, spec.b: Invalid value: "string": spec.b in body must be of type integer: "string", spec.c: Required value]',
    );
  });
});

describe('a custom resource that fits is accepted', () => {
  test.each([
    {name: 'NumberForAnInteger', schema: {type: 'integer'}, value: 2},
    {name: 'IntegerForANumber', schema: {type: 'number'}, value: 2},
    {name: 'IntegerForIntOrString', schema: {'x-kubernetes-int-or-string': true}, value: 2},
    {name: 'NullWhereNullable', schema: {type: 'string', nullable: true}, value: null},
    {name: 'LengthInCharacters', schema: {type: 'string', maxLength: 2}, value: 'ää'},
  ])('$name', ({schema, value}) => {
    expect(new Rig(kindWith({f: schema})).do(create({f: value})).spec).toEqual({f: value});
  });
});

describe('an update forgives what it does not touch', () => {
  const lax = kindWith({f: {type: 'string'}, g: {type: 'string'}});
  const strict = kindWith({f: {type: 'string', minLength: 5}, g: {type: 'string'}});
  const sinner = () => {
    const rig = new Rig(lax);
    rig.do(create({f: 'x', g: 'y'}));
    rig.server = installKind(rig.server, strict);
    return rig;
  };

  test('an old value that the schema would refuse today', () => {
    expect(sinner().do(merge('u', {spec: {g: 'z'}})).spec).toEqual({f: 'x', g: 'z'});
  });

  test('even where it is sent again', () => {
    const rig = sinner();
    const sent = JSON.parse(JSON.stringify(rig.widget)) as KubeObject;
    expect(rig.do({verb: 'update', object: withSpec(sent, {g: 'z'}), manager: 'u'}).spec).toEqual({f: 'x', g: 'z'});
  });

  test('also where the sin is of a whole object', () => {
    const object = {type: 'object', properties: {k: {type: 'string'}}};
    const rig = new Rig(kindWith({o: object, g: {type: 'string'}}));
    rig.do(create({o: {}, g: 'y'}));
    rig.server = installKind(rig.server, kindWith({o: {...object, required: ['k']}, g: {type: 'string'}}));
    const sent = JSON.parse(JSON.stringify(rig.widget)) as KubeObject;
    expect(rig.do({verb: 'update', object: withSpec(sent, {g: 'z'}), manager: 'u'}).spec).toEqual({o: {}, g: 'z'});
  });

  test('but not a new one', () => {
    expect(sinner().refuse(merge('u', {spec: {f: 'y'}})).code).toBe(422);
  });

  test('duplicates that were in a set before it became one', () => {
    const set = kindWith({
      l: {type: 'array', items: {type: 'string'}, 'x-kubernetes-list-type': 'set'},
      g: {type: 'string'},
    });
    const rig = new Rig(kindWith({l: {type: 'array', items: {type: 'string'}}, g: {type: 'string'}}));
    rig.do(create({l: ['a', 'a']}));
    rig.server = installKind(rig.server, set);
    expect(rig.do(merge('u', {spec: {g: 'z'}})).spec).toMatchObject({l: ['a', 'a'], g: 'z'});
  });
});

describe('a rule of a kind', () => {
  const even = {spec: [{message: 'size must be even', rule: '!has(self.size) || self.size % 2 == 0'}]};
  const fixed = {size: [{message: 'Value is immutable', rule: 'self == oldSelf'}]};
  const short = {arg: [{message: 'too long', rule: 'self.size() < 3'}]};

  type Rules = {readonly [place in 'spec' | 'size' | 'arg']?: readonly JsonObject[]};

  function ruledKind({spec = [], size = [], arg = []}: Rules): KindDefinition {
    const ruled = (schema: JsonObject, rules: readonly JsonObject[]) =>
      rules.length === 0 ? schema : {...schema, 'x-kubernetes-validations': rules};
    const properties = {
      size: ruled({type: 'integer'}, size),
      args: {type: 'array', items: ruled({type: 'string'}, arg)},
    };
    return kindWith(properties, spec.length === 0 ? {} : {'x-kubernetes-validations': spec});
  }

  function ruled(...rules: readonly Rules[]): Rig {
    return new Rig(ruledKind(Object.assign({}, ...rules)));
  }

  test('refuses with its message', () => {
    expect(ruled(even).refuse(create({size: 1})).message).toBe(
      'Widget.test.example.org "w" is invalid: spec: Invalid value: "object": size must be even',
    );
  });

  test('is not asked about an object whose shape is wrong, which says so', () => {
    const {causes} = ruled(even).refuse(create({size: 'x'}));
    expect(causes?.map(({field}) => field)).toEqual(['spec.size', '<nil>']);
    expect(causes?.[1]).toEqual({
      reason: 'FieldValueInvalid',
      message:
        'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      field: '<nil>',
    });
    expect(ruled().refuse(create({size: 'x'})).causes).toHaveLength(1);
  });

  test('of a change says nothing of what is new', () => {
    const rig = ruled(fixed);
    rig.do(create({}));
    rig.do(merge('u', {spec: {size: 1}}));
    expect(rig.refuse(merge('u', {spec: {size: 2}})).message).toContain(
      'spec.size: Invalid value: "integer": Value is immutable',
    );
    rig.do(merge('u', {spec: {size: null}}));
  });

  test('is asked of every item of a list, and tells each by its place', () => {
    expect(
      ruled(short)
        .refuse(create({args: ['ok', 'long', 'on', 'longer']}))
        .causes?.map(({field}) => field),
    ).toEqual(['spec.args[1]', 'spec.args[3]']);
  });

  test('does not hold an update to what it left as it was', () => {
    const rig = ruled();
    rig.do(create({size: 1, args: ['long']}));
    rig.server = installKind(rig.server, ruledKind({...even, ...short}));
    rig.do(merge('u', {metadata: {labels: {a: 'b'}}}));
    expect(rig.refuse(merge('u', {spec: {args: ['long', 'more']}})).causes?.map(({field}) => field)).toEqual([
      'spec',
      // Nobody can tell which item of an atomic list was which, so all are held to it once one has changed.
      'spec.args[0]',
      'spec.args[1]',
    ]);
  });
});

describe('a resource inside a resource', () => {
  const kind = kindWith({
    list: {
      type: 'array',
      items: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-embedded-resource': true},
    },
  });
  test.each([
    {
      name: 'SaysNothing',
      value: {a: 1},
      want: 'spec.list[0].apiVersion: Required value, spec.list[0].kind: Required value',
    },
    {
      name: 'EmptyKind',
      value: {apiVersion: 'x/v1', kind: ''},
      want: 'spec.list[0].kind: Invalid value: "": must not be empty',
    },
    {
      name: 'BadVersion',
      value: {apiVersion: 'a/b/c', kind: 'In'},
      want: 'spec.list[0].apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    },
    {
      name: 'BadLabel',
      value: {apiVersion: 'x/v1', kind: 'In', metadata: {labels: {l: 'bad value!'}}},
      want: 'spec.list[0].metadata.labels: Invalid value: "bad value!"',
    },
  ])('must say what it is: $name', ({value, want}) => {
    expect(new Rig(kind).refuse(create({list: [value]})).message).toContain(want);
  });

  test('needs neither name nor namespace', () => {
    expect(new Rig(kind).ask(create({list: [{apiVersion: 'x/v1', kind: 'In', metadata: {labels: {l: 'v'}}}]})).ok).toBe(
      true,
    );
  });
});

describe('metadata that Kubernetes would not take is refused', () => {
  const owner = (name: string, controller: boolean) => ({apiVersion: 'x/v1', kind: 'X', name, uid: name, controller});
  test.each([
    {
      name: 'BadName',
      metadata: {name: 'Not A Name'},
      want: `metadata.name: Invalid value: "Not A Name": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    },
    {
      name: 'BadLabel',
      metadata: {labels: {a: 'bad value!'}},
      want: `metadata.labels: Invalid value: "bad value!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
    },
    {
      name: 'LongLabel',
      metadata: {labels: {a: 'x'.repeat(64)}},
      want: `metadata.labels: Invalid value: "${'x'.repeat(64)}": must be no more than 63 characters`,
    },
    {
      name: 'BadFinalizer',
      metadata: {finalizers: ['a/b/c']},
      want: `metadata.finalizers: Invalid value: "a/b/c": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    },
    {
      name: 'TwoControllers',
      metadata: {ownerReferences: [owner('a', true), owner('b', true)]},
      want: 'metadata.ownerReferences: Invalid value: [{"apiVersion":"x/v1","kind":"X","name":"a","uid":"a","controller":true},{"apiVersion":"x/v1","kind":"X","name":"b","uid":"b","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for X/a and X/b',
    },
    {
      name: 'OwnerWithoutUid',
      metadata: {ownerReferences: [{apiVersion: 'x/v1', kind: 'X', name: 'a'}]},
      want: 'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    },
    {
      name: 'BothDeletionFinalizers',
      metadata: {finalizers: ['orphan', 'foregroundDeletion']},
      want: 'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    },
  ])('$name', ({metadata, want}) => {
    const {message} = new Rig().refuse(create({}, {metadata}));
    expect(message.slice(message.indexOf('is invalid: ') + 12)).toBe(want);
  });

  test('of the wrong type', () => {
    expect(new Rig().refuse(create({}, {metadata: {labels: {a: 1}}}))).toMatchObject({code: 400, reason: 'BadRequest'});
  });

  test('in an update: a new finalizer on an object that is being deleted, another uid', () => {
    const rig = new Rig();
    rig.do(create({}, {metadata: {finalizers: ['example.org/f']}}));
    rig.do({verb: 'delete', ref: {apiVersion: 'test.example.org/v1', kind: 'Widget', name: 'w'}});
    expect(rig.refuse(merge('u', {metadata: {finalizers: ['example.org/f', 'example.org/g']}})).causes).toEqual([
      {
        reason: 'FieldValueForbidden',
        field: 'metadata.finalizers',
        message:
          'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.org/g"}',
      },
    ]);
    expect(rig.refuse(merge('u', {metadata: {uid: 'other'}})).message).toContain(
      'metadata.uid: Invalid value: "other": field is immutable',
    );
  });

  test('but equal owner references are simply made one', () => {
    const rig = new Rig();
    rig.do(create({}));
    const twice = [owner('a', true), owner('a', true)];
    const response = rig.update('u', (object) => withMetadata(object, {ownerReferences: twice}));
    expect(response.ok && response.object?.metadata.ownerReferences).toHaveLength(1);
  });
});
