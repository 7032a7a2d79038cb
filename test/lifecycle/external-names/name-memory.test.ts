import {describe, expect, it} from 'vitest';
import {emittedNames} from '../../../src/lifecycle/external-names/external-names.ts';
import {memoryOf} from '../../../src/lifecycle/external-names/memory.ts';
import {sealsOf} from '../../../src/lifecycle/external-names/seal.ts';
import {compositeId, viewWith} from '../../../src/lifecycle/facts/naming.ts';
import {claimOf, ownersOf} from '../../../src/lifecycle/facts/ownership.ts';
import type {Input} from '../../../src/lifecycle/input/input.ts';
import {usageApiIn} from '../../../src/lifecycle/input/usage-api.ts';
import {plan} from '../../../src/lifecycle/plan/plan.ts';
import {answersIn} from '../../../src/lifecycle/questions/registry.ts';
import {at, type Json, type JsonObject} from '../../../src/lifecycle/words/json.ts';
import {objectKey, refTo} from '../../../src/lifecycle/words/references.ts';
import type {ResourceView} from '../../../src/lifecycle/words/snapshot.ts';
import {
  desired,
  emitted,
  type Given,
  id,
  manager,
  type ObservedOptions,
  observed,
  planOf,
  snapshot,
  table,
  view,
  xr,
  xrUid,
} from '../given.ts';

const nameOf = 'crossplane.io/external-name';
const seals = sealsOf(['a key of the platform that tenants do not know']);
const old = 'remembered-db';

/** An entry of the memory, sealed as the function seals it for the XR `of` and the resource `db`. */
function entry(changed: JsonObject = {}, {of = xr, resourceName = 'db', key = seals} = {}): JsonObject {
  const said = {
    name: 'vpc-1',
    group: 'ec2.example.org',
    kind: 'Thing',
    namespace: '',
    object: 'net-db',
    uid: 'uid-of-net-db',
    xr: xrUid,
    ...changed,
  } as {readonly [key: string]: string};
  const {name = '', group = '', kind = '', namespace = '', object = '', uid = ''} = said;
  const words = [objectKey(refTo(of)), said['xr'] ?? '', resourceName, group, kind, namespace, object, uid, name];
  return {...said, seal: key.seal(['tether.fn.crossplane.io/external-name', ...words]), ...changed};
}

/** The external name that is emitted for `db`, undefined if none is. */
function emittedName(given: Given): string | undefined {
  const edit = planOf({seals, ...given}).edits.get('db');
  return edit?.kind === 'amend' ? edit.overlay.metadata.annotations[nameOf] : undefined;
}

function transitionKinds(given: Given): readonly string[] {
  return planOf({seals, ...given}).transitions.map(({kind}) => kind);
}

function xrWith(status: JsonObject): ResourceView {
  const metadata = {name: 'net', uid: xrUid};
  return view({apiVersion: 'platform.example.org/v1', kind: 'XNetwork', metadata, status});
}

const inStatus: Input = {externalNames: {remember: {in: 'Status'}}};

/** The XR whose status remembers this of `db`. */
function remembering(db: Json): Pick<Given, 'xr' | 'input'> {
  return {xr: xrWith({externalNames: {db}}), input: inStatus};
}

const before = {xr: 'before', uid: 'before'};

