// The external resources behind the managed resources of a source: the cloud in the state that every provider reported last. An
// external resource exists if its managed resource has a name for it, and was seen (status), ready or created. Not known:
// unmanaged resources, and fields of the cloud that status does not show.

import {putOutOfBand} from '../../../cluster/cloud/cloud-ledger.ts';
import type {CloudLedger} from '../../../cluster/cloud/ledger-state.ts';
import {at, isObject} from '../../../cluster/json.ts';
import {isTrue, type KubeObject} from '../../../cluster/object.ts';
import {inClusterId} from '../../../cluster/provider/in-cluster.ts';
import {desiredFields, type ManagedKind, type NameGiver} from '../../../cluster/provider/managed-kind.ts';
import {annotationExternalName} from '../../../cluster/vocabulary.ts';
import {externalNameOf} from '../oracle/externals.ts';

export interface FilledCloud {
  readonly ledger: CloudLedger;
  readonly notes: readonly string[];
}

export const newPrefix = 'new-';

/** The ledger with what the managed resources of these kinds have in the cloud. */
export function withExternals(
  before: CloudLedger,
  kinds: readonly ManagedKind[],
  objects: readonly KubeObject[],
  nowMs: number,
): FilledCloud {
  let ledger = before;
  const owners = new Map<string, string>();
  const notes: string[] = [];
  for (const managed of objects) {
    const kind = kinds.find((one) => one.kind === managed.kind && one.apiVersion === managed.apiVersion);
    const id = kind === undefined ? undefined : externalIdOf(managed);
    if (kind === undefined || id === undefined) continue;
    const key = `${kind.type}/${id}`;
    const {name} = managed.metadata;
    const first = owners.get(key);
    if (first !== undefined) {
      notes.push(
        `${kind.kind} "${name}" and "${first}" have the external name "${id}" both: one external resource here`,
      );
      continue;
    }
    owners.set(key, name);
    const atProvider = managed.status?.['atProvider'];
    const shown = isObject(atProvider) && Object.keys(atProvider).length > 0 ? {shown: atProvider} : {};
    ledger = putOutOfBand(
      ledger,
      {id, type: kind.type, owner: name, fields: desiredFields(kind, managed), ...shown},
      nowMs,
    );
  }
  const numbers = [...ledger.externals.values()].map(({id}) => numberOf(id));
  return {ledger: {...ledger, named: Math.max(0, ledger.named, ...numbers)}, notes};
}

/** The cloud's own name of a managed resource's external resource; undefined without evidence that it exists. */
export function externalIdOf(managed: KubeObject): string | undefined {
  const name = inClusterId(managed) ?? externalNameOf(managed);
  const atProvider = managed.status?.['atProvider'];
  const seen = isObject(atProvider) && Object.keys(atProvider).length > 0;
  if (name !== undefined && name !== '') {
    const created = managed.metadata.annotations?.['crossplane.io/external-create-succeeded'] !== undefined;
    return seen || created || isTrue(managed, 'Ready') ? name : undefined;
  }
  const id = seen ? atProvider['id'] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The side that gives the external names of a kind, as far as its objects show it. */
export function nameGiverOf({kind, apiVersion}: ManagedKind, objects: readonly KubeObject[]): NameGiver {
  const named = objects.filter(
    (object) => object.kind === kind && object.apiVersion === apiVersion && (externalNameOf(object) ?? '') !== '',
  );
  const isOwnName = (object: KubeObject) => externalNameOf(object) === object.metadata.name;
  if (named.some((object) => !isOwnName(object) && isNameFromProvider(object))) return 'cloud';
  return named.some(isOwnName) ? 'object' : 'author';
}

/** The provider alone has written the annotation: of all managers it is the one that writes status. */
function isNameFromProvider({metadata: {managedFields = []}}: KubeObject): boolean {
  const annotation = ['f:metadata', 'f:annotations', `f:${annotationExternalName}`];
  const writers = managedFields.filter(({fieldsV1}) => at(fieldsV1, annotation) !== undefined);
  const providers = new Set(
    managedFields.filter(({subresource}) => subresource === 'status').map(({manager}) => manager),
  );
  return writers.length > 0 && writers.every(({manager}) => providers.has(manager));
}

/** A name of an earlier rehearsal must not be given away again. */
function numberOf(id: string): number {
  return id.startsWith(newPrefix) ? Number(/^\d+$/.exec(id.slice(newPrefix.length))?.[0] ?? 0) : 0;
}
