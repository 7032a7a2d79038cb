import {describe, expect, test} from 'vitest';
import {apply, applyStatus, create, merge, Rig, widget, widgets, withSpec} from './given.ts';

describe('server-side apply', () => {
  test('creates what is not there, with defaults that nobody owns', () => {
    const rig = new Rig();
    const response = rig.ask(apply('m1', {size: 1}));
    expect(response).toMatchObject({ok: true, code: 201});
    expect(rig.widget.spec).toEqual({size: 1, color: 'red'});
    expect(rig.owners).toEqual({'m1 Apply': ['spec.size']});
  });

  test('shares a field whose value two appliers agree on', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1}));
    rig.do(apply('m2', {size: 1, owner: 'x'}));
    expect(rig.owners).toEqual({'m1 Apply': ['spec.size'], 'm2 Apply': ['spec.owner', 'spec.size']});
  });

  test('refuses to change what another owns, naming owner and field', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1}));
    const error = rig.refuse(apply('m2', {size: 2}));
    expect(error).toMatchObject({code: 409, reason: 'Conflict'});
    expect(error.message).toBe('Apply failed with 1 conflict: conflict with "m1": .spec.size');
    expect(error.causes).toEqual([
      {reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.size'},
    ]);
    expect(rig.widget.spec).toMatchObject({size: 1});
  });

  test('lists all conflicts, each owner with its fields; an updater is named with its version', () => {
    const rig = new Rig();
    rig.do(create({size: 1}));
    rig.do(apply('m1', {owner: 'a', nested: {a: 'x'}}));
    expect(rig.refuse(apply('m2', {size: 2, owner: 'b', nested: {a: 'y'}})).message).toBe(
      'Apply failed with 3 conflicts: conflicts with "creator" using test.example.org/v1:\n- .spec.size\nconflicts with "m1":\n- .spec.owner\n- .spec.nested.a',
    );
  });

  test('names the subresource of an owner', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1}));
    rig.do(applyStatus('m1', {phase: 'New'}));
    expect(rig.refuse(applyStatus('m2', {phase: 'Done'})).message).toBe(
      'Apply failed with 1 conflict: conflict with "m1" with subresource "status": .status.phase',
    );
  });

  test('takes a field over by force, and only that field', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1, owner: 'a'}));
    rig.do(apply('m2', {size: 2}, {force: true}));
    expect(rig.owners).toEqual({'m1 Apply': ['spec.owner'], 'm2 Apply': ['spec.size']});
    expect(rig.widget.spec).toMatchObject({size: 2, owner: 'a'});
  });

  test('removes what the applier leaves out and nobody else owns', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1, owner: 'a'}));
    rig.do(apply('m1', {size: 1}));
    expect(rig.widget.spec).toEqual({size: 1, color: 'red'});
  });

  test('leaves what another applier owns too', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1, owner: 'a'}));
    rig.do(apply('m2', {owner: 'a'}));
    rig.do(apply('m1', {size: 1}));
    expect(rig.widget.spec).toMatchObject({owner: 'a'});
    expect(rig.owners).toEqual({'m1 Apply': ['spec.size'], 'm2 Apply': ['spec.owner']});
  });

  test('leaves what an updater has changed since: the applier does not own it any more', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1, owner: 'a'}));
    rig.update('user', (widget) => withSpec(widget, {owner: 'b'}));
    rig.do(apply('m1', {size: 1}));
    expect(rig.widget.spec).toMatchObject({owner: 'b'});
  });

  test('brings a default back where the applier gives up the field', () => {
    const rig = new Rig();
    rig.do(apply('m1', {color: 'blue'}));
    rig.do(apply('m1', {size: 1}));
    expect(rig.widget.spec).toEqual({size: 1, color: 'red'});
  });

  test('forgets a manager that owns nothing any more', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1}));
    rig.do(apply('m2', {size: 2}, {force: true}));
    expect(Object.keys(rig.owners)).toEqual(['m2 Apply']);
  });

  test('keeps an update and an apply of one manager apart', () => {
    const rig = new Rig();
    rig.do(create({size: 1}, {manager: 'm1'}));
    rig.do(apply('m1', {size: 1}));
    expect(rig.owners).toEqual({'m1 Apply': ['spec.size'], 'm1 Update': ['spec', 'spec.color', 'spec.size']});
    expect(rig.refuse(apply('m1', {size: 2})).message).toContain('conflict with "m1" using test.example.org/v1');
  });

  describe('of lists', () => {
    test('owns the items of a set one by one', () => {
      const rig = new Rig();
      rig.do(apply('m1', {tags: ['a', 'b']}));
      rig.do(apply('m2', {tags: ['b', 'c']}));
      expect(rig.widget.spec?.['tags']).toEqual(['a', 'b', 'c']);
      rig.do(apply('m1', {tags: ['a']}));
      expect(rig.widget.spec?.['tags']).toEqual(['a', 'b', 'c']);
      rig.do(apply('m2', {tags: ['c']}));
      expect(rig.widget.spec?.['tags']).toEqual(['a', 'c']);
    });

    test('owns the items of a map list by key, with the default of a key that is left out', () => {
      const rig = new Rig();
      rig.do(apply('m1', {ports: [{port: 80, name: 'http'}]}));
      rig.do(apply('m2', {ports: [{port: 80, protocol: 'TCP'}, {port: 443}]}));
      expect(rig.widget.spec?.['ports']).toEqual([
        {port: 80, protocol: 'TCP', name: 'http'},
        {port: 443, protocol: 'TCP'},
      ]);
      expect(rig.refuse(apply('m2', {ports: [{port: 80, name: 'web'}]})).causes?.[0]?.field).toBe(
        '.spec.ports[port=80,protocol="TCP"].name',
      );
    });

    test('owns an atomic list and an atomic map whole', () => {
      const rig = new Rig();
      rig.do(apply('m1', {args: ['x'], point: {x: '1'}}));
      const fields = rig.refuse(apply('m2', {args: ['x', 'y'], point: {y: '2'}})).causes?.map(({field}) => field);
      expect(fields).toEqual(['.spec.args', '.spec.point']);
      rig.do(apply('m2', {point: {y: '2'}}, {force: true}));
      expect(rig.widget.spec?.['point']).toEqual({y: '2'});
    });

    test.each([
      {name: 'NewItemsAtTheEnd', live: ['a', 'b'], applied: ['c'], want: ['a', 'b', 'c']},
      {name: 'OrderOfTheAppliedForShared', live: ['a', 'b', 'c'], applied: ['c', 'a'], want: ['b', 'c', 'a']},
      {name: 'NewBetweenShared', live: ['a', 'b'], applied: ['a', 'n', 'b'], want: ['a', 'n', 'b']},
      {name: 'LiveOnlyStaysInFront', live: ['l', 'a'], applied: ['n', 'a'], want: ['l', 'n', 'a']},
    ])('merges the order of live and applied items: $name', ({live, applied, want}) => {
      const rig = new Rig();
      rig.do(create({tags: live}));
      rig.do(apply('m1', {tags: applied}));
      expect(rig.widget.spec?.['tags']).toEqual(want);
    });
  });

  describe('of maps', () => {
    test('owns every key of a free-form map and the map itself', () => {
      const rig = new Rig();
      rig.do(apply('m1', {free: {a: {b: 1}}}));
      expect(rig.owners['m1 Apply']).toEqual(['spec.free.a', 'spec.free.a.b']);
    });

    test('empties a granular map to null, which the schema then refuses', () => {
      const rig = new Rig();
      rig.do(apply('m1', {options: {o1: 'v'}}));
      expect(rig.refuse(apply('m1', {options: {}}))).toMatchObject({
        code: 422,
        message:
          'Widget.test.example.org "w" is invalid: spec.options: Invalid value: "null": spec.options in body must be of type object: "null"',
      });
    });

    test('keeps the null of a nullable field', () => {
      const rig = new Rig();
      rig.do(apply('m1', {nested: {b: null}}));
      expect(rig.widget.spec?.['nested']).toEqual({b: null});
    });
  });

  describe('refuses a configuration that has no type', () => {
    test.each([
      {name: 'UnknownField', spec: {nope: 1}, want: '.spec.nope: field not declared in schema'},
      {name: 'TextForANumber', spec: {size: 'big'}, want: '.spec.size: expected numeric (int or float), got string'},
      {name: 'TwiceInASet', spec: {tags: ['a', 'a']}, want: '.spec.tags: duplicate entries for key [="a"]'},
      {
        name: 'TwiceInAMapList',
        spec: {ports: [{port: 1}, {port: 1, protocol: 'TCP'}]},
        want: '.spec.ports: duplicate entries for key [port=1,protocol="TCP"]',
      },
    ])('$name', ({spec, want}) => {
      const error = new Rig().refuse(apply('m1', spec));
      expect(error).toMatchObject({code: 500, reason: ''});
      expect(error.message).toBe(`failed to create typed patch object (/w; test.example.org/v1, Kind=Widget): ${want}`);
    });

    test('says all at once', () => {
      const error = new Rig().refuse(apply('m1', {tags: ['a', 'a', 'a'], size: 'x'}));
      expect(error.message.split('\n').slice(1)).toEqual([
        '  .spec.tags: duplicate entries for key [="a"]',
        '  .spec.tags: duplicate entries for key [="a"]',
        '  .spec.size: expected numeric (int or float), got string',
      ]);
    });
  });

  test.each([
    {
      name: 'NoManager',
      request: apply('', {}),
      code: 422,
      message: 'fieldManager: Required value: is required for apply patch',
    },
    {
      name: 'WithManagedFields',
      request: apply('m1', {}, {metadata: {managedFields: [{}]}}),
      code: 400,
      message: 'metadata.managedFields must be nil',
    },
    {
      name: 'WithAUidOfNothing',
      request: apply('m1', {}, {metadata: {uid: 'u'}}),
      code: 409,
      message: 'uid mismatch: the provided object specified uid u, and no existing object was found',
    },
    {
      name: 'StatusOfNothing',
      request: applyStatus('m1', {phase: 'New'}),
      code: 404,
      message: 'widgets.test.example.org "w" not found',
    },
  ])('refuses what makes no sense: $name', ({request, code, message}) => {
    const error = new Rig().refuse(request);
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });

  test('refuses an old resourceVersion', () => {
    const rig = new Rig();
    const {resourceVersion = ''} = rig.do(apply('m1', {size: 1})).metadata;
    rig.do(merge('user', {spec: {owner: 'x'}}));
    expect(rig.refuse(apply('m1', {size: 2}, {metadata: {resourceVersion}}))).toMatchObject({code: 409});
  });

  test('that changes nothing is no write, however often it is repeated and whoever shares it', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1, tags: ['a']}));
    const {resourceVersion} = rig.widget.metadata;
    rig.nowMs += 60_000;
    for (let turn = 0; turn < 3; turn++) rig.do(apply('m1', {size: 1, tags: ['a']}));
    expect(rig.widget.metadata.resourceVersion).toBe(resourceVersion);
    rig.do(apply('m2', {size: 1}));
    expect(rig.widget.metadata.resourceVersion).not.toBe(resourceVersion);
    expect(rig.widget.metadata.generation).toBe(1);
  });

  test('that repeats what changed nothing before still sees what others changed since', () => {
    const rig = new Rig();
    const same = apply('m1', {size: 1}, {force: true});
    rig.do(same);
    rig.do(same);
    rig.do(merge('user', {spec: {size: 5}}));
    rig.do(same);
    expect(rig.widget.spec).toMatchObject({size: 1});
  });

  test('that differs from one that changed nothing is looked at', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1}));
    rig.do(apply('m1', {size: 1}));
    expect(rig.do(apply('m1', {size: 2})).spec).toMatchObject({size: 2});
    rig.do(apply('m1', {size: 2}));
    rig.makeAtomic('tags');
    const again = rig.do(apply('m1', {size: 2, tags: ['a']}));
    expect(again.spec).toMatchObject({tags: ['a']});
    expect(rig.owners).toEqual({'m1 Apply': ['spec.size', 'spec.tags']});
  });

  test('that changed nothing still is refused once the version it names is old', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1}));
    const same = apply('m1', {size: 1}, {metadata: {resourceVersion: rig.widget.metadata.resourceVersion ?? ''}});
    rig.do(same);
    rig.do(merge('user', {spec: {owner: 'x'}}));
    expect(rig.refuse(same)).toMatchObject({code: 409});
  });

  test('that says what the server decides alone is no write: only times would change', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1}, {metadata: {generation: 7}}));
    const {resourceVersion, generation} = rig.widget.metadata;
    rig.nowMs += 60_000;
    rig.do(apply('m1', {size: 1}, {metadata: {generation: 7}}));
    expect(generation).toBe(1);
    expect(rig.widget.metadata.resourceVersion).toBe(resourceVersion);
  });

  test('does not own what it applies to status through the main resource, nor to spec through status', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1}, {status: {phase: 'New'}}));
    expect(rig.widget.status).toBeUndefined();
    expect(rig.owners).toEqual({'m1 Apply': ['spec.size']});
    rig.do(applyStatus('m1', {phase: 'New', conditions: [{type: 'Ready', status: 'True'}]}));
    expect(rig.owners['m1 Apply/status']).toEqual([
      'status.conditions[{"type":"Ready"}]',
      'status.conditions[{"type":"Ready"}].status',
      'status.conditions[{"type":"Ready"}].type',
      'status.phase',
    ]);
  });

  test('owns labels that come along with a status, though they are not stored', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1}));
    const body = widget({metadata: {labels: {team: 'a'}}, status: {phase: 'New'}});
    const ref = {...widgets, name: 'w'};
    rig.do({verb: 'patch', type: 'apply', ref, body, manager: 'm1', force: false, subresource: 'status'});
    expect(rig.widget.metadata.labels).toBeUndefined();
    expect(rig.owners['m1 Apply/status']).toEqual(['metadata.labels.team', 'status.phase']);
  });

  test('is told of a bad status by paths below the status', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1}));
    expect(rig.refuse(applyStatus('m1', {conditions: null})).message).toBe(
      'Widget.test.example.org "w" is invalid: status.conditions: Invalid value: "null": conditions in body must be of type array: "null"',
    );
  });
});