describe('names remembered in the XR status', () => {
  it('are those of every object that the XR controls, with whose they are and a seal', () => {
    const given = {
      observed: [observed('db', {annotations: {[nameOf]: 'vpc-1'}}), observed('x')],
      desired: [desired('db')],
      input: inStatus,
      seals,
    };
    expect(planOf(given).xrStatus).toEqual({externalNames: {db: entry()}});
  });

  it('are not learned from an object that the XR lists and does not control: its editor may list anything', () => {
    const foreign = observed('db', {controller: 'nobody', annotations: {[nameOf]: 'vpc-of-another-tenant'}});
    expect(planOf({observed: [foreign], desired: [desired('db')], input: inStatus, seals}).xrStatus).toBeUndefined();
  });

  it('are not kept unless asked for', () => {
    const given = {observed: [observed('db', {annotations: {[nameOf]: 'vpc-1'}})], desired: [desired('db')]};
    expect(planOf(given).xrStatus).toBeUndefined();
  });

  it('go to the field that the XRD declares', () => {
    const named: Input = {externalNames: {remember: {in: 'Status', field: 'names'}}};
    const given = {observed: [observed('db', {annotations: {[nameOf]: 'vpc-1'}})], desired: [desired('db')], seals};
    expect(planOf({...given, input: named}).xrStatus).toEqual({names: {db: entry()}});
  });

  it('are left out where there are none: an empty map becomes null, and the API server refuses the whole status', () => {
    expect(planOf({input: inStatus, seals}).xrStatus).toBeUndefined();
    expect(planOf({...remembering(entry()), seals}).xrStatus).toBeUndefined();
  });

  describe('that are remembered no more, where somebody else owns the field, too', () => {
    const emptied = {name: '', group: '', kind: '', namespace: '', object: '', uid: '', xr: '', seal: ''};
    const owning = (field: string, ...managers: readonly string[]): Json =>
      managers.map((manager) => ({manager, fieldsV1: {'f:status': {[`f:${field}`]: {}}}}));
    const given = (externalNames: JsonObject, managedFields: Json, input: Input = inStatus): Given => {
      const {apiVersion, kind} = xr;
      const metadata = {name: 'net', uid: xrUid, managedFields};
      return {xr: view({apiVersion, kind, metadata, status: {externalNames}}), input, seals};
    };

    it('are emptied: left out they would make null of a map that an editor wrote first', () => {
      const shared = owning('externalNames', 'crossplane', 'editor');
      expect(planOf(given({db: entry()}, shared)).xrStatus).toEqual({externalNames: {db: emptied}});
    });

    it('are left as they are once they are empty, and mean nothing', () => {
      const there = {db: emptied};
      const again = given(there, owning('externalNames', 'crossplane', 'editor'));
      expect(planOf(again).xrStatus?.['externalNames']).toBe(there);
      expect(emittedName({...again, desired: [desired('db')]})).toBeUndefined();
    });

    it('are emptied once the input remembers no names in the status, too', () => {
      const shared = owning('externalNames', 'crossplane', 'editor');
      expect(planOf(given({db: entry()}, shared, {})).xrStatus).toEqual({externalNames: {db: emptied}});
    });

    it('are left out where Crossplane alone owns the field, or it is not known who does', () => {
      expect(planOf(given({db: entry()}, owning('externalNames', 'crossplane'))).xrStatus).toBeUndefined();
      expect(planOf(given({db: entry()}, owning('conditions', 'crossplane', 'editor'))).xrStatus).toBeUndefined();
    });

    it('are not touched where this function did not write them', () => {
      const shared = owning('externalNames', 'crossplane', 'editor');
      expect(planOf(given({db: 'vpc-1', other: {colour: 'red'}}, shared)).xrStatus).toBeUndefined();
    });
  });

  it('are sorted, whatever the order of the request', () => {
    const named = (name: string) => observed(name, {annotations: {[nameOf]: `id-${name}`}});
    const given = {observed: [named('z'), named('a')], desired: [desired('z'), desired('a')], input: inStatus};
    expect(JSON.stringify(planOf(given).xrStatus)).toMatch(/"a".*"z"/);
  });

  describe('are the very object that is written there', () => {
    const given = (there: JsonObject, annotations: JsonObject = {[nameOf]: 'vpc-1'}): Given => {
      const observing = {observed: [observed('db', {annotations})], desired: [desired('db')], seals};
      return {...observing, xr: xrWith({externalNames: there}), input: inStatus};
    };

    it('where nothing changed', () => {
      const there = {db: entry()};
      expect(planOf(given(there)).xrStatus?.['externalNames']).toBe(there);
    });

    it.each<[string, JsonObject, JsonObject?]>([
      ['where the object has another name now', {db: entry()}, {[nameOf]: 'vpc-2'}],
      ['where another object has it', {db: entry({object: 'net-other'})}],
      ['where the object was made again', {db: entry({uid: 'another'})}],
      ['where another UID of the XR had it', {db: entry({xr: 'before'})}],
      ['where somebody else sealed it', {db: entry({seal: 'forged'})}],
      ['where somebody added to an entry', {db: entry({note: 'text'})}],
      ['where somebody added one', {db: entry(), other: {note: 'text'}}],
    ])('but not %s', (_, there, annotations) => {
      const name = annotations?.[nameOf] ?? 'vpc-1';
      expect(planOf(given(there, annotations)).xrStatus).toEqual({externalNames: {db: entry({name})}});
    });
  });

  it('survive nonsense in the status', () => {
    for (const nonsense of ['text', [1], {db: 'text'}, {db: {name: 7}}] as Json[]) {
      expect(planOf({xr: xrWith({externalNames: nonsense}), input: inStatus}).xrStatus).toBeUndefined();
    }
  });
});

