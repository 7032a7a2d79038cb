// Plants faults in a sound control plane, each in a unit of its own, and says what an audit has to find: class and object.

import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {classNames, type FindingClass} from '../../../src/harness/audit/class-words.ts';
import {ago, definition, object, ownedBy, pausedSince, platform, takenAt, type Unit, unit} from './control-plane.ts';

export interface Planted {
  readonly objects: readonly KubeObject[];
  /** `class Kind name`, sorted. */
  readonly expected: readonly string[];
}

/** At least so many objects, with so many faults of every class. */
export function planted(seed: number, size: number, ofEachClass: number): Planted {
  const faults = classNames.flatMap((name) => Array.from({length: ofEachClass}, (_, index) => ({name, index})));
  const expected: string[] = [];
  const units: Unit[] = [];
  const extra: KubeObject[] = platform();
  // Whole teams are sound, others are not: what is planted is spread by the seed.
  const drawn = shuffled(faults, seed);
  for (let number = 0, count = extra.length; drawn.length > 0 || count < size; number++) {
    const made = unit(number);
    const fault = number % 11 === 0 ? undefined : drawn.pop();
    if (fault !== undefined) expected.push(...plants[fault.name](made, fault.index, extra, number));
    units.push(made);
    count += made.composed.length + made.others.length + 3;
  }
  const all = units.flatMap(({claim, xr, composed, usage, others}) => [claim, xr, ...composed, usage, ...others]);
  const last = object('v1', 'ConfigMap', 'last', {namespace: 'team-0'});
  const end = {...last, metadata: {...last.metadata, creationTimestamp: takenAt}};
  return {
    objects: shuffled([...all.filter((one) => one !== undefined), ...extra, end], seed),
    expected: expected.sort(),
  };
}

const version2 = 'apiextensions.crossplane.io/v2';

type Plant = (made: Unit, index: number, extra: KubeObject[], number: number) => readonly string[];

