// The objects of a scenario: those that stand in it, and those of the files it names. The reader of files is given from outside:
// read-manifests.ts from a disk, a page from the texts it holds.

import type {KubeObject} from '../../../cluster/object.ts';
import {type Cursor, fail, items} from '../cursor.ts';
import {InputError} from '../input-error.ts';
import {asKubeObject} from './kube-object.ts';

/** Reads what a scenario names. */
export interface ManifestReader {
  readonly folder: string;
  /** Objects given as a file, folder or glob, as an object, or as a list of these. */
  readonly objects: (cursor: Cursor) => readonly KubeObject[];
}

export interface Manifests {
  readonly objects: readonly KubeObject[];
  /** Notes on objects passed over and kinds that are not modelled, a sentence each. */
  readonly notes: readonly string[];
}

/** A reader that keeps what it passed over, a sentence each. */
export type KnownManifests = ManifestReader & {readonly notes: readonly string[]};

/** `readNamed` throws InputError; without a place where the name itself is wrong. */
export function manifestsFrom(folder: string, readNamed: (name: string, folder: string) => Manifests): KnownManifests {
  const notes: string[] = [];
  const read = (cursor: Cursor): readonly KubeObject[] => {
    if (Array.isArray(cursor.value)) return items(cursor).flatMap(read);
    if (typeof cursor.value !== 'string') return [asKubeObject(cursor)];
    try {
      const found = readNamed(cursor.value, folder);
      notes.push(...found.notes.filter((note) => !notes.includes(note)));
      return found.objects;
    } catch (error) {
      // A wrong name is a mistake at the place that has it.
      if (error instanceof InputError && error.place === '') fail(cursor, error.message);
      throw error;
    }
  };
  return {folder, objects: read, notes};
}
