import {describe, expect, test} from 'vitest';
import {discover} from '../../../src/cluster/api/server.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {conditionOf} from '../../../src/cluster/object.ts';
import {Rig} from './given.ts';

const gadgets = {apiVersion: 'test.example.org/v2', kind: 'Gadget'};
const crds = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'};
const crdRef = {...crds, name: 'gadgets.test.example.org'};

const text = {type: 'string'};
const version = (name: string, properties: JsonObject) => ({
  name,
  served: name !== 'v0',
  storage: name === 'v1',
  schema: {openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object', properties}}}},
});

function crd(scope = 'Namespaced'): KubeObject {
  return {
    ...crds,
    metadata: {name: crdRef.name},
    spec: {
      group: 'test.example.org',
      scope,
      names: {kind: 'Gadget', plural: 'gadgets'},
      versions: [
        version('v0', {}),
        version('v1', {a: text, b: text}),
        version('v2', {a: text, c: {...text, default: 'd'}}),
      ],
    },
  };
}

function rigWithGadgets(): Rig {
  const rig = new Rig();
  rig.do({verb: 'create', object: crd(), manager: 'user'});
  return rig;
}

function gadget(apiVersion: string, spec: JsonObject, namespace = 'default'): KubeObject {
  return {apiVersion, kind: 'Gadget', metadata: {name: 'g', namespace}, spec};
}

const make = (object: KubeObject) => ({verb: 'create', object, manager: 'm'}) as const;
const ref = (version: string) => ({
  apiVersion: `test.example.org/${version}`,
  kind: 'Gadget',
  namespace: 'default',
  name: 'g',
});

describe('a CustomResourceDefinition', () => {
  test('is established at once and serves its versions', () => {
    const rig = rigWithGadgets();
    const {object} = rig.ask({verb: 'get', ref: crdRef}) as {object: KubeObject};
    expect(conditionOf(object, 'Established')?.status).toBe('True');
    expect(object.status).toMatchObject({acceptedNames: {kind: 'Gadget'}, storedVersions: ['v1']});
    const served = discover(rig.server).filter(({kind}) => kind === 'Gadget');
    expect(served.map(({apiVersion, namespaced}) => [apiVersion, namespaced])).toEqual([
      ['test.example.org/v1', true],
      ['test.example.org/v2', true],
    ]);
  });

  test('keeps every version that was ever stored, until somebody says that nothing lies there any more', () => {
    const rig = rigWithGadgets();
    const storing = (...names: readonly string[]) => ({
      spec: {versions: names.map((name, index) => ({...version(name, {a: text}), storage: index === 0, served: true}))},
    });
    const change = (body: JsonObject, subresource?: 'status') =>
      ({verb: 'patch', type: 'merge', ref: crdRef, body, manager: 'user', ...(subresource && {subresource})}) as const;
    expect(rig.do(change(storing('v2', 'v1'))).status?.['storedVersions']).toEqual(['v1', 'v2']);
    expect(rig.refuse(change(storing('v2'))).message).toContain(
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version',
    );
    rig.do(change({status: {storedVersions: ['v2']}}, 'status'));
    expect(rig.do(change(storing('v2'))).status?.['storedVersions']).toEqual(['v2']);
  });

  test('is completed by the server, which owns the status it wrote and nothing of the spec', () => {
    const rig = rigWithGadgets();
    const {spec, metadata} = rig.do({verb: 'get', ref: crdRef});
    expect(spec).toMatchObject({
      conversion: {strategy: 'None'},
      names: {kind: 'Gadget', plural: 'gadgets', singular: 'gadget', listKind: 'GadgetList'},
    });
    const [server, user] = [...(metadata.managedFields ?? [])].sort((a, b) => (a.manager < b.manager ? -1 : 1));
    expect([server?.manager, server?.subresource, user?.manager, user?.subresource]).toEqual([
      'kube-apiserver',
      'status',
      'user',
      undefined,
    ]);
    // What a Go struct always has, such as its spec, is nobody's as such.
    expect(Object.keys(user?.fieldsV1['f:spec'] as JsonObject)).not.toContain('.');
    expect(server?.fieldsV1).toMatchObject({'f:status': {'f:acceptedNames': {'f:singular': {}}}});
  });

  // As kube-apiserver 1.34.2 answered.
  test('keeps one object in one shape, without what the stored version does not know', () => {
    const rig = rigWithGadgets();
    const written = rig.do(make(gadget('test.example.org/v2', {a: 'x', c: 'y'})));
    expect([written.apiVersion, written.spec]).toEqual(['test.example.org/v2', {a: 'x'}]);
    // Its writer owns it all the same.
    expect(written.metadata.managedFields?.[0]?.fieldsV1).toMatchObject({'f:spec': {'f:a': {}, 'f:c': {}}});
    const asV1 = rig.do({verb: 'get', ref: ref('v1')});
    expect([asV1.apiVersion, asV1.spec]).toEqual(['test.example.org/v1', {a: 'x'}]);
    // Another version takes away what it does not know, and fills nothing in.
    rig.do({verb: 'patch', type: 'merge', ref: ref('v1'), body: {spec: {b: 'z'}}, manager: 'm'});
    expect(rig.do({verb: 'get', ref: ref('v2')}).spec).toEqual({a: 'x'});
  });

  test('keeps what is written in any version where a webhook converts, which nobody here knows', () => {
    const box = (schema: JsonObject) => ({box: schema, a: text, part: {type: 'object', properties: {c: text}}});
    const inner = {type: 'object', properties: {b: text}};
    const rig = new Rig();
    const {spec, ...rest} = crd();
    const versions = [
      version('v1', box({type: 'array', items: inner})),
      version('v2', {...box(inner), d: {type: 'number'}}),
    ];
    rig.do({
      verb: 'create',
      object: {...rest, spec: {...spec, versions, conversion: {strategy: 'Webhook'}}},
      manager: 'user',
    });
    const written = {a: 'x', box: {b: 'y', more: {c: 1}}, d: 2, part: {c: 'z'}};
    rig.do(make(gadget('test.example.org/v2', {...written, unknown: 1, part: {c: 'z', unknown: 1}})));
    rig.do({verb: 'patch', type: 'merge', ref: ref('v1'), body: {metadata: {labels: {l: 'm'}}}, manager: 'n'});
    expect(rig.do({verb: 'get', ref: ref('v2')}).spec).toEqual(written);
    expect(rig.ask(make(gadget('test.example.org/v1', {a: 1}))).ok).toBe(false);
  });

  test('loses what only the stored version knows when it is written in another', () => {
    const rig = rigWithGadgets();
    rig.do(make(gadget('test.example.org/v1', {a: 'x', b: 'z'})));
    rig.do({verb: 'patch', type: 'merge', ref: ref('v2'), body: {spec: {a: 'y'}}, manager: 'n'});
    expect(rig.do({verb: 'get', ref: ref('v1')}).spec).toEqual({a: 'y'});
  });

  test('counts a generation for every write of what the stored version does not know', () => {
    const rig = rigWithGadgets();
    rig.do(make(gadget('test.example.org/v1', {a: 'x'})));
    const write = {verb: 'patch', type: 'merge', ref: ref('v2'), body: {spec: {c: 'y'}}, manager: 'n'} as const;
    const counted = [1, 2].map(() => rig.do(write).metadata.generation);
    expect(counted).toEqual([2, 3]);
  });

  test('forgets all managers where a field has no type in the version of one of them', () => {
    const rig = rigWithGadgets();
    rig.do(make(gadget('test.example.org/v1', {a: 'x'})));
    const body = {spec: {c: 'y'}};
    const {metadata} = rig.do({verb: 'patch', type: 'merge', ref: ref('v2'), body, manager: 'n'});
    expect(metadata.managedFields).toBeUndefined();
  });

  test('refuses to apply what has no type in the version that was applied last', () => {
    const rig = rigWithGadgets();
    const config = (version: string, spec: JsonObject) =>
      ({
        verb: 'patch',
        type: 'apply',
        ref: ref(version),
        body: {apiVersion: `test.example.org/${version}`, kind: 'Gadget', metadata: {name: 'g'}, spec},
        manager: 'n',
      }) as const;
    rig.do(config('v1', {a: 'x'}));
    expect(rig.refuse(config('v2', {a: 'x', c: 'y'}))).toMatchObject({
      code: 500,
      message:
        'failed to prune fields: failed to convert merged object to last applied version: .spec.c: field not declared in schema',
    });
    // What both versions know may change its version.
    expect(rig.do(config('v2', {a: 'y'})).metadata.managedFields?.map(({apiVersion}) => apiVersion)).toEqual([
      'test.example.org/v2',
    ]);
  });

  test('has the managers of every version keep their fields', () => {
    const rig = rigWithGadgets();
    rig.do(make(gadget('test.example.org/v2', {a: 'x'})));
    const body = {apiVersion: 'test.example.org/v1', kind: 'Gadget', metadata: {name: 'g'}, spec: {a: 'y'}};
    const apply = {verb: 'patch', type: 'apply', ref: ref('v1'), body, manager: 'n', force: false} as const;
    expect(rig.refuse(apply).message).toContain('conflict with "m" using test.example.org/v2: .spec.a');
    const forced = rig.do({...apply, force: true});
    expect(forced.metadata.managedFields?.map(({manager, apiVersion}) => [manager, apiVersion])).toEqual([
      ['n', 'test.example.org/v1'],
      ['m', 'test.example.org/v2'],
    ]);
  });

  test.each([
    {name: 'VersionNotServed', apiVersion: 'test.example.org/v0', kind: 'Gadget'},
    {name: 'UnknownVersion', apiVersion: 'test.example.org/v9', kind: 'Gadget'},
    {name: 'UnknownKind', apiVersion: 'test.example.org/v1', kind: 'Gizmo'},
  ])('answers 404 for $name', ({apiVersion, kind}) => {
    const rig = rigWithGadgets();
    const want = {code: 404, reason: 'NotFound', message: 'the server could not find the requested resource'};
    const at = {apiVersion, kind, namespace: 'default', name: 'g'};
    expect(rig.refuse({verb: 'get', ref: at})).toMatchObject(want);
    expect(rig.refuse({verb: 'list', apiVersion, kind})).toMatchObject(want);
    expect(rig.refuse({verb: 'create', object: {...gadget(apiVersion, {}), kind}, manager: 'm'})).toMatchObject(want);
    expect(rig.refuse({verb: 'delete', ref: at})).toMatchObject(want);
  });

  test('has no status subresource unless it says so', () => {
    const rig = rigWithGadgets();
    const object = rig.do(make(gadget('test.example.org/v1', {})));
    expect(rig.refuse({verb: 'update', object, manager: 'm', subresource: 'status'}).code).toBe(404);
  });

  test('waits with a finalizer when it is deleted; nothing of its kind is created any more', () => {
    const rig = rigWithGadgets();
    rig.do(make(gadget('test.example.org/v1', {a: 'x'})));
    const {metadata, status} = rig.do({verb: 'delete', ref: crdRef});
    expect(metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io']);
    expect(conditionOf({status} as KubeObject, 'Terminating')?.reason).toBe('InstanceDeletionPending');
    const other = {...gadget('test.example.org/v1', {}), metadata: {name: 'h', namespace: 'default'}};
    expect(rig.refuse(make(other))).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message:
        'gadgets.test.example.org "h" is forbidden: create not allowed while custom resource definition is terminating',
    });
    const body = {apiVersion: 'test.example.org/v1', kind: 'Gadget', metadata: {name: 'h'}, spec: {}};
    const apply = {verb: 'patch', type: 'apply', ref: {...ref('v1'), name: 'h'}, body, manager: 'm'} as const;
    expect(rig.refuse(apply).code).toBe(403);
    const update = {verb: 'patch', type: 'merge', ref: ref('v1'), body: {spec: {a: 'y'}}, manager: 'm'} as const;
    expect(rig.do(update).spec).toEqual({a: 'y'});
  });

  test('takes its kind along when it is gone', () => {
    const rig = rigWithGadgets();
    rig.do({verb: 'delete', ref: crdRef});
    const body = {metadata: {finalizers: null}};
    rig.do({verb: 'patch', type: 'merge', ref: crdRef, body, manager: 'm'});
    expect(rig.refuse({verb: 'list', ...gadgets}).code).toBe(404);
    expect(discover(rig.server).some(({kind}) => kind === 'Gadget')).toBe(false);
  });

  test('may change the schema of objects that are there', () => {
    const rig = rigWithGadgets();
    rig.do(make(gadget('test.example.org/v1', {a: 'x', b: 'y'})));
    const versions = [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object', properties: {a: {type: 'string'}}}}},
        },
      },
    ];
    rig.do({verb: 'patch', type: 'merge', ref: crdRef, body: {spec: {versions}}, manager: 'm'});
    expect(rig.do({verb: 'get', ref: ref('v1')}).spec).toEqual({a: 'x'});
    expect(rig.refuse({verb: 'get', ref: ref('v2')}).code).toBe(404);
  });
});

