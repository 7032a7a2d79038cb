import type {KubeObject, OwnerReference} from './object.ts';

// Owner references as controllers write them.

export function asOwner({apiVersion, kind, metadata}: KubeObject): OwnerReference {
  return {apiVersion, kind, name: metadata.name, uid: metadata.uid ?? ''};
}

/** Of a controller to what it makes. */
export function asController(owner: KubeObject): OwnerReference {
  return {...asOwner(owner), controller: true, blockOwnerDeletion: true};
}

/** The owners with one more, in the place of the one with its uid. */
export function withOwner(owners: readonly OwnerReference[], owner: OwnerReference): readonly OwnerReference[] {
  const index = owners.findIndex(({uid}) => uid === owner.uid);
  return index < 0 ? [...owners, owner] : owners.with(index, owner);
}
