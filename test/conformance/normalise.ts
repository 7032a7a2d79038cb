import type {Json, JsonObject} from '../../src/cluster/json.ts';
import {isList, isObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';

// Rewrites what a run drew at random (uids, generated names, hashes) and what time wrote, as the recorder did, so that
// two runs of one scenario can be compared: names become `<xr>-<RESOURCE>`, the second object of the same resource
// `<xr>-<RESOURCE#2>`, the XR of a claim `<claim>-<XR>`, revisions `<composition>-<revN>`, Usages of function-tether
// `<ends>-<hash>`, uids `uid-N`, hashes `hash-N`.

/** A pure rewriting of strings, learned from every object a run ever showed. */
export interface Renaming {
  readonly text: (text: string) => string;
}

const annotationResource = 'crossplane.io/composition-resource-name';
const labelComposite = 'crossplane.io/composite';
const labelHash = 'crossplane.io/composition-hash';
const labelCompositionName = 'crossplane.io/composition-name';

/** `objects` in the order the run showed them; numbers are given by first appearance. */
export function learnRenaming(objects: Iterable<KubeObject>): Renaming {
  const learned = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const object of objects) {
    learnName(object, learned, counts);
    const hash = object.metadata.labels?.[labelHash];
    if (hash !== undefined) number(hash, 'hash', learned, counts);
    if (object.metadata.uid !== undefined) number(object.metadata.uid, 'uid', learned, counts);
    for (const owner of object.metadata.ownerReferences ?? []) number(owner.uid, 'uid', learned, counts);
  }
  return {text: replacer(learned)};
}

function number(raw: string, word: string, learned: Map<string, string>, counts: Map<string, number>): void {
  if (learned.has(raw)) return;
  const count = (counts.get(word) ?? 0) + 1;
  counts.set(word, count);
  learned.set(raw, `${word}-${count}`);
}

function learnName(object: KubeObject, learned: Map<string, string>, counts: Map<string, number>): void {
  const {name} = object.metadata;
  if (learned.has(name)) return;
  const pattern = namePattern(object);
  if (pattern === undefined) return;
  const seen = (counts.get(`${pattern.base} ${pattern.word}`) ?? 0) + 1;
  counts.set(`${pattern.base} ${pattern.word}`, seen);
  learned.set(name, `${pattern.base}-<${pattern.word}${seen > 1 ? `#${seen}` : ''}>`);
}

/** What a generated name was generated from; undefined for names that people gave. */
function namePattern(object: KubeObject): {readonly base: string; readonly word: string} | undefined {
  const {name, annotations, labels} = object.metadata;
  if (object.kind === 'CompositionRevision') {
    const base = labels?.[labelCompositionName] ?? name.replace(/-[^-]*$/, '');
    return {base, word: `rev${object.spec?.['revision']}`};
  }
  const claim = object.spec?.['claimRef'];
  if (isObject(claim) && isGenerated(name, String(claim['name']))) return {base: String(claim['name']), word: 'XR'};
  const resource = annotations?.[annotationResource];
  // function-tether names a Usage after its ends, with a hash of their generated names.
  const ends = resource === name ? /^(.+)-[0-9a-f]{12}$/.exec(name)?.[1] : undefined;
  if (ends !== undefined) return {base: ends, word: 'hash'};
  const xr = labels?.[labelComposite];
  return resource !== undefined && xr !== undefined && isGenerated(name, xr) ? {base: xr, word: resource} : undefined;
}

/** Five random characters (Kubernetes' generateName) or twelve hex digits (Crossplane's hash of the XR uid). */
function isGenerated(name: string, base: string): boolean {
  return name.startsWith(`${base}-`) && /^([a-z0-9]{5}|[0-9a-f]{12})$/.test(name.slice(base.length + 1));
}

function replacer(learned: ReadonlyMap<string, string>): (text: string) => string {
  if (learned.size === 0) return (text) => text;
  // Longest first, so that a name that begins with another one is met whole.
  const raws = [...learned.keys()].sort((left, right) => right.length - left.length).map(escapeRegExp);
  const pattern = new RegExp(raws.join('|'), 'g');
  // Twice: a composed resource's new name still holds the generated name of its XR.
  const once = (text: string): string => text.replace(pattern, (raw) => learned.get(raw) ?? raw);
  return (text) => once(once(text));
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const droppedMetadata = ['resourceVersion', 'creationTimestamp', 'selfLink'];

export function normaliseObject(object: KubeObject, renaming: Renaming): KubeObject {
  const metadata = Object.fromEntries(
    Object.entries(object.metadata).filter(([key]) => !droppedMetadata.includes(key)),
  ) as JsonObject;
  const deleting = 'deletionTimestamp' in metadata ? {deletionTimestamp: '<set>'} : {};
  return rewrite({...object, metadata: {...metadata, ...deleting}}, renaming) as KubeObject;
}

function rewrite(value: Json, renaming: Renaming): Json {
  if (typeof value === 'string') return renaming.text(value);
  if (isList(value)) return value.map((item) => rewrite(item, renaming));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => key !== 'lastTransitionTime' && key !== 'time');
  // Keys of managed fields name owners by uid.
  return Object.fromEntries(
    kept.map(([key, item]) => [key.startsWith('k:') ? renaming.text(key) : key, rewrite(item, renaming)]),
  );
}
