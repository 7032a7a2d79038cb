import {dirname} from 'node:path';
import type {KubeObject} from '../../cluster/object.ts';
import {type Cursor, fail, items} from '../input/cursor.ts';
import {InputError} from '../input/input-error.ts';
import {asKubeObject, readManifests} from './read-manifests.ts';

/** Reads the files a scenario names, relative to its own folder. */
export interface ManifestReader {
  readonly folder: string;
  /** Objects given as a file, folder or glob, as an object, or as a list of these. */
  readonly objects: (cursor: Cursor) => readonly KubeObject[];
}

/** A reader that keeps what it passed over, a sentence each. */
export function manifestReader(scenarioFile: string): ManifestReader & {readonly notes: readonly string[]} {
  const folder = dirname(scenarioFile);
  const notes: string[] = [];
  const read = (cursor: Cursor): readonly KubeObject[] => {
    if (Array.isArray(cursor.value)) return items(cursor).flatMap(read);
    if (typeof cursor.value !== 'string') return [asKubeObject(cursor)];
    try {
      const found = readManifests(cursor.value, folder);
      notes.push(...found.notes.filter((note) => !notes.includes(note)));
      return found.objects;
    } catch (error) {
      // What is wrong with the name is a mistake at the place that says it.
      if (error instanceof InputError && error.place === '') fail(cursor, error.message);
      throw error;
    }
  };
  return {folder, objects: read, notes};
}
