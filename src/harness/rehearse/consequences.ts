// The losses between two moments: destroyed, doubled, left behind, orphaned, lost or unready resources. Read off the objects and the cloud
// of both, and nothing else.

import {keyOf} from '../../cluster/cloud/cloud-ledger.ts';
import type {External} from '../../cluster/cloud/ledger-state.ts';
import {isUsage} from '../../cluster/crossplane/usage-object.ts';
import {addressOf, conditionOf, isDeleting, isTrue, type KubeObject} from '../../cluster/object.ts';
import {annotationResourceName, isPaused, managerComposedPrefix} from '../../cluster/vocabulary.ts';
import {externalsIn} from '../control-plane/oracle/externals.ts';
import {unlistedAmong} from '../control-plane/oracle/orphan.ts';
import {externalIdOf} from '../control-plane/standing/external-resources.ts';
import {isXr} from '../control-plane/standing/xrs.ts';
import {concealedSentence} from '../input/conceal/concealed-text.ts';
import {composedBy} from './composed.ts';
import {objectIdentity} from './unrest.ts';

export interface Moment {
  readonly objects: readonly KubeObject[];
  readonly externals: readonly External[];
}

export interface Consequences {
  readonly destroyed: readonly OwnedExternal[];
  readonly doubled: readonly Doubled[];
  readonly created: readonly OwnedExternal[];
  /** In the cloud, and no managed resource leads to it any more. */
  readonly leftBehind: readonly OwnedExternal[];
  readonly orphans: ReturnType<typeof unlistedAmong>;
  /** Composed objects that are gone while their XR stays, without those that have an external resource. */
  readonly lost: readonly Lost[];
  /** XRs and claims that were ready or in sync, or are new, and are not so at the end. */
  readonly neverReady: readonly Unready[];
  /** Not ready before and not after, and failing no more than before. */
  readonly stillUnready: readonly Unready[];
}

export interface OwnedExternal {
  readonly external: External;
  /** The managed resource that led, or leads, to it. */
  readonly managed: KubeObject | undefined;
}

interface Doubled {
  readonly managed: KubeObject;
  readonly first: External;
  readonly second: External;
}

interface Lost {
  readonly object: KubeObject;
  readonly xr: KubeObject;
}

interface Unready {
  readonly object: KubeObject;
  /** Ready, but its reconciles fail: what it composes stays as it is. */
  readonly isReady: boolean;
  readonly says: string;
}

export function momentOf(objects: readonly KubeObject[], world: Parameters<typeof externalsIn>[0]): Moment {
  return {objects, externals: externalsIn(world)};
}

export function consequencesOf(before: Moment, after: Moment): Consequences {
  const owners = {was: leadsTo(before), is: leadsTo(after)};
  const orphansBefore = new Set(orphanedIn(before.objects).map(({object}) => objectIdentity(object)));
  const orphans = orphanedIn(after.objects).filter(({object}) => !orphansBefore.has(objectIdentity(object)));
  const unready = after.objects.filter((object) => isXr(object, after.objects)).flatMap(unreadyOf);
  const known = new Map(before.objects.map((object) => [addressOf(object), object] as const));
  const isNews = ({object}: Unready) => {
    const was = known.get(addressOf(object));
    return was === undefined || unreadyOf(was).length === 0 || (isFailing(object) && !isFailing(was));
  };
  const keysBefore = new Set(before.externals.map(keyOf));
  const lives = {was: new Set(before.externals.map(lifeOf)), is: new Set(after.externals.map(lifeOf))};
  const doubled = doubledIn(before, after);
  return {
    destroyed: owned(
      before.externals.filter((one) => !lives.is.has(lifeOf(one))),
      owners.was,
    ),
    created: owned(
      after.externals.filter((one) => !lives.was.has(lifeOf(one))),
      owners.is,
    ),
    doubled,
    // Resources that nothing led to before are no consequence, unless they are new.
    leftBehind: owned(
      after.externals.filter(
        (one) => !owners.is.has(keyOf(one)) && (owners.was.has(keyOf(one)) || !keysBefore.has(keyOf(one))),
      ),
      owners.was,
    ).filter(({external}) => !doubled.some(({first}) => keyOf(first) === keyOf(external))),
    orphans,
    lost: lostIn(before, after),
    neverReady: unready.filter(isNews),
    stillUnready: unready.filter((one) => !isNews(one)),
  };
}

