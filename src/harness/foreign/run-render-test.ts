// Tests of one render each, reported as runs of scenarios, so that every report takes them. Every check is a step. Ours also
// reports facts that such a test cannot ask for: a resource that the render leaves behind is an orphan of the run.

import {type ProfileName, profiles} from '../../cluster/crossplane/profiles.ts';
import type {JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {controllerOf} from '../../cluster/object.ts';
import {resourceNameOf} from '../../cluster/vocabulary.ts';
import type {Builtins} from '../functions/builtin.ts';
import {addressOf} from '../render/fake-store.ts';
import {type RenderDone, runRender} from '../render/render-job.ts';
import {contextDocument, fullXr, resultDocument, stateDocuments} from '../render/render-output.ts';
import type {Goldens} from '../scenario/golden/goldens.ts';
import type {RunResult} from '../scenario/run-result.ts';
import type {Failure} from '../scenario/run-steps.ts';
import {unmetCheck} from './render-checks.ts';
import type {Outputs, RenderSuite, RenderTest} from './render-test.ts';

export interface RenderTestOptions {
  readonly crossplane: ProfileName;
  readonly builtins: Builtins;
  readonly goldens: Goldens;
  readonly note: (sentence: string) => void;
}

/** In their order, since later tests may render what earlier ones did. Throws InputError where input is bad. */
export async function runRenderSuite(suite: RenderSuite, options: RenderTestOptions): Promise<readonly RunResult[]> {
  const outputs = new Map<string, readonly JsonObject[]>();
  const results: RunResult[] = [];
  for (const test of suite.tests) {
    const {result, documents} = await runRenderTest(test, outputs, options);
    if (test.id !== undefined) outputs.set(test.id, documents);
    results.push(result);
  }
  return results;
}

interface Rendering {
  readonly result: RunResult;
  readonly documents: readonly JsonObject[];
}

async function runRenderTest(test: RenderTest, outputs: Outputs, options: RenderTestOptions): Promise<Rendering> {
  const {builtins, crossplane, goldens, note} = options;
  const profile = profiles[crossplane];
  const job = test.job(outputs);
  const done = await runRender({...job, builtins, profile, reconcilesMax: 1, captureContext: test.withResults});
  for (const sentence of done.notes) note(sentence);
  const [{observed, rendered}] = done.rounds;
  const failed = rendered.error;
  const documents = failed === undefined ? documentsOf(done, test.withResults) : [];
  const failures =
    failed === undefined
      ? unmetOf(test, documents, goldens)
      : [{place: test.place, step: 'render', message: `cannot render: ${failed}`}];
  const composed = new Set(rendered.composed.map(addressOf));
  const deleted = new Set(rendered.deleted.map(addressOf));
  const left = observed.filter((object) => !composed.has(addressOf(object)) && !deleted.has(addressOf(object)));
  const result = {
    ...still,
    scenario: test.name,
    crossplane,
    failures,
    timeline: test.checks.map(({name}) => ({atMs: 0, actor: 'user', change: {kind: 'step', name}}) as const),
    orphans:
      failed === undefined
        ? left.filter(isLoose).map((object) => ({object, resourceName: resourceNameOf(object) ?? ''}))
        : [],
    objects: documents.filter((document): document is KubeObject => document['metadata'] !== undefined),
    functionCalls: job.functions.length,
  };
  return {result, documents};
}

function isLoose(object: KubeObject): boolean {
  return controllerOf(object) === undefined;
}

function documentsOf({rounds, defined, context}: RenderDone, withResults: boolean): readonly JsonObject[] {
  const [{rendered}] = rounds;
  return [
    ...stateDocuments(fullXr(defined, rendered.xr), rendered.composed),
    ...(withResults ? rendered.events.map(resultDocument) : []),
    ...(withResults && context !== undefined ? [contextDocument(context)] : []),
  ];
}

function unmetOf({checks}: RenderTest, documents: readonly JsonObject[], goldens: Goldens): readonly Failure[] {
  return checks.flatMap(({place, name, what}, index) => {
    const problem = unmetCheck(what, documents, goldens);
    return problem === undefined ? [] : [{place, step: name, stepNumber: index + 1, ...problem}];
  });
}

/** One reconcile, in no time, without a cloud. */
const still = {
  description: '',
  variant: '',
  seed: 0,
  duplicates: [],
  stuck: [],
  externals: {alive: 0, creates: 0, deletes: 0, list: []},
  reconciles: 1,
  convergedMs: 0,
  settledMs: 0,
  lastedMs: 0,
} as const;