describe('a remembered name', () => {
  const stories: readonly {name: string; reason: string; given: Given; want: string | undefined}[] = [
    {
      name: 'RestoredXrWithoutTheObject',
      reason: 'A new XR UID means a restore: the external resource lives, and its object is known to be gone.',
      given: {...remembering(entry(before)), desired: [desired('db')], required: {[old]: []}},
      want: 'vpc-1',
    },
    {
      name: 'RestoredXrWithoutTheName',
      reason: 'The object came back in the place of the old one, its name did not.',
      given: {...remembering(entry(before)), observed: [observed('db')], desired: [desired('db')]},
      want: 'vpc-1',
    },
    {
      name: 'AnotherObjectThanTheOldOne',
      reason: 'An object of another name was made without the name, and the provider is about to give it one.',
      given: {...remembering(entry(before)), observed: [observed('db', {name: 'net-other'})], desired: [desired('db')]},
      want: undefined,
    },
    {
      name: 'InTheMiddleOfACreate',
      reason: 'The provider is about to write a name of its own.',
      given: {
        ...remembering(entry(before)),
        observed: [observed('db', {annotations: {'crossplane.io/external-create-pending': '2026-01-01T00:00:10Z'}})],
        desired: [desired('db')],
      },
      want: undefined,
    },
    {
      name: 'RestoredXrWithANewerName',
      reason: 'Never over a newer name.',
      given: {
        ...remembering(entry(before)),
        observed: [observed('db', {annotations: {[nameOf]: 'vpc-2'}})],
        desired: [desired('db')],
      },
      want: undefined,
    },
    {
      name: 'RemovedByHand',
      reason: 'The very same object had the name.',
      given: {...remembering(entry()), observed: [observed('db')], desired: [desired('db')]},
      want: 'vpc-1',
    },
    {
      name: 'DeletedUnderTheSameXr',
      reason: 'Its external resource was deleted with it: the next object must not be tied to it.',
      given: {...remembering(entry()), desired: [desired('db')], required: {[old]: []}},
      want: undefined,
    },
    {
      name: 'MadeAgainUnderTheSameXr',
      reason: 'Another object is another external resource.',
      given: {...remembering(entry({uid: 'another'})), observed: [observed('db')], desired: [desired('db')]},
      want: undefined,
    },
    {
      name: 'AnotherKindUnderTheSameKey',
      reason: 'A name of one kind means nothing, or something else, to the provider of another.',
      given: {...remembering(entry(before)), desired: [desired('db', {kind: 'Other'})], required: {[old]: []}},
      want: undefined,
    },
    {
      name: 'AnotherGroupUnderTheSameKey',
      reason: 'The same kind of another group is another kind.',
      given: {
        ...remembering(entry({...before, group: 'ec2.m.example.org'})),
        desired: [desired('db')],
        required: {[old]: []},
      },
      want: undefined,
    },
  ];
  for (const {name, reason, given, want} of stories) {
    it(name, () => expect(emittedName(given), reason).toBe(want));
  }
});

describe('a new object with a remembered name', () => {
  const given: Given = {...remembering(entry(before)), desired: [desired('db')], required: {[old]: []}, seals};

  it('is called as the old one, so that a restore brings no second one that leads to the same external resource', () => {
    expect(planOf(given).edits.get('db')).toMatchObject({kind: 'amend', overlay: {metadata: {name: 'net-db'}}});
    const stable: Input = {...inStatus, restore: {stableNames: true}};
    const required = {...given.required, 'lost-Thing.ec2.example.org': []};
    expect(planOf({...given, input: stable, required}).edits.get('db')).toMatchObject({
      overlay: {metadata: {name: 'net-db'}},
    });
  });

  it('is in the namespace of the old one', () => {
    const there = {...given, ...remembering(entry({...before, namespace: 'there'}))};
    expect(emittedName({...there, desired: [desired('db', {namespace: 'there'})]})).toBe('vpc-1');
    expect(emittedName({...there, desired: [desired('db', {namespace: 'here'})]})).toBeUndefined();
    expect(emittedName(there)).toBeUndefined();
  });

  it('has the name that the pipeline says, and then the remembered one only if that was the name of the old one', () => {
    expect(emittedName({...given, desired: [desired('db', {name: 'net-db'})]})).toBe('vpc-1');
    const renamed = {...given, desired: [desired('db', {name: 'net-db-2'})]};
    expect(emittedName(renamed)).toBeUndefined();
    expect(planOf({...renamed, required: {}}).requirements.size).toBe(0);
  });

  it('gets none where it has the name of another object already, as what is handed over', () => {
    const named = (name: string) => {
      const told = snapshot({...given, desired: [['db', viewWith(desired('db')[1], {name, ready: 'unspecified'})]]});
      const claim = claimOf(told.xr);
      const owners = ownersOf(told.observed, claim, () => false);
      const api = usageApiIn(told, inStatus);
      const scene = {snapshot: told, input: inStatus, claim, owners, api, naming: 'function-tether'} as const;
      const naming = {...scene, memory: memoryOf(scene, seals), answers: answersIn(told)};
      return emittedNames(new Map([['db', {kind: 'create'}]]), naming).get('db')?.name;
    };
    expect(named('net-db')).toBe('vpc-1');
    expect(named('net-handed-over')).toBeUndefined();
  });

  it('is called as Crossplane does where its name is not the remembered one', () => {
    const required = {[old]: [observed('db', {deleting: true})[1]]};
    for (const one of [{required}, remembering({...entry(before), seal: 'forged'}), remembering(entry())]) {
      expect(planOf({...given, ...one}).edits.get('db')).not.toHaveProperty('overlay.metadata.name');
    }
  });
});

