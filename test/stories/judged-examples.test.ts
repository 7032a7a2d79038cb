import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import {grades, type Verdict} from '../../src/harness/twin/grades.ts';
import {openTwins, runTwins} from '../../src/harness/twin/twin.ts';
import {registry} from './registry.ts';
import {isEveryVersion, versionsInTurn} from './versions.ts';

// The examples as `test --twin` judges them: with the function nothing is worse, but in those listed here.

/** By file the gravest grade, and the reason. The first ones are rows of docs/background/never-worse.md. */
const worse: {readonly [file: string]: readonly [grade: Verdict['grade'], reason: string]} = {
  'handover/remade.yaml': ['doubled', 'a moving resource is lost with its XR'],
  'split-xr/remade.yaml': ['lost', 'a moving resource is lost with its XR'],
  'split-xr/dropped-late.yaml': ['leaked', 'an edit drops what moves'],
  'handover/two-rules.yaml': ['stuck', 'two rules give name and kind'],
  'never-worse/by-kind-gone.yaml': ['leaked', 'a kind that the XR composes has no definition'],
  'never-worse/former-usage-waits.yaml': [
    'doubled',
    'an XR comes back with another UID and owner references to the old one',
  ],
  'never-worse/taken-out.yaml': [
    'doubled',
    'function-tether is taken out of the pipeline, and its external names go with it',
  ],
  'never-worse/held-empty-map.yaml': ['stuck', 'the defaults of a map that was held belong to Crossplane'],
  'never-worse/immutable-memory.yaml': ['stuck', 'a person made the ConfigMap of remembered names immutable'],
  'never-worse/planted-memory.yaml': [
    'stuck',
    'an editor planted names in the field of remembered names, which is emptied',
  ],
  'never-worse/marks-of-a-tenant.yaml': [
    'overwritten',
    'a person wrote the marks of function-tether, which it takes away',
  ],
  'never-worse/restored-inner.yaml': ['leaked', 'a nested XR that nothing reconciles is kept'],
};

const root = new URL('../../examples/', import.meta.url).pathname;
const folders = ['never-worse', 'handover', 'split-xr', 'rename', 'restore-templates', 'usage-left-behind', 'v1-to-v2'];
const files = folders
  .flatMap((folder) => globSync(`${folder}/*.yaml`, {cwd: root}))
  .filter((file) => /^steps:/m.test(readFileSync(root + file, 'utf8')))
  .sort();

for (const [index, file] of files.entries()) {
  const scenario = readScenario(root + file, registry);
  const [grade, reason] = worse[file] ?? [];
  const worseOn = new Map<string, boolean>();
  const versions = versionsInTurn(scenario.crossplane, index);
  for (const crossplane of isEveryVersion ? versions : versions.slice(index % versions.length).slice(0, 1)) {
    test(`${file} on Crossplane ${crossplane}`, () => {
      const twins = openTwins(scenario, {crossplane, twin: ['function-tether'], functions: registry});
      const {violations} = runTwins(twins, scenario);
      worseOn.set(crossplane, violations.length > 0);
      const permitted = grade === undefined ? [] : grades.slice(grades.indexOf(grade));
      expect(violations.filter((one) => !permitted.includes(one.grade))).toEqual([]);
    });
  }
  if (isEveryVersion && reason !== undefined)
    test(`${file} is worse: ${reason}`, () => {
      expect([...worseOn.values()]).toContain(true);
    });
}
