import {describe, expect, test} from 'vitest';
import {type CloudConfig, defaultConfig} from '../../../src/cluster/cloud/cloud-config.ts';
import {
  aliveExternals,
  cloudModel,
  countersAt,
  deleteOutOfBand,
  putOutOfBand,
  reconfigured,
} from '../../../src/cluster/cloud/cloud-ledger.ts';
import {type ExternalReply, type ExternalRequest, externalRequest} from '../../../src/cluster/cloud/cloud-protocol.ts';
import type {CloudLedger} from '../../../src/cluster/cloud/ledger-state.ts';

const create = externalRequest.create('Vpc', 'main', {cidrBlock: '10.0.0.0/16'});

/** A cloud driven by hand: `take` begins a request, `answer` ends it. */
function cloudOf(config: Partial<CloudConfig> = {}) {
  const model = cloudModel({...defaultConfig, latencyMs: 0, ...config});
  let ledger: CloudLedger = model.initial;
  let tickets = 0;
  return {
    take(request: ExternalRequest, nowMs: number) {
      const ticket = `t${++tickets}`;
      const begun = model.begin(ledger, request, ticket, nowMs);
      ledger = begun.state;
      return {ticket, answerAtMs: nowMs + begun.answerAfterMs};
    },
    answer(ticket: string, nowMs: number): ExternalReply {
      const finished = model.finish(ledger, ticket, nowMs);
      ledger = finished.state;
      return finished.reply as ExternalReply;
    },
    ask(request: ExternalRequest, nowMs: number): ExternalReply {
      const {ticket, answerAtMs} = this.take(request, nowMs);
      return this.answer(ticket, answerAtMs);
    },
    change(change: (ledger: CloudLedger) => CloudLedger) {
      ledger = change(ledger);
    },
    alive: (nowMs: number) => aliveExternals(ledger, nowMs).map(({id}) => id),
    counters: (nowMs: number) => countersAt(ledger, nowMs),
  };
}

describe('a create', () => {
  test('is named by its owner where the cloud is told so, whatever else was made before', () => {
    const [logs, data] = ['logs', 'data'].map((owner) => externalRequest.create('Bucket', owner, {}));
    const made = (requests: readonly (ExternalRequest | undefined)[]) => {
      const cloud = cloudOf({idStyle: 'owner'});
      for (const request of requests) if (request !== undefined) cloud.ask(request, 100);
      return [...cloud.alive(100)].sort();
    };
    expect(made([logs, data, logs])).toEqual(['ext-Bucket-data', 'ext-Bucket-logs', 'ext-Bucket-logs-2']);
    expect(made([logs, logs, data])).toEqual(made([data, logs, logs]));
  });

  test('exists from the moment it is taken in, though it is answered later', () => {
    const cloud = cloudOf({createDelayMs: 4000});
    const {answerAtMs} = cloud.take(create, 100);
    expect(answerAtMs).toBe(4100);
    expect(cloud.alive(101)).toEqual(['ext-1']);
    expect(cloud.counters(101).creates).toBe(1);
  });

  test('whose caller is gone is carried out all the same', () => {
    const cloud = cloudOf({createDelayMs: 4000, commitAt: 'end'});
    cloud.take(create, 0);
    expect(cloud.alive(3999)).toEqual([]);
    expect(cloud.alive(4000)).toEqual(['ext-1']);
  });

  test('comes into being in the middle where the cloud is told so', () => {
    const cloud = cloudOf({createDelayMs: 4000, commitAt: 1500});
    cloud.take(create, 0);
    expect(cloud.alive(1499)).toEqual([]);
    expect(cloud.alive(1500)).toEqual(['ext-1']);
  });

  test('that is refused makes nothing and uses up no identifier', () => {
    const cloud = cloudOf({failCreates: 1});
    expect(cloud.ask(create, 0)).toMatchObject({code: 500});
    expect(cloud.alive(0)).toEqual([]);
    expect(cloud.ask(create, 1)).toMatchObject({code: 201, external: {id: 'ext-1'}});
  });

  test('can be carried out and answered with an error: the resource is there, its name nowhere', () => {
    const cloud = cloudOf({failAfterCommit: 1});
    const reply = cloud.ask(create, 0);
    expect(reply.code).toBe(500);
    expect(reply.external).toBeUndefined();
    expect(cloud.alive(0)).toEqual(['ext-1']);
  });

  test('takes the identifier that the client chooses', () => {
    const named = externalRequest.create('Bucket', 'logs', {}, {id: 'logs'});
    const cloud = cloudOf();
    expect(cloud.ask(named, 0).external?.id).toBe('logs');
    expect(cloud.ask(named, 1).code).toBe(409);
    expect(cloud.counters(1).creates).toBe(1);
  });

  test.each([
    ['number', 'ext-7', 'ext-seven'],
    ['hex', 'ext-0123456789abcdef0', 'ext-0123'],
    ['owner', 'ext-Bucket-old', 'ext-old'],
  ] as const)(
    'may leave it to the cloud if the cloud makes such identifiers itself, in style %s',
    (idStyle, own, other) => {
      const create = (id: string) => externalRequest.create('Bucket', 'logs', {}, {id, unlessChosen: true});
      expect(cloudOf({idStyle}).ask(create(own), 0).external?.id).not.toBe(own);
      expect(cloudOf({idStyle}).ask(create(other), 0).external?.id).toBe(other);
    },
  );

  test('gets the defaults of its type and identifiers in the style of its type', () => {
    const cloud = cloudOf({types: {Vpc: {idPrefix: 'vpc-', idStyle: 'hex', defaults: {instanceTenancy: 'default'}}}});
    const {external} = cloud.ask(create, 0);
    expect(external?.id).toMatch(/^vpc-[0-9a-f]{17}$/);
    expect(external?.fields).toEqual({cidrBlock: '10.0.0.0/16', instanceTenancy: 'default'});
    expect(cloud.ask(create, 1).external?.id).not.toBe(external?.id);
  });
});