describe('whether the old object is gone', () => {
  const given: Given = {...remembering(entry(before)), desired: [desired('db')], seals};
  const found = (options: ObservedOptions) => ({required: {[old]: [observed('db', options)[1]]}});

  it('is asked before a new one is made with its name', () => {
    expect(table(given)).toEqual({db: 'wait (lookup-pending)'});
    expect([...planOf(given).requirements]).toEqual([
      [
        old,
        {
          apiVersion: 'ec2.example.org/v1beta1',
          kind: 'Thing',
          namespace: '',
          match: {kind: 'name', name: 'net-db'},
        },
      ],
    ]);
  });

  it('is asked the same whatever was answered', () => {
    for (const required of [{[old]: []}, found({}).required]) {
      expect(planOf({...given, required}).requirements).toEqual(planOf(given).requirements);
    }
  });

  it('is not asked where the name could not be used', () => {
    const unused: readonly Given[] = [
      remembering(entry()),
      remembering(entry({...before, seal: 'forged'})),
      remembering(entry({...before, kind: 'Other'})),
      {...remembering(entry(before)), observed: [observed('db')]},
    ];
    for (const one of unused) expect(planOf({...given, ...one}).requirements.size).toBe(0);
  });

  it.each<[string, ObservedOptions, boolean]>([
    ['is being deleted, and takes its external resource along', {deleting: true}, false],
    ['belongs to the XR of before, and is about to be collected', {controller: 'stale'}, false],
    ['lives and has it still', {controller: 'nobody'}, true],
  ])('where it %s the new one is made without the name', (_what, options, isKept) => {
    const answered = {...given, ...found(options)};
    expect(table(answered)).toEqual({db: 'create'});
    expect(emittedName(answered)).toBeUndefined();
    // What goes with its object is forgotten, so that no later reconcile takes it for lost.
    expect(planOf(answered).xrStatus).toEqual(isKept ? {externalNames: {db: entry(before)}} : undefined);
  });

  it('is not taken for an object to protect', () => {
    const input: Input = {...inStatus, protect: {required: [{}], xr: 'Never'}};
    expect(table({...given, ...found({controller: 'nobody'}), input})).toEqual({db: 'create'});
  });
});

describe('two replicas that answer in turn while the key is changed', () => {
  const first = 'a key of the platform, the first';
  const second = 'a key of the platform, the second';
  const files: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['one has the new key, too', [second, first], [first]],
    ['they have other keys in front', [second, first], [first, second]],
    ['one has the new key only', [second], [second, first]],
    ['one has a key for the first time', [first], []],
  ];

  it.each(files)('write over each other at most once: %s', (_what, one, other) => {
    const replicas = [sealsOf(one), sealsOf(other)];
    for (const begun of [sealsOf([first]), sealsOf([second]), sealsOf([])]) {
      for (const turn of [0, 1]) {
        let names: Json = {db: entry({}, {key: begun})};
        const writes = Array.from({length: 8}, (_, call) => {
          const given = {
            xr: xrWith({externalNames: names}),
            input: inStatus,
            observed: [named],
            desired: [desired('db')],
          };
          const said = planOf({...given, seals: replicas[(call + turn) % 2] ?? sealsOf([])}).xrStatus?.[
            'externalNames'
          ];
          const isWritten = JSON.stringify(said) !== JSON.stringify(names);
          names = said ?? names;
          return isWritten;
        });
        expect(writes.filter(Boolean).length).toBeLessThanOrEqual(2);
        expect(writes.slice(3)).not.toContain(true);
      }
    }
  });

  const named = observed('db', {annotations: {[nameOf]: 'vpc-1'}});

  it('seal anew with the key in front once no key that is known made the seal', () => {
    const given = {...remembering(entry({}, {key: sealsOf([first])})), observed: [named], desired: [desired('db')]};
    const sealed = planOf({...given, seals: sealsOf([second])}).xrStatus;
    expect(sealed).toEqual({externalNames: {db: entry({}, {key: sealsOf([second])})}});
  });
});

