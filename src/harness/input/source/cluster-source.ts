// A living cluster, read once: GETs only, in pages, and of a list that is known beforehand. First definitions and
// namespaces, then Crossplane's own kinds, XRs, claims and managed resources, last what XRs compose besides. Secrets never.

import {pluralOf} from '../../../cluster/api/kinds.ts';
import {isObject, type Json} from '../../../cluster/json.ts';
import {groupKindOf, groupOf, type KubeObject} from '../../../cluster/object.ts';
import {InputError} from '../input-error.ts';
import {listedRefs} from '../listed-refs.ts';
import {listedIn} from '../manifests/kube-object.ts';
import type {Collector, Read} from './collect.ts';
import {documentsIn} from './document-text.ts';
import {kindsOf} from './kinds.ts';
import {type ClusterAccess, getRaw} from './kubectl.ts';
import type {ReadProgress, SourceKind} from './source.ts';

/** Crossplane's own, besides all kinds of the categories below. */
const ownKinds = [
  'compositeresourcedefinitions.apiextensions.crossplane.io',
  'compositions.apiextensions.crossplane.io',
  'compositionrevisions.apiextensions.crossplane.io',
  'usages.apiextensions.crossplane.io',
  'usages.protection.crossplane.io',
  'clusterusages.protection.crossplane.io',
  'configurations.pkg.crossplane.io',
  'functions.pkg.crossplane.io',
  'providers.pkg.crossplane.io',
];
const readCategories = ['composite', 'claim', 'managed'];

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const namespaces = '/api/v1/namespaces';
const pageSize = 250;
const atOnce = 6;

/** Throws InputError. */
export async function collectCluster(
  access: ClusterAccess,
  into: Collector,
  onProgress: (progress: ReadProgress) => void,
): Promise<Read> {
  const read = {files: 0, bytes: 0};
  const readAll = async (paths: readonly string[]): Promise<void> => {
    for (let at = 0; at < paths.length; at += atOnce) {
      const asked = paths.slice(at, at + atOnce);
      const answers = await Promise.all(asked.map((path) => readKind(path, {access, into, read, onProgress})));
      // They answer in any order, and are taken in the order of asking.
      asked.forEach((path, index) => {
        const {items = [], problem} = answers[index] ?? {};
        for (const item of items) into.take(item, path);
        if (problem === undefined) return;
        if (path === crds)
          throw new InputError(`cannot read the cluster: "${crds}" is ${problem}, and no kind is known without it`);
        into.misunderstand(problem, path);
      });
    }
  };
  await readAll([crds, namespaces]);
  const defined = kindsOf(into.collected().objects).filter(({knownBy}) => knownBy === 'crd');
  const wanted = defined.filter(isWanted);
  await readAll(wanted.map(pathOf));
  await readAll(composedBesides(into.collected().objects, defined, wanted));
  return {origin: {kind: 'cluster', name: access.context ?? 'current context'}, ...read};
}

function isWanted({plural, group, categories}: SourceKind): boolean {
  return ownKinds.includes(`${plural}.${group}`) || categories.some((category) => readCategories.includes(category));
}

function pathOf({group, versions, plural}: SourceKind): string {
  return `/apis/${group}/${versions[0] ?? ''}/${plural}`;
}

/** Kinds that XRs list and that are none of those: all of each, so that what is not there is gone. */
function composedBesides(
  objects: readonly KubeObject[],
  defined: readonly SourceKind[],
  wanted: readonly SourceKind[],
): readonly string[] {
  const done = new Set([...wanted.map(({kind, group}) => `${kind}.${group}`), 'Secret', 'Namespace']);
  return objects.flatMap(listedRefs).flatMap(({apiVersion, kind}) => {
    const name = groupKindOf({apiVersion, kind});
    if (apiVersion === '' || kind === '' || done.has(name)) return [];
    done.add(name);
    const known = defined.find((one) => one.kind === kind && one.group === groupOf(apiVersion));
    if (known !== undefined) return [pathOf(known)];
    return [`/${groupOf(apiVersion) === '' ? 'api' : 'apis'}/${apiVersion}/${pluralOf(kind)}`];
  });
}

interface Reading {
  readonly access: ClusterAccess;
  readonly into: Collector;
  readonly read: {files: number; bytes: number};
  readonly onProgress: (progress: ReadProgress) => void;
}

interface KindRead {
  readonly items?: readonly Json[];
  /** Why the list is missing, or ends before its end. */
  readonly problem?: string;
}

async function readKind(path: string, {access, into, read, onProgress}: Reading): Promise<KindRead> {
  const items: Json[] = [];
  let next = '';
  do {
    onProgress({objects: into.count(), now: path});
    const answer = await getRaw(
      `${path}?limit=${pageSize}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`,
      access,
    );
    if (answer.kind !== 'json') return {items, problem: problemOf[answer.kind]};
    read.files++;
    read.bytes += answer.bytes.length;
    const isJson = /^\s*\{/.test(new TextDecoder().decode(answer.bytes.subarray(0, 99)));
    const [list = null] = isJson ? documentsIn(answer.bytes, path) : [];
    const listed = listedIn(list);
    if (listed === undefined) {
      const cure = 'does the context lead to an API server?';
      throw new InputError(`cannot read the cluster: it answers "${path}" with no list: ${cure}`);
    }
    items.push(...listed);
    next = continueOf(list);
  } while (next !== '');
  return {items};
}

const problemOf = {
  forbidden: 'a kind that may not be read',
  'not-served': 'a kind that is not served',
};

function continueOf(list: Json): string {
  const metadata = isObject(list) ? list['metadata'] : undefined;
  const next = isObject(metadata) ? metadata['continue'] : undefined;
  return typeof next === 'string' ? next : '';
}
