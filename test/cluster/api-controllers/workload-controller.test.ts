import {expect, test} from 'vitest';
import {workloadController} from '../../../src/cluster/api-controllers/workload-controller.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {smallWorld} from '../small-world.ts';

const template = (restartPolicy: string): JsonObject => ({
  metadata: {labels: {app: 'shop'}},
  spec: {restartPolicy, containers: [{name: 'web', image: 'shop:v1'}]},
});

function workload(apiVersion: string, kind: string, spec: JsonObject): KubeObject {
  return {apiVersion, kind, metadata: {name: 'web', namespace: 'default'}, spec};
}

const selector = {matchLabels: {app: 'shop'}};
const web = workload('apps/v1', 'Deployment', {selector, replicas: 2, template: template('Always')});

test('a Deployment is available a second after it was written, and again after every change', () => {
  const small = smallWorld({processes: [workloadController] as never});
  const status = () =>
    small.get({apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web'})?.status;
  small.create(web);
  small.pass(500);
  expect(status()).toEqual({});
  small.pass(5_000);
  expect(status()).toMatchObject({observedGeneration: 1, readyReplicas: 2, conditions: [{type: 'Available'}, {}]});
  const ref = {apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web'};
  small.request({verb: 'patch', type: 'merge', ref, body: {spec: {replicas: 3}}, manager: 'u'});
  small.pass(5_000);
  expect(status()).toMatchObject({observedGeneration: 2, readyReplicas: 3});
  expect(small.writes('workload-controller')).toEqual(['update Deployment/web 200', 'update Deployment/web 200']);
});

test('a Job succeeds, a StatefulSet and a DaemonSet run', () => {
  const small = smallWorld({processes: [workloadController] as never});
  small.create(workload('batch/v1', 'Job', {template: template('Never')}));
  small.create(workload('apps/v1', 'StatefulSet', {selector, template: template('Always')}));
  small.create(workload('apps/v1', 'DaemonSet', {selector, template: template('Always')}));
  small.pass(5_000);
  const status = (apiVersion: string, kind: string) =>
    small.get({apiVersion, kind, namespace: 'default', name: 'web'})?.status;
  expect(status('batch/v1', 'Job')).toMatchObject({succeeded: 1});
  expect(status('apps/v1', 'StatefulSet')).toMatchObject({readyReplicas: 1});
  expect(status('apps/v1', 'DaemonSet')).toMatchObject({numberReady: 1});
});
