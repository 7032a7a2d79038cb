// The objects of a file, a folder or a glob. A file that is named itself must hold objects and nothing else. In a folder
// everything else is passed over, with a note.

import {dirname, extname} from 'node:path';
import {isObject} from '../../../cluster/json.ts';
import {groupOf, type KubeObject} from '../../../cluster/object.ts';
import {refuseAsKubectl} from '../as-kubectl.ts';
import type {Cursor} from '../cursor.ts';
import {InputError} from '../input-error.ts';
import {listed} from '../listed.ts';
import {type OnKeyTwice, parseYaml} from '../yaml.ts';
import {readText, readYamlFile} from '../yaml-file.ts';
import {objectsIn} from './kube-object.ts';
import {manifestFiles, skippedText} from './manifest-files.ts';
import {type KnownManifests, type Manifests, manifestsFrom} from './manifest-reader.ts';
import {readPackage} from './xpkg.ts';

/** Reads the files that a scenario names, relative to its own folder. */
export function manifestReader(scenarioFile: string): KnownManifests {
  return manifestsFrom(dirname(scenarioFile), readManifests);
}

/** Throws InputError; without a place where the name itself is wrong. */
export function readManifests(name: string, folder: string): Manifests {
  const {files, skipped, isOne} = manifestFiles(name, folder);
  const others = [...skipped].map(skippedText);
  const twice: string[] = [];
  const objects = files.flatMap((file) =>
    documentsOf(file, isOne ? name : file, (place) => twice.push(place)).flatMap((cursor) => {
      const why = noObject(cursor, isOne);
      if (why === undefined) return objectsIn(cursor);
      others.push(`${placeIn(cursor)} (${why})`);
      return [];
    }),
  );
  if (objects.length === 0 && isOne) {
    throw new InputError(`file "${name}" must hold Kubernetes objects, got none`);
  }
  const notes = [
    ...(others.length === 0 ? [] : [`passed over in "${name}": ${listed(others, listedMax)}`]),
    ...(twice.length === 0 ? [] : [`a key stands twice, and the last one counts: ${listed(twice, listedMax)}`]),
  ];
  return {objects: isOne ? objects : inOrder(objects), notes};
}

function documentsOf(file: string, shownAs: string, onKeyTwice: OnKeyTwice): readonly Cursor[] {
  if (extname(file) === '.xpkg') return parseYaml(readPackage(file, shownAs), file);
  const documents = readYamlFile(file, file, onKeyTwice);
  refuseAsKubectl(readText(file), file);
  return documents;
}

/** Where a document begins, without its column. */
function placeIn(cursor: Cursor): string {
  return cursor.placeOf([]).replace(/:\d+$/, '');
}

/** Groups of what is written for tools and packages: no API server has them. */
export const metaGroups = ['meta.pkg.crossplane.io', 'meta.dev.upbound.io', 'kustomize.config.k8s.io'];

/** Why a document is not for a cluster; undefined where it is, or where it has to be. */
function noObject({value}: Cursor, isOne: boolean): string | undefined {
  if (isObject(value) && metaGroups.includes(groupOf(String(value['apiVersion'])))) {
    return `${String(value['kind'])} is for tools, not for a cluster`;
  }
  const isNone = !isObject(value) || (value['apiVersion'] === undefined && value['kind'] === undefined);
  return isNone && !isOne ? 'no Kubernetes object' : undefined;
}

/** Definitions come before objects of their kinds; the order of file names knows nothing of that. */
function inOrder(objects: readonly KubeObject[]): readonly KubeObject[] {
  const first = ['Namespace', 'CustomResourceDefinition', 'CompositeResourceDefinition'];
  const rank = ({kind}: KubeObject): number => (first.includes(kind) ? first.indexOf(kind) : first.length);
  return objects.toSorted((left, right) => rank(left) - rank(right));
}

const listedMax = 6;
