import type {KubeObject} from '../../../cluster/object.ts';
import {type Form, named} from '../form.ts';
import type {ManifestReader} from './manifest-reader.ts';

const name = {type: 'string', description: 'The name of the object.'};

const object = {
  type: 'object',
  description: 'A Kubernetes object. Values may hold ${name:Kind/name} and the like.',
  required: ['apiVersion', 'kind', 'metadata'],
  properties: {
    apiVersion: {type: 'string', description: 'The version of its kind, such as v1 or example.org/v1.'},
    kind: {type: 'string', description: 'Its kind.'},
    metadata: {type: 'object', required: ['name'], properties: {name}},
  },
};

/** Objects as they are given in a scenario: there, in a file beside it, or a list of either. */
export function objectsForm(manifests: ManifestReader): Form<readonly KubeObject[], readonly unknown[]> {
  const schema = {
    anyOf: [
      {
        type: 'string',
        description:
          'A file, a folder or a glob with objects, relative to the scenario; a folder or image of a package, too.',
      },
      object,
      {type: 'array', items: {$ref: '#/$defs/Objects'}},
    ],
  };
  return named(
    'Objects',
    {read: manifests.objects, schema: () => schema},
    'Kubernetes objects, files with some, or a list of either.',
  );
}
