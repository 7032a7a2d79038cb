import {basename} from 'node:path';
import {isObject} from '../../cluster/json.ts';
import {parseYaml} from '../input/yaml.ts';
import {checkStorySize, readText} from '../input/yaml-file.ts';
import {compositionTestVersion, readCompositionTests} from './composition-test.ts';
import type {RenderSuite} from './render-test.ts';
import {readXprin} from './xprin.ts';
import {withoutTemplates} from './xprin-template.ts';

/**
 * The tests of a file of another tool; undefined for one of ours. `functions` lists the functions for files that cannot give
 * their places. Throws InputError with one sentence.
 */
export function readForeign(file: string, functions: string | undefined): RenderSuite | undefined {
  checkStorySize(file);
  const text = readText(file);
  if (isXprinName(file) || isXprin(text)) {
    const [cursor] = parseYaml(withoutTemplates(text, file), file);
    return cursor === undefined ? {tests: [], notes: []} : readXprin(cursor, file);
  }
  if (!text.includes(compositionTestVersion)) return undefined;
  const documents = parseYaml(text, file);
  const isTest = documents.some(({value}) => isObject(value) && value['apiVersion'] === compositionTestVersion);
  return isTest ? readCompositionTests(documents, file, functions) : undefined;
}

/** How xprin itself finds its files. */
function isXprinName(file: string): boolean {
  return /(^|_)xprin\.yaml$/.test(basename(file));
}

/** By content: tests at the root, and no steps as a scenario has. */
function isXprin(text: string): boolean {
  return /^tests:/m.test(text) && !/^steps:/m.test(text);
}
