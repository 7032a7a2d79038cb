import {dirname, isAbsolute, join} from 'node:path';
import type {KubeObject} from '../../cluster/object.ts';
import {asObject, asString, type Cursor, fail, items, required} from './cursor.ts';
import {InputError} from './input-error.ts';
import {readYamlFile} from './yaml-file.ts';

/** Reads the files a scenario names, relative to its own folder. */
export interface ManifestReader {
  readonly folder: string;
  /** Objects given as a file name, as an object, or as a list of either. */
  readonly objects: (cursor: Cursor) => readonly KubeObject[];
}

export function manifestReader(scenarioFile: string): ManifestReader {
  const folder = dirname(scenarioFile);
  const read = (cursor: Cursor): readonly KubeObject[] => {
    if (Array.isArray(cursor.value)) return items(cursor).flatMap(read);
    if (typeof cursor.value === 'string') return readManifest(cursor, folder);
    return [asKubeObject(cursor)];
  };
  return {folder, objects: read};
}

function readManifest(cursor: Cursor, folder: string): readonly KubeObject[] {
  const name = asString(cursor);
  const file = isAbsolute(name) ? name : join(folder, name);
  try {
    const objects = readYamlFile(file).map(asKubeObject);
    if (objects.length === 0) fail(cursor, `file "${name}" must hold Kubernetes objects, got none`);
    return objects;
  } catch (error) {
    // A missing file is a mistake at the place that names it.
    if (error instanceof InputError && error.place === '') fail(cursor, error.message);
    throw error;
  }
}

/** An object with what every Kubernetes object has. */
export function asKubeObject(cursor: Cursor): KubeObject {
  asString(required(cursor, 'apiVersion'));
  asString(required(cursor, 'kind'));
  asString(required(required(cursor, 'metadata'), 'name'));
  return asObject(cursor) as KubeObject;
}