describe('an entry that somebody else wrote', () => {
  const other = view({apiVersion: 'platform.example.org/v1', kind: 'XNetwork', metadata: {name: 'theirs'}});
  const forgeries: readonly (readonly [string, JsonObject])[] = [
    ['has no seal', {...entry(before), seal: ''}],
    ['has another name under the seal', {...entry(before), name: 'vpc-of-another-tenant'}],
    ['has another UID of the XR', {...entry(), xr: 'before'}],
    ['has another object', {...entry({...before, object: 'other'}), object: 'net-db'}],
    ['has another namespace', {...entry({...before, namespace: 'other'}), namespace: ''}],
    ['has another kind', {...entry({...before, kind: 'Other'}), kind: 'Thing'}],
    ['has another group', {...entry({...before, group: 'other'}), group: 'ec2.example.org'}],
    ['is of another resource of this XR', entry(before, {resourceName: 'cache'})],
    ['is of another XR', entry(before, {of: other})],
    ['is sealed with another key', entry(before, {key: sealsOf(['another key'])})],
  ];
  it.each(forgeries)('%s: it names nothing, and a Warning says so', (_what, forged) => {
    const given = {...remembering(forged), desired: [desired('db')], required: {[old]: []}};
    expect(emittedName(given)).toBeUndefined();
    expect(table({...given, seals})).toEqual({db: 'create'});
    expect(transitionKinds(given)).toEqual(['external-name-unproven']);
  });

  it('names no object that is there either', () => {
    const forged = {...entry(), seal: ''};
    const given = {...remembering(forged), observed: [observed('db')], desired: [desired('db')]};
    expect(emittedName(given)).toBeUndefined();
    expect(transitionKinds(given)).toEqual([]);
  });

  it('is kept as it is, for people, and never sealed', () => {
    const forged = {...entry(before), seal: 'forged'};
    const given = {...remembering(forged), desired: [desired('db')], required: {[old]: []}, seals};
    expect(planOf(given).xrStatus).toEqual({externalNames: {db: forged}});
  });
});

describe('without a key', () => {
  const unsealed = {...entry(before), seal: ''};

  it('nothing in the status names an object, and a Warning tells of it once, when the first name is remembered', () => {
    const given = {...remembering(unsealed), desired: [desired('db')], required: {[old]: []}};
    expect(planOf(given).edits.get('db')).not.toHaveProperty(['overlay', 'metadata', 'annotations', nameOf]);
    const first = {observed: [observed('db', {annotations: {[nameOf]: 'vpc-1'}})], desired: [desired('db')]};
    expect(planOf({...first, input: inStatus}).transitions.map(({kind}) => kind)).toEqual(['external-names-unsealed']);
    expect(planOf({...first, ...remembering(unsealed)}).transitions).toEqual([]);
    expect(planOf({...first, input: inStatus, seals}).transitions).toEqual([]);
  });

  it('what is remembered has no seal', () => {
    const given = {observed: [observed('db', {annotations: {[nameOf]: 'vpc-1'}})], desired: [desired('db')]};
    expect(planOf({...given, input: inStatus}).xrStatus).toEqual({externalNames: {db: {...entry(), seal: ''}}});
  });
});

const memory = 'tether-external-names';
const platform: Input = {externalNames: {remember: {in: 'ConfigMap', namespace: 'crossplane-system'}}};
const configMapName = nameIn(planOf({input: platform, required: {[memory]: []}}));

function nameIn(result: ReturnType<typeof planOf>): string {
  const {name} = emitted(result, memory)['metadata'] as {readonly name: string};
  return name;
}

interface ConfigMapOptions {
  readonly name?: string;
  readonly namespace?: string;
  readonly controller?: 'ours' | 'nobody' | 'stale';
  readonly labels?: JsonObject;
  readonly deleting?: boolean;
}

