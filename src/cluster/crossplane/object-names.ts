// Names that Crossplane makes. Sources: crossplane/crossplane 2d040d2da internal/names/{names,generate,validate}.go,
// internal/controller/apiextensions/composite/composition_functions.go (ComposedFieldOwnerName).
//
// A random suffix is drawn from a hash of what asks for it and of the time rather than from the world's choices: which
// of 14 million suffixes it is decides nothing, and the explorer would branch on each.

import {sha256} from '../../hash/sha256.ts';
import type {GroupVersionKind} from '../object.ts';
import {groupKindOf, groupOf} from '../object.ts';
import {Recent} from '../recent.ts';

const nameLengthMax = 63;
const hashLength = 12;
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** `<parent>-<first 12 hex digits of sha256(uid + child)>`, at most 63 characters. */
export function childName(parent: string, parentUid: string, child: string): string {
  const suffix = hashOf(parentUid + child).slice(0, hashLength);
  const prefix = parent === '' || parent.endsWith('-') ? parent : `${parent}-`;
  if (prefix.length + hashLength <= nameLengthMax) return prefix + suffix;
  const cut = prefix.slice(0, nameLengthMax - hashLength);
  return (cut.endsWith('-') ? cut : `${cut.slice(0, -1)}-`) + suffix;
}

/** `generateName` and five characters of the alphabet Kubernetes uses, as the API server's generator makes them. */
export function randomName(generateName: string, seed: string): string {
  const hash = sha256(seed);
  let suffix = '';
  for (let index = 0; index < 5; index++) {
    const byte = Number.parseInt(hash.slice(index * 4, index * 4 + 4), 16);
    suffix += suffixAlphabet[byte % suffixAlphabet.length];
  }
  return generateName.slice(0, nameLengthMax - 5) + suffix;
}

/** The field manager of what an XR composes. The hash leaves out the uid, so a restore keeps the manager. */
export function composedManager(prefix: string, xr: GroupVersionKind & {readonly name: string}): string {
  return `${prefix}/${hashOf(xr.name + groupKindOf(xr))}`;
}

/** An XR's names are asked for at each of its reconciles. */
const hashes = new Recent<string, string>(16 * 1_048_576, () => hashBytes);
const hashBytes = 250;

function hashOf(text: string): string {
  const known = hashes.get(text);
  if (known !== undefined) return known;
  const hash = sha256(text);
  hashes.set(text, hash);
  return hash;
}

/**
 * True if the API server accepts the name: an RFC 1123 subdomain; RBAC kinds may use colons, too. A function may leave the
 * apiVersion out: that is refused later, where the object is referred to.
 */
export function isValidName(name: string, {apiVersion = ''}: GroupVersionKind): boolean {
  const checked = groupOf(apiVersion) === 'rbac.authorization.k8s.io' ? name.replaceAll(':', '') : name;
  return checked.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(checked);
}
