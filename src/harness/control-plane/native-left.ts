import {isNative, nativeAdvice} from '../../cluster/crossplane/native-mode.ts';
import {type ProfileName, profiles} from '../../cluster/crossplane/profiles.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {listed} from '../input/listed.ts';

/** Why these objects do not outlive an upgrade: it leaves native patch-and-transform behind, and some still compose by it. */
export function nativeUpgradeProblem(
  objects: readonly KubeObject[],
  from: ProfileName,
  to: ProfileName,
): string | undefined {
  const [before, after] = [profiles[from].definitionApi, profiles[to].definitionApi];
  if (before === after || after === 'v1') return undefined;
  const native = nativeProblem(objects, from);
  return native === undefined ? undefined : `cannot upgrade to Crossplane ${to}: ${native}`;
}

/** A sentence about the Compositions that compose natively; undefined if there are none. */
export function nativeProblem(objects: readonly KubeObject[], version: ProfileName): string | undefined {
  const native = objects.filter((one) => one.kind === 'Composition' && isNative(one, profiles[version].definitionApi));
  if (native.length === 0) return undefined;
  const names = listed(
    native.map(({metadata}) => `"${metadata.name}"`),
    3,
  );
  return `${native.length === 1 ? 'Composition' : `${native.length} Compositions`} ${names} ${native.length === 1 ? 'has' : 'have'} no \`mode: Pipeline\`: ${nativeAdvice}`;
}
