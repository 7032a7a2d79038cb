import {describe, expect, test} from 'vitest';
import type {RemoteCall} from '../../../src/cluster/kernel/call.ts';
import type {Process} from '../../../src/cluster/kernel/process.ts';
import {nopProvider} from '../../../src/cluster/provider/nop-provider.ts';
import {type ControlPlane, openControlPlane} from '../../../src/harness/control-plane/control-plane.ts';
import {fillPlaceholders} from '../../../src/harness/control-plane/operator/placeholders.ts';
import {type Drive, driveHere, driveWith} from '../../../src/harness/functions/drive.ts';

const controlPlane = (functions: Parameters<typeof openControlPlane>[0]['functions'] = {}): ControlPlane =>
  openControlPlane({
    crossplane: 'main',
    seed: 1,
    functions,
    provider: nopProvider([]) as unknown as Process<never>,
  });

describe('a session', () => {
  test('lets time pass where nothing happens', () => {
    const {session} = controlPlane();
    const beganMs = session.nowMs;
    expect(driveHere(session.run(beganMs + 86_400_000))).toBe(false);
    expect(session.nowMs - beganMs).toBe(86_400_000);
  });

  test('stops in the moment that is waited for', () => {
    const {session} = controlPlane();
    const deadlineMs = session.nowMs + 60_000;
    const {revision} = session.world.server;
    session.submit('user', {verb: 'create', object: configMap('a'), manager: 'user'});
    expect(driveHere(session.run(deadlineMs, () => session.world.server.revision > revision))).toBe(true);
    expect(session.nowMs).toBeLessThan(deadlineMs);
  });

  test('is a value inside: the same seed takes the same steps', () => {
    const run = (): unknown => {
      const {session, catalogue} = controlPlane({'function-x': (request) => ({ok: true, response: request})});
      driveHere(session.run(session.nowMs + 60_000));
      return catalogue.all();
    };
    expect(run()).toEqual(run());
    expect(run()).not.toEqual([]);
  });

  test('lists a kind once, in the version kubectl would show', () => {
    const {catalogue} = controlPlane();
    expect(catalogue.kinds('CompositeResourceDefinition')).toMatchObject([
      {apiVersion: 'apiextensions.crossplane.io/v2'},
    ]);
    expect(
      catalogue
        .kinds('Usage')
        .map(({apiVersion}) => apiVersion)
        .sort(),
    ).toEqual(['apiextensions.crossplane.io/v1beta1', 'protection.crossplane.io/v1beta1']);
  });
});

describe('placeholders', () => {
  const {session, catalogue} = controlPlane();
  session.submit('user', {
    verb: 'create',
    object: configMap('shop', {'crossplane.io/composition-resource-name': 'a'}),
    manager: 'user',
  });

  test('are live values, anywhere in an object', () => {
    const uid = catalogue.find({kind: 'ConfigMap', name: 'shop'})[0]?.metadata.uid;
    const value = {
      list: ['x-${name:resource=a}-y'],
      uid: '${uid:ConfigMap/shop}',
      also: '${name:ConfigMap/default/shop}',
      n: 1,
    };
    expect(fillPlaceholders(value, catalogue)).toEqual({
      ok: true,
      value: {list: ['x-shop-y'], uid, also: 'shop', n: 1},
    });
  });

  test('leave a value without any as it is, the same in memory', () => {
    const value = {list: ['$x', {y: '{name:ConfigMap/shop}'}], none: null, n: 1};
    const filled = fillPlaceholders(value, catalogue);
    expect(filled.ok && filled.value).toBe(value);
  });

  test('that name nothing are a problem', () => {
    expect(fillPlaceholders({a: '${name:ConfigMap/other}'}, catalogue)).toEqual({
      ok: false,
      problem: '${name:ConfigMap/other} names no object that exists',
    });
  });
});

describe('a function that is not in process', () => {
  function* story(): Drive<string | undefined> {
    const call: RemoteCall = {target: 'far', service: 'apiextensions.fn.proto.v1', request: new Uint8Array(), run: 'x'};
    const reply = yield call;
    return reply.ok ? '' : reply.message;
  }

  test('is asked for outside', async () => {
    expect(await driveWith(story(), async ({target}) => ({ok: false, message: `${target} answered`}))).toBe(
      'far answered',
    );
  });

  test('cannot be had where everything must be in process', () => {
    expect(() => driveHere(story())).toThrow('function "far" is not in process');
  });
});

function configMap(name: string, annotations?: {readonly [key: string]: string}) {
  const metadata = {name, namespace: 'default', ...(annotations === undefined ? {} : {annotations})};
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata};
}