const plants: {readonly [K in FindingClass]: Plant} = {
  doubled: (made, index) => {
    const one = made.composed[4] as KubeObject;
    const name = `${one.metadata.name}-original`;
    const annotations = {...one.metadata.annotations, 'crossplane.io/external-name': name};
    // What a restore left: controlled by nothing, or by an owner of before; or controlled and not listed.
    const owners = [[], [{...ownedBy(made.xr), uid: 'uid-of-before'}], one.metadata.ownerReferences][index % 3] ?? [];
    const status = {...one.status, atProvider: {id: name}};
    const metadata = {...one.metadata, name, uid: `${one.metadata.uid}-original`, annotations, ownerReferences: owners};
    made.others.push({...one, metadata, status});
    const other = ['orphan', 'stale-owner', 'unlisted'][index % 3];
    return [`doubled ${one.kind} ${name}`, `${other} ${one.kind} ${name}`];
  },
  orphan: (made) => {
    unlist(made, 4);
    return [`orphan ${said(edit(made, 4, {ownerReferences: []}))}`];
  },
  'stale-owner': (made, index) => {
    const owner = {...ownedBy(made.xr), uid: 'uid-of-before', ...(index % 2 === 0 ? {} : {name: 'nobody'})};
    return [`stale-owner ${said(edit(made, 4, {ownerReferences: [owner]}))}`];
  },
  unlisted: (made) => {
    unlist(made, 3);
    return [`unlisted ${said(made.composed[3])}`];
  },
  release: (made, index, extra, number) => {
    if (index % 3 === 0) {
      const other = object('other.example.org/v1', 'Keeper', `keeper-${number}`);
      extra.push(other);
      return [`release ${said(edit(made, 4, {ownerReferences: [ownedBy(other)]}))}`];
    }
    if (index % 3 === 1) {
      edit(made, 5, {
        annotations: {...made.composed[5]?.metadata.annotations, 'crossplane.io/composition-resource-name': 'role'},
      });
      return [`doubled ${said(made.composed[4])}`, `release ${said(made.composed[4])}`];
    }
    respec(made, {compositionRef: {name: 'nets'}});
    return [
      `release ${said(edit(made, 4, {annotations: {...made.composed[4]?.metadata.annotations, 'crossplane.io/composition-resource-name': 'renamed'}}))}`,
    ];
  },
  unnamed: (made) => [`unnamed ${said(annotate(made, 5, {'crossplane.io/composition-resource-name': undefined}))}`],
  unowned: (made) => [`unowned ${said(edit(made, 5, {ownerReferences: []}))}`],
  missing: (made) => {
    made.composed.splice(5, 1);
    return [`missing ${said(made.xr)}`];
  },
  'usage-by-gone': (made) => {
    const by = {apiVersion: 'cloud.example.org/v1beta1', kind: 'Subnet', resourceRef: {name: 'gone'}};
    made.usage = {...(made.usage as KubeObject), spec: {...made.usage?.spec, by}};
    return [`usage-by-gone ${said(made.usage)}`];
  },
  'usage-of-gone': (made) => {
    const of = {apiVersion: 'cloud.example.org/v1beta1', kind: 'Vpc', resourceRef: {name: 'gone'}};
    made.usage = {...(made.usage as KubeObject), spec: {...made.usage?.spec, of}};
    return [`usage-of-gone ${said(made.usage)}`];
  },
  'usage-stuck': (made) => {
    const usage = made.usage as KubeObject;
    made.usage = {
      ...usage,
      metadata: {...usage.metadata, deletionTimestamp: ago(90), finalizers: ['usage.apiextensions.crossplane.io']},
    };
    return [`usage-stuck ${said(usage)}`];
  },
  'deletion-stuck': (made, index) => {
    const leaving = {deletionTimestamp: ago(index % 4 === 3 ? 90 : 6)};
    const one = made.composed[6] as KubeObject;
    if (index % 4 === 0) {
      annotate(made, 6, {'crossplane.io/paused': 'true'}, {...leaving, managedFields: [pausedSince(ago(30))]});
      return [`deletion-stuck ${said(one)}`];
    }
    if (index % 4 === 1) {
      edit(made, 6, leaving);
      made.composed[6] = {...(made.composed[6] as KubeObject), status: unsynced};
      return [`deletion-stuck ${said(one)}`];
    }
    if (index % 4 === 2) {
      made.xr = {...made.xr, metadata: {...made.xr.metadata, ...leaving, finalizers: ['foregroundDeletion']}};
      return [`deletion-stuck ${said(made.xr)}`];
    }
    edit(made, 6, leaving);
    return [`deletion-stuck ${said(one)}`];
  },
  'config-usage-stale': (_, index, extra) => {
    const config = object('cloud.example.org/v1beta1', 'ProviderConfig', `restored-${index}`);
    const usage = object('cloud.example.org/v1beta1', 'ProviderConfigUsage', `uid-of-before-${index}`);
    extra.push(config, {...usage, providerConfigRef: {name: config.metadata.name}});
    return [`config-usage-stale ${said(config)}`];
  },
  'create-twice': (made, index) => {
    const one = annotate(made, 1, {'crossplane.io/external-name': undefined});
    const status: JsonObject[] = [
      {...one.status},
      {conditions: []},
      {conditions: [], atProvider: {id: 'subnet-0123456789'}},
    ];
    made.composed[1] = {...one, status: status[index % 3] as JsonObject};
    return [`create-twice ${said(one)}`];
  },
  'create-pending': (made) => [
    `create-pending ${said(annotate(made, 5, {'crossplane.io/external-create-pending': ago(30)}))}`,
  ],
  'external-name-missing': (made) => {
    const one = annotate(made, 6, {'crossplane.io/external-name': undefined});
    made.composed[6] = {...one, spec: {...one.spec, managementPolicies: ['Observe']}};
    return [`external-name-missing ${said(one)}`];
  },
  'external-name-shared': (made, index) => {
    const name = made.composed[5]?.metadata.annotations?.['crossplane.io/external-name'];
    const one = made.composed[5] as KubeObject;
    const twin = {
      ...one,
      metadata: {
        ...one.metadata,
        name: `${one.metadata.name}-twin`,
        uid: `${one.metadata.uid}-twin`,
        ownerReferences: [],
        labels: {},
        annotations: {'crossplane.io/external-name': name ?? ''},
      },
    };
    // One a cloud made up is the same in another region, too.
    made.others.push(index % 2 === 0 ? twin : {...twin, spec: {...one.spec, forProvider: {region: 'elsewhere'}}});
    return [`external-name-shared ${said(one)}`];
  },
  'external-name-differs': (made) => {
    const one = made.composed[0] as KubeObject;
    made.composed[0] = {...one, status: {...one.status, atProvider: {id: 'vpc-0aaaaaaaa99999999'}}};
    return [`external-name-differs ${said(one)}`];
  },
  paused: (made, index) => {
    if (index % 3 === 0) {
      const one = made.composed[6] as KubeObject;
      made.composed[6] = {...one, spec: {...one.spec, managementPolicies: []}};
      return [`paused ${said(one)}`];
    }
    const annotations = {'crossplane.io/paused': 'true'};
    if (index % 3 === 1) made.xr = {...made.xr, metadata: {...made.xr.metadata, annotations}};
    else return [`paused ${said(annotate(made, 6, annotations, {managedFields: [pausedSince(ago(3 * 1440))]}))}`];
    return [`paused ${said(made.xr)}`];
  },
  'definition-terminating': (_, index, extra) => {
    const one = definition(`xold${index}s`, `XOld${index}`);
    extra.push({
      ...one,
      metadata: {...one.metadata, deletionTimestamp: ago(2), finalizers: ['defined.apiextensions.crossplane.io']},
    });
    return [`definition-terminating ${said(one)}`];
  },
  'definition-misnamed': (_, index, extra) => {
    const one = definition(`xmisnamed${index}s`, `XMisnamed${index}`);
    extra.push({...one, metadata: {...one.metadata, name: `misnamed${index}`}});
    return [`definition-misnamed ${said({...one, metadata: {...one.metadata, name: `misnamed${index}`}})}`];
  },
  'definition-refused': (_, index, extra) => {
    const more = [
      {scope: 'LegacyCluster'},
      {scope: 'LegacyCluster', claimNames: {kind: `Ancient${index}`, plural: `ancients${index}`}},
    ][index % 2] as JsonObject;
    const one = {...definition(`xancient${index}s`, `XAncient${index}`, more), apiVersion: version2};
    extra.push(one);
    return [`definition-refused ${said(one)}`];
  },
  'claim-mismatch': (made, index) => {
    const claim = made.claim as KubeObject;
    if (index % 3 === 0) {
      made.claim = undefined;
      return [`claim-mismatch ${said(made.xr)}`];
    }
    const name = index % 3 === 1 ? 'nobody' : 'net-0-x';
    made.claim = {...claim, spec: {resourceRef: {...(claim.spec?.['resourceRef'] as JsonObject), name}}};
    return [`claim-mismatch ${said(claim)}`, `claim-mismatch ${said(made.xr)}`];
  },
};