/** Those that nothing controls, and those that their XR controls and has forgotten; what a Deployment makes has its annotations. */
export function orphanedIn(objects: readonly KubeObject[]): Consequences['orphans'] {
  return unlistedAmong(objects).filter(({controller}) => controller === undefined || isXr(controller, objects));
}

/** A Usage holds nothing, and goes as its users do. */
function lostIn(before: Moment, after: Moment): readonly Lost[] {
  const alive = new Map(after.objects.map((object) => [addressOf(object), object]));
  return [...composedBy(before.objects)].flatMap(([address, {resources}]) => {
    const xr = alive.get(address);
    if (xr === undefined || isDeleting(xr)) return [];
    const gone = resources.filter((object) => !alive.has(addressOf(object)) && externalIdOf(object) === undefined);
    return gone.filter((object) => !isUsage(object)).map((object) => ({object, xr}));
  });
}

/** An external resource that is deleted and created again under its name is another one: what was in it is gone. */
function lifeOf(external: External): string {
  return `${keyOf(external)} ${external.createdAtMs}`;
}

function isFailing(object: KubeObject): boolean {
  return conditionOf(object, 'Synced')?.status === 'False' && !isPaused(object);
}

function unreadyOf(object: KubeObject): readonly Unready[] {
  const [synced, ready] = ['Synced', 'Ready'].map((type) => conditionOf(object, type));
  if ((isTrue(object, 'Ready') && !isFailing(object)) || isDeleting(object)) return [];
  const first = synced?.status === 'False' ? synced : ready;
  if (first === undefined) return [{object, isReady: false, says: 'was never reconciled'}];
  const message = first.message === undefined || first.message === '' ? '' : `: ${concealedSentence(first.message)}`;
  return [{object, isReady: isTrue(object, 'Ready'), says: `${first.type}=${first.status} ${first.reason}${message}`}];
}

/** Which managed resource leads to an external resource. */
function leadsTo({objects}: Moment): ReadonlyMap<string, KubeObject> {
  const leading = new Map<string, KubeObject>();
  for (const object of objects) {
    const id = externalIdOf(object);
    if (id !== undefined) leading.set(keyOf({type: object.kind, id}), object);
  }
  return leading;
}

function owned(externals: readonly External[], owners: ReadonlyMap<string, KubeObject>): readonly OwnedExternal[] {
  return externals.map((external) => ({external, managed: owners.get(keyOf(external))}));
}

/** Managed resources, or composed resources of one XR, that lead to another external resource while the first one lives. */
function doubledIn(before: Moment, after: Moment): readonly Doubled[] {
  const alive = new Map(after.externals.map((one) => [keyOf(one), one]));
  const first = new Map<string, string>();
  for (const object of before.objects) {
    const id = externalIdOf(object);
    if (id === undefined) continue;
    for (const role of rolesOf(object)) first.set(role, keyOf({type: object.kind, id}));
  }
  const leading = new Set(leadsTo(after).keys());
  const found = new Map<string, Doubled>();
  for (const managed of after.objects) {
    const id = externalIdOf(managed);
    if (id === undefined) continue;
    const second = alive.get(keyOf({type: managed.kind, id}));
    const old = rolesOf(managed)
      .map((role) => first.get(role))
      .find((key) => key !== undefined);
    const other = old === undefined ? undefined : alive.get(old);
    if (second === undefined || other === undefined || keyOf(other) === keyOf(second)) continue;
    const isNew = !before.externals.some((one) => keyOf(one) === keyOf(second));
    // Where a managed resource of its own leads to the first one still, there are two objects for it: that is the double.
    if (isNew || !leading.has(keyOf(other))) found.set(keyOf(second), {managed, first: other, second});
  }
  return [...found.values()];
}

/**
 * The identities of a managed resource, the surest first: its address, and its place in its XR. XRs of several kinds may have
 * one name; the manager of the fields is made of both.
 */
export function rolesOf(object: KubeObject): readonly string[] {
  const {labels, annotations, managedFields = [], namespace = ''} = object.metadata;
  const [xr, name] = [labels?.['crossplane.io/composite'], annotations?.[annotationResourceName]];
  const own = addressOf(object);
  if (xr === undefined || name === undefined) return [own];
  const place = `${object.kind} ${namespace}/${xr}/${name}`;
  const wrote = managedFields.find(({manager}) => manager.startsWith(managerComposedPrefix));
  return [own, ...(wrote === undefined ? [] : [`${place} ${wrote.manager}`]), place];
}
