import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Deployment} from 'kubernetes-models/apps/v1/Deployment';
import {HorizontalPodAutoscaler} from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import {PodDisruptionBudget} from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import {describe, expect, test} from 'vitest';
import {parse, parseAllDocuments} from 'yaml';
import {inlineAnswerer} from '../../src/function/answerer.ts';
import {Metrics} from '../../src/function/metrics.ts';
import {parseServeArgs} from '../../src/function/serve-args.ts';
import {instructionsOf, readDockerfile} from './dockerfile.ts';

// The manifests of examples/scale against the schemas of Kubernetes, against each other and against the function.

const root = new URL('../../', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {readonly name: string; readonly namespace?: string};
  // biome-ignore lint/suspicious/noExplicitAny: the schemas above say what is in it
  readonly spec: any;
}

const manifests = ['runtime', 'autoscaling'].flatMap((name) =>
  parseAllDocuments(read(`examples/scale/${name}.yaml`)).map((document) => document.toJS() as Manifest),
);
const the = (kind: string): Manifest =>
  manifests.find((one) => one.kind === kind) ?? expect.fail(`expected a ${kind} in examples/scale`);
const runtime = the('DeploymentRuntimeConfig').spec.deploymentTemplate;
const burst = the('Deployment');
const containers = [runtime.spec.template.spec.containers[0], burst.spec.template.spec.containers[0]];

describe('the manifests for scale', () => {
  test('hold what Kubernetes takes', () => {
    const pods = {'pkg.crossplane.io/function': 'function-tether'};
    // As Crossplane completes the template: with its own labels and selector.
    const {template} = runtime.spec;
    const labels = {...template.metadata.labels, ...pods};
    const completed = {metadata: {name: 'function-tether'}, spec: {...runtime.spec, selector: {matchLabels: pods}}};
    completed.spec.template = {...template, metadata: {labels}};
    new Deployment(completed).validate();
    new Deployment(burst as never).validate();
    new HorizontalPodAutoscaler(the('HorizontalPodAutoscaler') as never).validate();
    new PodDisruptionBudget(the('PodDisruptionBudget') as never).validate();
    expect(() => new Deployment({...burst, spec: {...burst.spec, template: 1}} as never).validate()).toThrow(
      'template',
    );
  });

  test('fit together: the runtime is the function’s, the autoscaler’s target and the selectors’ pods are there', () => {
    expect(the('Function').spec.runtimeConfigRef.name).toBe(the('DeploymentRuntimeConfig').metadata.name);
    const {scaleTargetRef, metrics} = the('HorizontalPodAutoscaler').spec;
    expect(scaleTargetRef).toEqual({apiVersion: burst.apiVersion, kind: burst.kind, name: burst.metadata.name});
    expect(burst.spec.replicas).toBeUndefined();
    expect(burst.spec.template.metadata.labels).toMatchObject(burst.spec.selector.matchLabels);
    expect(runtime.spec.template.metadata.labels).toMatchObject(the('PodDisruptionBudget').spec.selector.matchLabels);
    const spreads = runtime.spec.template.spec.topologySpreadConstraints;
    expect(spreads.map((one: {topologyKey: string}) => one.topologyKey)).toEqual([
      'kubernetes.io/hostname',
      'topology.kubernetes.io/zone',
    ]);
    for (const {labelSelector} of spreads) {
      expect(runtime.spec.template.metadata.labels).toMatchObject(labelSelector.matchLabels);
    }
    // Else each of the two Deployments would count the other's pods.
    expect(runtime.spec.template.metadata.labels).not.toMatchObject(burst.spec.selector.matchLabels);
    const adapter = parse(read('examples/scale/prometheus-adapter.yaml')) as {
      rules: {custom: readonly {name: {as: string}}[]};
    };
    const offered = adapter.rules.custom.map((one) => one.name.as);
    expect(metrics.map((one: {pods: {metric: {name: string}}}) => one.pods.metric.name)).toEqual(offered);
  });

  test('place a new replica beside an old one: else a rollout stands still on as many nodes as replicas', () => {
    const {spec} = runtime.spec.template;
    expect(runtime.spec.strategy.rollingUpdate).toEqual({maxSurge: 1, maxUnavailable: 0});
    expect(spec.affinity).toBeUndefined();
    for (const one of spec.topologySpreadConstraints) {
      expect(one.whenUnsatisfiable === 'ScheduleAnyway' || one.matchLabelKeys?.includes('pod-template-hash')).toBe(
        true,
      );
    }
  });

  test('name the function of this version, from where its package says it is', () => {
    const {version} = JSON.parse(read('package.json')) as {version: string};
    const image = `xpkg.crossplane.io/crossplane-contrib/function-tether:v${version}`;
    expect([the('Function').spec.package, containers[1].image]).toEqual([image, image]);
  });

  test('start the function with flags it has, on the ports of the image, without rights', () => {
    const [, image] = readDockerfile(read('Dockerfile'));
    const exposed = instructionsOf(image, 'EXPOSE').join(' ').split(' ').map(Number);
    for (const {args, securityContext} of containers) {
      const options = parseServeArgs(args, {TLS_SERVER_CERTS_DIR: '/tls/server'});
      expect(options).toMatchObject({kind: 'serve', address: ':9443', metricsAddress: ':8080'});
      expect(securityContext).toMatchObject({readOnlyRootFilesystem: true, runAsNonRoot: true});
    }
    expect(containers[1].ports.map((one: {containerPort: number}) => one.containerPort)).toEqual(exposed);
  });

  test('scale on metrics that the function has', () => {
    const metrics = new Metrics(inlineAnswerer({}));
    metrics.handled('apiextensions.fn.proto.v1.FunctionRunnerService', 'RunFunction', 'OK', 0.002);
    const served = metrics.render();
    const {rules} = parse(read('examples/scale/prometheus-adapter.yaml')) as {
      rules: {custom: readonly {seriesQuery: string}[]};
    };
    const queries = rules.custom.map(({seriesQuery}) => /^(\w+)\{(\w+)="(\w+)"/.exec(seriesQuery));
    expect(queries).toHaveLength(2);
    for (const match of queries) {
      const [, series, label, value] = match ?? [];
      expect(served).toMatch(new RegExp(`^${series}\\{[^}]*${label}="${value}"`, 'm'));
    }
  });
});