const unsynced = {
  conditions: [{type: 'Synced', status: 'False', reason: 'ReconcileError', lastTransitionTime: ago(6)}],
};

function said(object: KubeObject | undefined): string {
  return `${object?.kind} ${object?.metadata.name}`;
}

function edit(made: Unit, at: number, metadata: JsonObject): KubeObject {
  const one = made.composed[at] as KubeObject;
  const edited = {...one, metadata: {...one.metadata, ...metadata} as KubeObject['metadata']};
  made.composed[at] = edited;
  return edited;
}

function annotate(
  made: Unit,
  at: number,
  changed: {readonly [key: string]: string | undefined},
  more: JsonObject = {},
): KubeObject {
  const annotations = Object.entries({...made.composed[at]?.metadata.annotations, ...changed}).filter(
    ([, value]) => value !== undefined,
  );
  return edit(made, at, {...more, annotations: Object.fromEntries(annotations) as JsonObject});
}

function respec(made: Unit, spec: JsonObject): void {
  made.xr = {...made.xr, spec: {...made.xr.spec, ...spec}};
}

function unlist(made: Unit, at: number): void {
  const refs = made.xr.spec?.['resourceRefs'] as readonly JsonObject[];
  respec(made, {resourceRefs: refs.filter(({name}) => name !== made.composed[at]?.metadata.name)});
}

/** By mulberry32. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const list = [...items];
  let state = seed;
  const next = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  for (let left = list.length - 1; left > 0; left--) {
    const other = next(left + 1);
    [list[left], list[other]] = [list[other] as T, list[left] as T];
  }
  return list;
}
