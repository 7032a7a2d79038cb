import type {KubeObject} from '../../cluster/object.ts';

/** The functions whose manifest names a package. */
export function packagedFunctions(objects: readonly KubeObject[]) {
  return objects.flatMap(({kind, metadata, spec}) => {
    const reference = kind === 'Function' ? spec?.['package'] : undefined;
    if (typeof reference !== 'string' || reference === '') return [];
    return [{name: metadata.name, package: reference, annotations: metadata.annotations ?? {}}];
  });
}