function configMap(names: JsonObject | string, options: ConfigMapOptions = {}): ResourceView {
  const {name = configMapName, namespace = 'crossplane-system', controller = 'nobody', deleting} = options;
  const uid = {ours: xrUid, stale: 'before', nobody: ''}[controller];
  return view({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace,
      labels: options.labels ?? {'tether.fn.crossplane.io/composite': id},
      ownerReferences: uid === '' ? [] : [{controller: true, uid, kind: 'XNetwork', name: 'net'}],
      ...(deleting === true ? {deletionTimestamp: '2026-01-01T00:00:00Z'} : {}),
    },
    data: {names: typeof names === 'string' ? names : JSON.stringify(names)},
  });
}

/** Whatever it says beside its identity. */
function configMapWith(said: JsonObject, options: ConfigMapOptions): ResourceView {
  const {data: _names, metadata, ...object} = configMap('', options).json();
  return view({...object, ...said, metadata: {...(metadata as JsonObject), ...(said['metadata'] as JsonObject)}});
}

describe('names remembered in a ConfigMap', () => {
  const given: Given = {desired: [desired('db')], input: platform, seals};
  const answered = (found: readonly ResourceView[]): Given => ({...given, required: {[memory]: found, [old]: []}});

  it('are looked for before anything is created or written', () => {
    expect(table(given)).toEqual({db: 'wait (lookup-pending)'});
    const match = {kind: 'name', name: configMapName};
    expect([...planOf(given).requirements]).toEqual([
      [memory, {apiVersion: 'v1', kind: 'ConfigMap', namespace: 'crossplane-system', match}],
    ]);
  });

  it('lie under a name that Kubernetes takes, wherever the name of the XR has its dots', () => {
    const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
    for (const name of [
      `${'a'.repeat(35)}.example.org`,
      `${'a'.repeat(36)}.org`,
      `${'a'.repeat(34)}-x.org`,
      'a.b',
      '9',
    ]) {
      const one = view({apiVersion: 'platform.example.org/v1', kind: 'XNetwork', metadata: {name}});
      expect(nameIn(planOf({xr: one, input: platform, required: {[memory]: []}}))).toMatch(subdomain);
    }
  });

  it('lie under a name of their own for every XR, whatever it is called like', () => {
    const alike = [
      {apiVersion: 'platform.example.org/v1', kind: 'XNetwork', metadata: {name: 'net', namespace: 'a'}},
      {apiVersion: 'platform.example.org/v1', kind: 'XNetwork', metadata: {name: 'net', namespace: 'b'}},
      {apiVersion: 'platform.example.org/v1', kind: 'XSite', metadata: {name: 'net'}},
      {apiVersion: 'other.example.org/v1', kind: 'XNetwork', metadata: {name: 'net'}},
      {apiVersion: 'platform.example.org/v1', kind: 'XNetwork', metadata: {name: 'net'}},
    ];
    const names = alike.map((one) => nameIn(planOf({xr: view(one), input: platform, required: {[memory]: []}})));
    expect(new Set(names).size).toBe(alike.length);
    expect(names.at(-1)).toBe(configMapName);
    const metadata = {name: 'net', uid: 'another', namespace: ''};
    const later = view({apiVersion: 'platform.example.org/v2', kind: 'XNetwork', metadata});
    expect(nameIn(planOf({xr: later, input: platform, required: {[memory]: []}}))).toBe(configMapName);
  });

  it('begin with a new ConfigMap where there was none', () => {
    expect(table(answered([]))).toEqual({db: 'create', [memory]: 'create'});
    expect(emitted(planOf(answered([])), memory)).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: configMapName,
        namespace: 'crossplane-system',
        labels: {'tether.fn.crossplane.io/composite': id},
      },
      data: {names: '{}'},
    });
  });

  it('come back from a ConfigMap that only the lookup knows, and stay in it until they are back', () => {
    const found = answered([configMap({db: entry(before)})]);
    expect(emittedName(found)).toBe('vpc-1');
    expect(emitted(planOf(found), memory)).toMatchObject({data: {names: JSON.stringify({db: entry(before)})}});
  });

  it.each(['ours', 'nobody'] as const)(
    'come back from the observed ConfigMap, which needs no lookup: %s',
    (controller) => {
      const kept: Given = {...given, observed: [[memory, configMap({db: entry(before)}, {controller})]]};
      expect([...planOf(kept).requirements.keys()]).toEqual([old]);
      expect(emittedName({...kept, required: {[old]: []}})).toBe('vpc-1');
    },
  );

  it('are in no order that selects by kind', () => {
    const namespace = 'crossplane-system';
    const order = [{of: {resources: ['db']}, by: {kinds: [{apiVersion: 'v1', kind: 'ConfigMap'}]}}];
    const made = planOf({
      ...given,
      xr: view({
        apiVersion: 'platform.example.org/v1',
        kind: 'XNetwork',
        metadata: {name: 'net', namespace, uid: xrUid},
      }),
      observed: [observed('db', {namespace}), [memory, configMap({db: entry(before)}, {controller: 'ours'})]],
      input: {externalNames: {remember: {in: 'ConfigMap'}}, order},
    });
    expect([...made.decisions.keys()]).toEqual(['db', memory]);
  });

  it.each<[string, ConfigMapOptions, string]>([
    ['belongs to the XR of before', {controller: 'stale'}, 'wait (stale-controller)'],
    ['is being deleted', {deleting: true}, 'wait (still-deleting)'],
    ['is marked as another XR’s', {labels: {'tether.fn.crossplane.io/composite': 'other'}}, 'wait (unmarked)'],
    ['has no mark', {labels: {}}, 'wait (unmarked)'],
  ])('are neither read nor written where the ConfigMap %s, and the XR goes on', (_what, options, want) => {
    const taken = answered([configMap({db: entry(before)}, options)]);
    expect(table(taken)).toEqual({db: 'create', [memory]: want});
    expect(planOf(taken).edits.get(memory)).toEqual({kind: 'drop'});
    expect(planOf(taken).xrReady).toBeUndefined();
    expect(emittedName(taken)).toBeUndefined();
  });

  it.each<[string, ConfigMapOptions]>([
    ['another name', {name: 'planted'}],
    ['another namespace', {namespace: 'of-a-tenant'}],
    ['no mark', {labels: {}}],
  ])('are not read from a listed ConfigMap with %s, which an editor of the XR may have planted', (_what, options) => {
    const planted: Given = {...given, observed: [[memory, configMap({db: entry(before)}, options)]]};
    expect(emittedName({...planted, required: {[old]: []}})).toBeUndefined();
  });

  it('begin anew where somebody broke the ConfigMap', () => {
    const broken = answered([configMap('{')]);
    expect(emittedName(broken)).toBeUndefined();
    expect(emitted(planOf(broken), memory)).toMatchObject({data: {names: '{}'}});
  });

  const room = 1024 * 1024 - '{}'.length;

  it.each<[string, JsonObject, string | undefined]>([
    ['is immutable', {immutable: true, data: {names: '{}'}}, 'immutable'],
    ['is immutable and empty', {immutable: true}, 'immutable'],
    ['has the key in its binaryData', {binaryData: {names: 'eHg='}}, 'binary'],
    ['is full of text', {data: {names: '{}', other: 'x'.repeat(room + 1)}}, 'full'],
    ['is full of text of two bytes a letter', {data: {other: 'é'.repeat(room / 2 + 1)}}, 'full'],
    ['is full of bytes', {binaryData: {other: btoa('x'.repeat(room + 1))}}, 'full'],
    ['is as full as can be', {data: {names: 'x', other: 'x'.repeat(room)}}, undefined],
    ['is as full of bytes as can be', {binaryData: {other: btoa('x'.repeat(room))}}, undefined],
    ['says that it is not immutable', {immutable: false, binaryData: {other: 'eHg='}}, undefined],
  ])('are written unless the API server would refuse the ConfigMap, one that %s', (_what, said, cause) => {
    const owned = {'f:data': {'f:names': {}}};
    const metadata = {managedFields: [{manager, operation: 'Apply', fieldsV1: owned}]};
    const result = planOf({...given, observed: [[memory, configMapWith({...said, metadata}, {controller: 'ours'})]]});
    expect(emitted(result, memory)['immutable']).toBeUndefined();
    if (cause === undefined) {
      expect(result.decisions.get(memory)).toEqual({kind: 'keep'});
      expect(emitted(result, memory)).toMatchObject({data: {names: '{}'}});
    } else {
      expect(result.decisions.get(memory)).toMatchObject({kind: 'refuse', reason: 'unwritable', cause});
      const names = at(said, ['data', 'names']);
      expect(at(emitted(result, memory), ['data', 'names'])).toEqual(names);
    }
  });

  it('stay as they are in a ConfigMap that takes none, which is told once, read and adopted all the same', () => {
    const first: Given = {
      ...given,
      input: {externalNames: {remember: {in: 'ConfigMap', namespace: 'crossplane-system'}}},
      observed: [
        observed('db', {annotations: {[nameOf]: 'vpc-2'}}),
        [memory, configMapWith({immutable: true}, {controller: 'ours'})],
      ],
    };
    expect(planOf(first).condition).toEqual({status: 'False', reason: 'Refusing', resources: [memory]});
    // Without a key, too, where the first names that are remembered would be told of.
    expect(planOf(first).transitions).toEqual([{kind: 'refusing', resourceName: memory}]);
    const annotations = {'tether.fn.crossplane.io/phase': 'refused'};
    const marked = configMapWith({immutable: true, metadata: {annotations}}, {controller: 'ours'});
    expect(planOf({...first, observed: [[memory, marked]]}).transitions).toEqual([]);

    const names = JSON.stringify({db: entry(before)});
    const readable = configMapWith({immutable: true, data: {names}}, {controller: 'nobody'});
    const unadopted: Given = {...given, observed: [[memory, readable]], required: {[old]: []}};
    expect(table(unadopted)).toEqual({db: 'create', [memory]: 'adopt (without-controller)'});
    expect(emittedName(unadopted)).toBe('vpc-1');
    expect(emitted(planOf(unadopted), memory)['data']).toBeUndefined();
  });

  it('are not written over a resource of the same resource name', () => {
    const result = plan(snapshot({desired: [desired(memory, {kind: 'Thing', name: 'mine'})]}), platform);
    expect(result).toEqual({
      kind: 'invalid-input',
      path: 'externalNames.remember.in',
      expected: `no other composed resource "${memory}", because that is the ConfigMap's resource name`,
      got: 'Thing mine',
    });
    const ours = desired(memory, {kind: 'ConfigMap', name: configMapName});
    expect(plan(snapshot({desired: [ours]}), platform)).toMatchObject({kind: 'plan'});
  });

  it('need a namespace where the XR has none', () => {
    const result = plan(snapshot({}), {externalNames: {remember: {in: 'ConfigMap'}}});
    expect(result).toMatchObject({kind: 'invalid-input', path: 'externalNames.remember.namespace'});
  });

  it('are not taken over an object found by its labels that has a newer one', () => {
    const labels = planOf({desired: [desired('db')]}).edits.get('db');
    const [, found] = observed('db', {
      controller: 'nobody',
      labels: labels?.kind === 'amend' ? labels.overlay.metadata.labels : {},
      annotations: {[nameOf]: 'vpc-2'},
    });
    const looked = {
      ...given,
      input: {...platform, restore: {lookup: true}},
      required: {[memory]: [configMap({db: entry(before)})], [old]: [found], 'lost-Thing.ec2.example.org': [found]},
    };
    expect(table(looked)).toMatchObject({db: 'adopt (found-by-label)'});
    expect(emittedName(looked)).toBeUndefined();
  });
});