describe('a namespace', () => {
  const home = {apiVersion: 'v1', kind: 'Namespace'};
  const withHome = () => {
    const rig = rigWithGadgets();
    rig.do({verb: 'create', object: {...home, metadata: {name: 'home'}}, manager: 'm'});
    return rig;
  };

  test('must be there before anything is created in it', () => {
    expect(rigWithGadgets().refuse(make(gadget('test.example.org/v1', {}, 'nowhere')))).toMatchObject({
      code: 404,
      message: 'namespaces "nowhere" not found',
    });
  });

  test('begins active, with its name as a label', () => {
    const {metadata, status, spec} = withHome().do({verb: 'get', ref: {...home, name: 'home'}});
    expect([metadata.labels, status, spec]).toEqual([
      {'kubernetes.io/metadata.name': 'home'},
      {phase: 'Active'},
      {finalizers: ['kubernetes']},
    ]);
  });

  test('takes nothing new once it is deleted, but lets what is there change', () => {
    const rig = withHome();
    rig.do(make(gadget('test.example.org/v1', {a: 'x'}, 'home')));
    expect(rig.do({verb: 'delete', ref: {...home, name: 'home'}}).status).toEqual({phase: 'Terminating'});
    const other = {...gadget('test.example.org/v1', {}, 'home'), metadata: {name: 'h', namespace: 'home'}};
    expect(rig.refuse(make(other))).toMatchObject({
      code: 403,
      message:
        'gadgets.test.example.org "h" is forbidden: unable to create new content in namespace home because it is being terminated',
      causes: [{reason: 'NamespaceTerminating'}],
    });
    const at = {...ref('v1'), namespace: 'home'};
    expect(rig.do({verb: 'patch', type: 'merge', ref: at, body: {spec: {a: 'y'}}, manager: 'm'}).spec).toEqual({
      a: 'y',
    });
  });

  test('keeps equal names apart and is listed alone or with all others', () => {
    const rig = withHome();
    rig.do(make(gadget('test.example.org/v1', {a: 'here'}, 'home')));
    rig.do(make(gadget('test.example.org/v1', {a: 'there'})));
    const list = (namespace?: string) => {
      const response = rig.ask({
        verb: 'list',
        apiVersion: 'test.example.org/v1',
        kind: 'Gadget',
        ...(namespace === undefined ? {} : {namespace}),
      });
      return response.ok ? response.items?.map(({spec}) => spec?.['a']) : undefined;
    };
    expect([list('home'), list()]).toEqual([['here'], ['there', 'here']]);
  });

  test('that every cluster has cannot be deleted', () => {
    expect(new Rig().refuse({verb: 'delete', ref: {...home, name: 'default'}}).message).toBe(
      'namespaces "default" is forbidden: this namespace may not be deleted',
    );
  });

  test('must be the one the request says', () => {
    const rig = withHome();
    const body = {...gadget('test.example.org/v1', {}, 'home')};
    const apply = {verb: 'patch', type: 'apply', ref: ref('v1'), body, manager: 'm'} as const;
    expect(rig.refuse(apply)).toMatchObject({
      code: 400,
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    });
  });
});
