import {type Builtins, builtins} from '../functions/builtin.ts';
import {manifestReader} from '../input/manifests/read-manifests.ts';
import {checkStorySize, readYamlFile} from '../input/yaml-file.ts';
import {scenarioIn} from './parse-scenario.ts';
import type {Scenario} from './scenario.ts';

/** Reads a scenario and every file it names. Throws InputError with one sentence. */
export function readScenario(file: string, known: Builtins = builtins): Scenario {
  checkStorySize(file);
  return scenarioIn(readYamlFile(file), file, manifestReader(file), known);
}
