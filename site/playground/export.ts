// The story as one scenario file that `tether test` runs: everything it names stands in it, on the version that was
// looked at, and what came of it is what it expects.

import {stringify} from 'yaml';
import {isObject, type Json, type JsonObject} from '../../src/cluster/json.ts';
import {optional} from '../../src/harness/input/cursor.ts';
import {parseYaml} from '../../src/harness/input/yaml.ts';
import type {RunResult} from '../../src/harness/scenario/run-result.ts';
import type {Variant} from '../../src/harness/scenario/scenario.ts';
import {manifestsIn, scenarioOf, textsOf, type Workspace} from './workspace.ts';

/** Where the schema is published, for editors. */
const schema = 'https://crossplane-contrib.github.io/function-tether/scenario.schema.json';

/** `runs` are those of the workspace, one for each of its variants. */
export function exported(workspace: Workspace, runs: readonly RunResult[]): string {
  const {story, crossplane} = workspace;
  const texts = textsOf(workspace);
  const manifests = manifestsIn(texts);
  const [cursor] = parseYaml(texts[story.scenario] ?? '', story.scenario);
  if (cursor === undefined || !isObject(cursor.value)) throw new Error('the workspace holds no scenario');
  const failed = new Set(runs.flatMap(({failures}) => failures.map(({stepNumber}) => stepNumber)));
  const inlined = (key: 'apply' | 'create', step: number): object => {
    const path = ['steps', step, key];
    const value = at(cursor.value, path);
    return value === undefined ? {} : {[key]: manifests.objects({...cursor, value, path})};
  };
  const steps = listAt(cursor.value, 'steps').map((step, index) => {
    const {expect, ...rest} = step;
    // Crossplane as it is looked at here no longer does what the story expected of it.
    const kept = failed.has(index + 1) ? {mayFail: true} : expect === undefined ? {} : {expect};
    const whole = {...rest, ...inlined('apply', index), ...inlined('create', index), ...kept};
    const isEmpty = Object.keys(whole).every((key) => key === 'name' || key === 'mayFail');
    return isEmpty ? {...whole, wait: '0s'} : whole;
  });
  const {bug: _, expect: __, anyOrder: ___, description, ...whole} = cursor.value;
  const fixtures = optional(cursor, 'fixtures');
  const body = {
    ...whole,
    ...(description === undefined ? {} : {description}),
    crossplane: [crossplane],
    fixtures: fixtures === undefined ? [] : manifests.objects(fixtures),
    steps,
    variants: scenarioOf(workspace).variants.map((variant, index) => counted(variant, runs[index])),
  };
  const head = [
    `# yaml-language-server: $schema=${schema}`,
    `# From the playground: ${story.id} on Crossplane ${crossplane}.`,
  ];
  return `${head.join('\n')}\n${stringify(body, {aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 120})}`;
}

/** The variant, expecting what it came to. */
function counted({name, without}: Variant, run: RunResult | undefined): object {
  if (run === undefined) throw new Error(`variant "${name}" was not run`);
  const {orphans, stuck, externals} = run;
  return {
    name,
    ...(without.length === 0 ? {} : {without}),
    expect: [
      {orphans: orphans.length},
      {stuck: stuck.length},
      {externals: 'alive', is: externals.alive},
      {externals: 'creates', is: externals.creates},
      {externals: 'deletes', is: externals.deletes},
    ],
  };
}

function at(value: Json, path: readonly (string | number)[]): Json | undefined {
  let here: Json | undefined = value;
  for (const part of path) here = (here as JsonObject | undefined)?.[part as string];
  return here;
}

function listAt(value: JsonObject, key: string): readonly JsonObject[] {
  const list = value[key];
  return Array.isArray(list) ? list.filter(isObject) : [];
}
