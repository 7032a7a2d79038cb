import {describe, expect, it} from 'vitest';
import {holdBody} from '../../../src/lifecycle/facts/hold-body.ts';
import type {Json, JsonObject} from '../../../src/lifecycle/words/json.ts';
import {manager, view} from '../given.ts';

const base = {apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing'};

/** The body held for an object with these fields, of which Crossplane's apply owns `owned`. */
function held(object: JsonObject, owned: JsonObject | undefined, entry: JsonObject = {}): JsonObject {
  const managedFields = owned === undefined ? [] : [{manager, operation: 'Apply', fieldsV1: owned, ...entry}];
  const metadata = {name: 'net-db', managedFields, ...(object['metadata'] as JsonObject)};
  return holdBody(view({...base, ...object, metadata}), manager);
}

it('holds empty what was applied empty, though others put something into it since', () => {
  const others = {manager: 'provider', operation: 'Update', fieldsV1: {'f:spec': {'f:tags': {'f:a': {}}}}};
  const owned = {manager, operation: 'Apply', fieldsV1: {'f:spec': {'f:size': {}, 'f:tags': {}, 'f:ports': {}}}};
  const body = held(
    {spec: {size: 's', tags: {a: '1'}, ports: [80]}, metadata: {managedFields: [others, owned]}},
    undefined,
  );
  expect(body['spec']).toEqual({size: 's', tags: {}, ports: [80]});
});

describe('an object whose API version has a list of one item where another has the item alone', () => {
  const list = {spec: {vpc: [{subnet: 's', isPublic: true}]}};
  const item = {spec: {vpc: {subnet: 's', isPublic: true}}};
  const told = (object: JsonObject, owned: JsonObject, others: JsonObject[] = []) => {
    const entry = {manager, operation: 'Apply', fieldsV1: {'f:spec': {'f:vpc': owned}}};
    const all = others.map((vpc) => ({manager: 'provider', operation: 'Update', fieldsV1: {'f:spec': {'f:vpc': vpc}}}));
    return held({...object, metadata: {managedFields: [...all, entry]}}, undefined)['spec'];
  };

  it('is held whole if Crossplane applied it in the other', () => {
    expect(told(item, {'k:{"index":"0"}': {'f:subnet': {}}})).toEqual(item.spec);
    expect(told(list, {'f:subnet': {}})).toEqual(list.spec);
  });

  it('is held whole if its provider wrote into it in the other', () => {
    expect(told(list, {}, [{'f:isPublic': {}}])).toEqual(list.spec);
    expect(told(item, {}, [{'k:{"index":"0"}': {'f:isPublic': {}}}])).toEqual(item.spec);
  });
});

it('holds nothing of an item whose key is no JSON', () => {
  const body = held({spec: {zones: ['a']}}, {'f:spec': {'f:zones': {'v:"a': {}, 'k:{': {}}}});
  expect(body['spec']).toEqual({zones: []});
});

it('holds fields of any depth, and all of what is deeper than anybody writes', () => {
  const nested = (levels: number, key: string, leaf: JsonObject): JsonObject => {
    let value = leaf;
    for (let level = 0; level < levels; level++) value = {[key]: value};
    return value;
  };
  const owned = nested(20_000, 'f:v', {});
  expect(held({spec: nested(20_000, 'v', {a: 1})}, {'f:spec': owned})).toHaveProperty('spec.v.v');
});

it('holds the items of a long set, each by its value', () => {
  const zones = Array.from({length: 3_000}, (_, index) => `zone-${index}`);
  const names = Object.fromEntries(zones.slice(1).map((zone) => [`v:${JSON.stringify(zone)}`, {}]));
  expect(held({spec: {zones}}, {'f:spec': {'f:zones': names}})['spec']).toEqual({zones: zones.slice(1)});
});

describe('a hold re-emits exactly what Crossplane owns', () => {
  const stories = [
    {
      name: 'Field',
      reason: 'A field of another manager is not taken over.',
      object: {spec: {size: 's', lateInitialized: true}},
      owned: {'f:spec': {'f:size': {}}},
      want: {spec: {size: 's'}},
    },
    {
      name: 'WholeMap',
      reason: 'A leaf owns its whole value.',
      object: {spec: {tags: {a: '1', b: {c: 2}}}},
      owned: {'f:spec': {'f:tags': {}}},
      want: {spec: {tags: {a: '1', b: {c: 2}}}},
    },
    {
      name: 'ItselfAndChildren',
      reason: 'A dot owns the map itself, not what others put into it.',
      object: {spec: {tags: {a: '1', b: '2'}}},
      owned: {'f:spec': {'.': {}, 'f:tags': {'.': {}, 'f:a': {}}}},
      want: {spec: {tags: {a: '1'}}},
    },
    {
      name: 'AtomicList',
      reason: 'An atomic list has one owner.',
      object: {spec: {subnets: ['a', 'b']}},
      owned: {'f:spec': {'f:subnets': {}}},
      want: {spec: {subnets: ['a', 'b']}},
    },
    {
      name: 'Set',
      reason: 'Items of a set are owned one by one.',
      object: {spec: {zones: ['a', 'b', 'c']}},
      owned: {'f:spec': {'f:zones': {'v:"a"': {}, 'v:"c"': {}}}},
      want: {spec: {zones: ['a', 'c']}},
    },
    {
      name: 'ListMap',
      reason: 'Items of a keyed list are owned field by field, and the keys go along.',
      object: {spec: {ports: [{port: 80, name: 'web', node: 3}, {port: 443}]}},
      owned: {'f:spec': {'f:ports': {'k:{"port":80}': {'f:name': {}}}}},
      want: {spec: {ports: [{port: 80, name: 'web'}]}},
    },
    {
      name: 'ListMapWithTwoKeys',
      reason: 'All keys have to match.',
      object: {
        spec: {
          ports: [
            {port: 80, protocol: 'UDP', a: 1},
            {port: 80, protocol: 'TCP', a: 2},
          ],
        },
      },
      owned: {'f:spec': {'f:ports': {'k:{"port":80,"protocol":"TCP"}': {'.': {}, 'f:a': {}, 'f:port': {}}}}},
      want: {spec: {ports: [{port: 80, protocol: 'TCP', a: 2}]}},
    },
    {
      name: 'ListByPlace',
      reason: 'Items may be owned by their place.',
      object: {spec: {rules: [{a: 1, b: 2}, {a: 3}]}},
      owned: {'f:spec': {'f:rules': {'i:0': {'f:a': {}}}}},
      want: {spec: {rules: [{a: 1}]}},
    },
    {
      name: 'GoneSince',
      reason: 'What another manager has removed is not put back.',
      object: {spec: {size: 's'}},
      owned: {'f:spec': {'f:size': {}, 'f:color': {}}},
      want: {spec: {size: 's'}},
    },
    {
      name: 'NotOnlySpec',
      reason: 'Not every composed resource has a spec.',
      object: {data: {a: '1', b: '2'}},
      owned: {'f:data': {'f:a': {}}},
      want: {data: {a: '1'}},
    },
    {
      name: 'ProtoKey',
      reason: 'A field may have any name.',
      object: {spec: JSON.parse('{"__proto__": {"a": 1}}') as JsonObject},
      owned: JSON.parse('{"f:spec": {"f:__proto__": {}}}') as JsonObject,
      want: {spec: JSON.parse('{"__proto__": {"a": 1}}') as JsonObject},
    },
  ] as const;

  for (const {name, reason, object, owned, want} of stories) {
    it(name, () => {
      const {metadata: _metadata, ...body} = held(object, owned);
      expect(JSON.stringify(body), reason).toBe(JSON.stringify({...want, ...base}));
    });
  }

  it('re-emits owned labels and annotations, external-name among them', () => {
    const metadata = {
      labels: {role: 'db', other: 'x'},
      annotations: {'crossplane.io/external-name': 'vpc-1', 'crossplane.io/external-create-pending': 'now'},
    };
    const owned = {
      'f:metadata': {'f:labels': {'f:role': {}}, 'f:annotations': {'f:crossplane.io/external-name': {}}},
    };
    expect(held({metadata}, owned)['metadata']).toEqual({
      name: 'net-db',
      labels: {role: 'db'},
      annotations: {'crossplane.io/external-name': 'vpc-1'},
    });
  });

  it('leaves the controller reference to Crossplane, and keeps other owners that the Composition named', () => {
    const ownerReferences = [
      {uid: 'x', controller: true, kind: 'XNetwork'},
      {uid: 'y', kind: 'ConfigMap'},
      {uid: 'z', kind: 'AddedByTheUsageController'},
    ];
    const owned = {'f:metadata': {'f:ownerReferences': {'k:{"uid":"x"}': {}, 'k:{"uid":"y"}': {}}}};
    expect(held({metadata: {ownerReferences}}, owned)['metadata']).toEqual({
      name: 'net-db',
      ownerReferences: [{uid: 'y', kind: 'ConfigMap'}],
    });
  });

  it('names the object, in its namespace', () => {
    expect(held({metadata: {namespace: 'team'}}, {})['metadata']).toMatchObject({name: 'net-db', namespace: 'team'});
  });
});

describe('a hold says no uid', () => {
  it('because Crossplane would copy it into resourceRefs, which have no such field', () => {
    const metadata = {name: 'net-db'};
    expect(held({metadata: {uid: 'u'}, spec: {size: 's'}}, {'f:spec': {'f:size': {}}})['metadata']).toEqual(metadata);
    expect(held({metadata: {uid: 'u'}}, undefined)['metadata']).toEqual(metadata);
  });
});

describe('what a backup tool is bringing back is written only as it was observed', () => {
  const owned = {'f:metadata': {'f:generateName': {}}};
  const controlled = [{uid: 'x', controller: true}];
  const phase = {'tether.fn.crossplane.io/phase': 'pending-adoption'};
  const heldVersion = (metadata: JsonObject, fields: JsonObject | undefined) => {
    const body = held({metadata: {resourceVersion: '7', ...metadata}, spec: {size: 's'}}, fields);
    return (body['metadata'] as JsonObject)['resourceVersion'];
  };

  it('before it has a controller reference, and until the first apply after that', () => {
    expect(heldVersion({}, owned)).toBe('7');
    expect(heldVersion({ownerReferences: controlled, annotations: phase}, owned)).toBe('7');
  });

  it('and as long as its own policies delete the external resource, which a person may end meanwhile', () => {
    const spec = {'f:spec': {'f:deletionPolicy': {}}};
    const version = (deletionPolicy: string, fields: JsonObject) =>
      held({metadata: {resourceVersion: '7', ownerReferences: controlled}, spec: {deletionPolicy}}, fields)['metadata'];
    expect(version('Delete', spec)).toHaveProperty('resourceVersion', '7');
    expect(version('Orphan', spec)).not.toHaveProperty('resourceVersion');
    expect(version('Delete', {'f:spec': {'f:size': {}}})).not.toHaveProperty('resourceVersion');
  });

  it('and no longer than that: a provider that writes often would have every apply refused', () => {
    expect(heldVersion({ownerReferences: controlled}, owned)).toBeUndefined();
  });

  it('and not without an entry of ours, where Crossplane itself writes first', () => {
    expect(heldVersion({}, undefined)).toBeUndefined();
  });
});

describe('without an entry of this XR in managedFields Crossplane owns nothing, and a hold emits identity only', () => {
  const metadata = {uid: 'u', resourceVersion: '7', labels: {role: 'db'}, annotations: {team: 'a'}};
  const object = {metadata, spec: {replicas: 50}, data: {a: '1'}, status: {conditions: []}};
  const identity = {...base, metadata: {name: 'net-db'}};

  it('after a restore that dropped managedFields', () => {
    expect(held(object, undefined)).toEqual(identity);
  });

  it.each([
    ['a restore tool', {manager: 'velero-server', operation: 'Update'}],
    ['another XR', {manager: 'apiextensions.crossplane.io/composed/0000'}],
    ['an update and no apply', {operation: 'Update'}],
    ['the status', {subresource: 'status'}],
  ])('with an entry of %s only', (_who, entry) => {
    expect(held(object, {'f:spec': {'f:replicas': {}}}, entry)).toEqual(identity);
  });
});

describe('an object that somebody nested deep', () => {
  const deep = (levels: number): Json => {
    let value: Json = 1;
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };

  it.each([400, 501, 5000, 9000])(
    'of %i levels is held as any other, whichever way Crossplane names its items',
    (levels) => {
      const items = {
        keyed: [{name: 'ours', port: 80}, {name: 'theirs', extra: deep(levels)}, {name: deep(levels)}],
        set: ['ours', deep(levels)],
        whole: {extra: deep(levels)},
      };
      const owned = {
        'f:spec': {
          'f:keyed': {'k:{"name":"ours"}': {'.': {}, 'f:name': {}, 'f:port': {}}},
          'f:set': {'v:"ours"': {}},
          'f:whole': {},
        },
      };
      const {spec} = held({spec: items}, owned) as {spec: JsonObject};
      expect(spec).toMatchObject({keyed: [{name: 'ours', port: 80}], set: ['ours']});
      expect(spec['whole']).toHaveProperty('extra.0.0');
    },
  );
});