describe('reads', () => {
  test('do not see a new resource before the cloud shows it', () => {
    const cloud = cloudOf({visibleDelayMs: 4000});
    cloud.ask(create, 0);
    expect(cloud.ask(externalRequest.get('Vpc', 'ext-1'), 3999).code).toBe(404);
    expect(cloud.ask(externalRequest.get('Vpc', 'ext-1'), 4000)).toMatchObject({code: 200, external: {id: 'ext-1'}});
  });
});

describe('updates and deletes', () => {
  test('take effect when they are answered, and count only then', () => {
    const cloud = cloudOf({deleteDelayMs: 2000});
    cloud.ask(create, 0);
    const first = cloud.take(externalRequest.delete('Vpc', 'ext-1'), 10);
    const second = cloud.take(externalRequest.delete('Vpc', 'ext-1'), 500);
    expect(cloud.alive(1000)).toEqual(['ext-1']);
    expect(cloud.answer(first.ticket, first.answerAtMs).code).toBe(200);
    expect(cloud.answer(second.ticket, second.answerAtMs).code).toBe(404);
    expect(cloud.counters(3000)).toMatchObject({creates: 1, deletes: 1});
  });

  test('of nothing are answered 404 and do not count', () => {
    const cloud = cloudOf();
    expect(cloud.ask(externalRequest.update('Vpc', '', {}), 0).code).toBe(404);
    expect(cloud.counters(0).updates).toBe(0);
  });

  test('keep the fields they do not name', () => {
    const cloud = cloudOf();
    cloud.ask(create, 0);
    const {external} = cloud.ask(externalRequest.update('Vpc', 'ext-1', {tier: 'gold'}), 1);
    expect(external?.fields).toEqual({cidrBlock: '10.0.0.0/16', tier: 'gold'});
  });
});

test('what happens out of band is not counted as the providers doing', () => {
  const cloud = cloudOf();
  cloud.change((ledger) => putOutOfBand(ledger, {id: 'ext-pre', type: 'Vpc', fields: {}}, 0));
  expect(cloud.alive(0)).toEqual(['ext-pre']);
  cloud.change((ledger) => deleteOutOfBand(ledger, 'ext-pre', 1));
  expect(cloud.alive(1)).toEqual([]);
  expect(cloud.counters(1)).toEqual({creates: 0, updates: 0, deletes: 0, outOfBandDeletes: 1});
});

test('a change of behaviour leaves requests in flight on their course', () => {
  const cloud = cloudOf({createDelayMs: 1000});
  const {ticket} = cloud.take(create, 0);
  cloud.change((ledger) => reconfigured(ledger, {failCreates: 9}));
  expect(cloud.answer(ticket, 1000).code).toBe(201);
  expect(cloud.ask(create, 1000).code).toBe(500);
});
