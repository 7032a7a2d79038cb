import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {Job} from 'kubernetes-models/batch/v1/Job';
import {PersistentVolumeClaim} from 'kubernetes-models/v1/PersistentVolumeClaim';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {parseAllDocuments} from 'yaml';
import {type Ran, tether} from '../cli/tether.ts';

// The Jobs of examples/shards, against the schemas of Kubernetes, and with processes in the place of pods.

const root = fileURLToPath(new URL('../../', import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: the schemas of Kubernetes say what is in it
type Manifest = any;

function manifestsOf(name: string): readonly Manifest[] {
  return parseAllDocuments(readFileSync(join(root, `examples/shards/${name}.yaml`), 'utf8')).map((one) => one.toJS());
}

const [claim, shares] = manifestsOf('shares');
const [whole] = manifestsOf('whole');
const argsOf = ({spec}: Manifest): readonly string[] => spec.template.spec.containers[0].args;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tether-job-'));
});
afterAll(() => rmSync(folder, {recursive: true}));

/** A pod: the kubelet puts the variables of the container in the place of their names. */
function pod(job: Manifest, index?: number): Ran {
  const args = argsOf(job).map((arg) =>
    arg
      .replace('$(JOB_COMPLETION_INDEX)', String(index))
      .replace('/parts', folder)
      .replace(/^100000$/, '12'),
  );
  return tether(args, root);
}

test('the manifests hold what Kubernetes takes, and fit together', () => {
  new PersistentVolumeClaim(claim).validate();
  for (const job of [shares, whole]) new Job(job).validate();
  expect(() => new Job({...whole, spec: {...whole.spec, template: 1}}).validate()).toThrow('template');
  const {completionMode, completions, parallelism} = shares.spec;
  expect({completionMode, parallelism}).toEqual({completionMode: 'Indexed', parallelism: completions});
  expect(argsOf(shares)).toContain(`$(JOB_COMPLETION_INDEX)/${completions}`);
  // What is searched is the same in both.
  expect(argsOf(whole).slice(0, -2)).toEqual(argsOf(shares).slice(0, -4));
  for (const {spec} of [shares, whole])
    expect(spec.template.spec.volumes[0].persistentVolumeClaim.claimName).toBe(claim.metadata.name);
});

test('its pods come to the whole, and before the last one the share that is missing is named', {
  timeout: 300_000,
}, () => {
  const last = shares.spec.completions - 1;
  for (let index = 0; index < last; index++) expect(pod(shares, index).code).toBe(0);
  expect(pod(whole)).toMatchObject({code: 2, err: expect.stringContaining(`share ${last} of ${last + 1} is not in`)});
  pod(shares, last);
  expect(pod(whole)).toMatchObject({code: 0, out: expect.stringContaining('12 stories, none is worse')});
});
