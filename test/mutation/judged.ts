// The policy without one of its safety rules, as the judge of `test --twin` sees it in the story of that rule. The broken policy is
// loaded beside the whole one: the address of each of its modules has the number of the rule.

import {readFileSync} from 'node:fs';
import {registerHooks} from 'node:module';
import {fileURLToPath} from 'node:url';
import {isMainThread, parentPort, workerData} from 'node:worker_threads';
import {profileNamed} from '../../src/harness/control-plane/profile-names.ts';
import {answeringOnce} from '../../src/harness/functions/answer-once.ts';
import {builtins, type InProcessFunction} from '../../src/harness/functions/builtin.ts';
import {harnessMemoryKey} from '../../src/harness/functions/memory-key.ts';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import {verdictText} from '../../src/harness/twin/grades.ts';
import {openTwins, runTwins} from '../../src/harness/twin/twin.ts';
import {broken, type Rule, rules} from '../lifecycle/rules.ts';

export interface Judged {
  readonly rule: string;
  /** What is worse in its story with the whole policy, and without the rule. */
  readonly whole: readonly string[];
  readonly without: readonly string[];
}

const src = new URL('../../src/', import.meta.url).href;
const options = {ttlSeconds: 60, memoryKeys: [harnessMemoryKey]};

registerHooks({
  resolve(name, context, next) {
    const found = next(name, context);
    const [query] = /\?without=\d+$/.exec(context.parentURL ?? '') ?? [];
    const isPolicy = /^(lifecycle|function)\//.test(found.url.slice(src.length)) && found.url.startsWith(src);
    return query !== undefined && isPolicy ? {...found, url: `${found.url}${query}`} : found;
  },
  load(url, context, next) {
    const [address, number] = url.split('?without=');
    const rule = rules[Number(number)];
    if (address === undefined || rule === undefined) return next(url, context);
    const source = readFileSync(fileURLToPath(address), 'utf8');
    const isBroken = address === `${src}lifecycle/${rule.file}`;
    return {format: 'module-typescript', source: isBroken ? broken(source, rule) : source, shortCircuit: true};
  },
});

async function policyWithout(rule?: Rule): Promise<InProcessFunction> {
  const query = rule === undefined ? '' : `?without=${rules.indexOf(rule)}`;
  const {runFunction} = (await import(`${src}function/run.ts${query}`)) as typeof import('../../src/function/run.ts');
  return answeringOnce((request) => ({ok: true, response: runFunction(request, options)}));
}

function worseIn(story: string, run: InProcessFunction): readonly string[] {
  const functions = {...builtins, 'function-tether': run};
  const scenario = readScenario(fileURLToPath(new URL(`../../${story}`, import.meta.url)), functions);
  const version = scenario.crossplane.includes('main') ? 'main' : (scenario.crossplane[0] ?? 'main');
  const twins = openTwins(scenario, {crossplane: profileNamed(version), twin: ['function-tether'], functions});
  return runTwins(twins, scenario).violations.map(verdictText);
}

const whole = new Map<string, readonly string[]>();

/** Undefined if no story is known in which the judge sees that the rule is gone. */
export async function judgedWithout(rule: Rule): Promise<Judged | undefined> {
  const {seenIn: story} = rule;
  if (story === undefined) return undefined;
  const known = whole.get(story) ?? worseIn(story, await policyWithout());
  whole.set(story, known);
  return {rule: rule.rule, whole: known, without: worseIn(story, await policyWithout(rule))};
}

// As a worker: Vitest loads no module by its own hooks.
if (!isMainThread && Array.isArray(workerData))
  for (const number of workerData) parentPort?.postMessage(await judgedWithout(rules[number] as Rule));