describe('who has to seal a ConfigMap', () => {
  const unsealed = {...entry(before), seal: ''};

  it('nobody, where the platform chose its namespace and there is no key', () => {
    const required = {[memory]: [configMap({db: unsealed})], [old]: []};
    const edit = planOf({desired: [desired('db')], input: platform, required}).edits.get('db');
    expect(edit).toHaveProperty(['overlay', 'metadata', 'annotations', nameOf], 'vpc-1');
  });

  it('this function, where it has a key', () => {
    const required = {[memory]: [configMap({db: unsealed})], [old]: []};
    expect(emittedName({desired: [desired('db')], input: platform, required})).toBeUndefined();
  });

  it("this function, in the XR's own namespace, where tenants write", () => {
    const metadata = {name: 'net', namespace: 'team', uid: xrUid};
    const teams = view({apiVersion: 'platform.example.org/v1', kind: 'Network', metadata});
    const input: Input = {externalNames: {remember: {in: 'ConfigMap'}}};
    const first = planOf({xr: teams, input, required: {[memory]: []}});
    expect(emitted(first, memory)).toMatchObject({metadata: {namespace: 'team'}});
    const labels = {'tether.fn.crossplane.io/composite': compositeId(teams)};
    const options = {name: nameIn(first), namespace: 'team', labels};
    const told = (db: JsonObject) => ({
      xr: teams,
      desired: [desired('db')],
      input,
      required: {[memory]: [configMap({db}, options)], [old]: []},
    });
    const sealed = entry({...before, namespace: 'team'}, {of: teams});
    expect(emittedName(told(sealed))).toBe('vpc-1');
    const planned = planOf(told({...sealed, seal: ''}));
    expect(planned.edits.get('db')).not.toHaveProperty(['overlay', 'metadata', 'annotations', nameOf]);
  });
});
