import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {Turns} from '../../src/function/open-calls.ts';
import {startServer} from '../../src/function/server.ts';
import {Caller, halfACall, requestBytes} from './calling.ts';

describe('turns', () => {
  afterEach(() => void vi.useRealTimers());

  const begun: string[] = [];
  const taking = (turns: Turns) => (name: string) => turns.take(() => begun.push(name));
  beforeEach(() => {
    vi.useFakeTimers();
    begun.splice(0);
  });

  test('two of four go on at once, and the others in order as they end', () => {
    const [endA, , endC] = ['a', 'b', 'c', 'd'].map(taking(new Turns(2, 1000)));
    expect(begun).toEqual(['a', 'b']);
    endA?.();
    expect(begun).toEqual(['a', 'b', 'c']);
    endC?.();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  test('one that gives up while it waits takes no turn', () => {
    const [endA, endB] = ['a', 'b', 'c'].map(taking(new Turns(1, 1000)));
    endB?.();
    expect(begun).toEqual(['a']);
    endA?.();
    expect(begun).toEqual(['a', 'c']);
  });

  test('if none ends for a while, one more goes on, and those after it as it ends', () => {
    const turns = new Turns(1, 1000);
    const [endStalled, endB, endC] = ['stalled', 'b', 'c'].map(taking(turns));
    vi.advanceTimersByTime(999);
    expect(begun).toEqual(['stalled']);
    // One that comes later does not keep the others waiting longer.
    const endD = taking(turns)('d');
    vi.advanceTimersByTime(1);
    expect(begun).toEqual(['stalled', 'b']);
    endB?.();
    endC?.();
    expect(begun).toEqual(['stalled', 'b', 'c', 'd']);
    endD();
    endStalled?.();
    // All as before.
    ['e', 'f'].map(taking(turns));
    expect(begun.slice(4)).toEqual(['e']);
  });
});

test('beyond eight calls the next is read once one of them is answered, and other services answer meanwhile', async () => {
  const server = await startServer({address: '127.0.0.1:0'});
  const halves = Array.from({length: 8}, () => halfACall(server.port));
  await Promise.all(halves.map(({send}) => send.started));
  using caller = new Caller(server.address);
  const answers: string[] = [];
  const run = caller.run().then(() => answers.push('run'));
  await caller.call('grpc.health.v1.Health/Check', Buffer.alloc(0)).then(() => answers.push('health'));
  await caller.call('grpc.health.v1.Health/Check', Buffer.alloc(0));
  halves[0]?.send.rest();
  await run;
  expect(answers).toEqual(['health', 'run']);
  // An abandoned one makes room, too.
  const [another] = [halfACall(server.port)];
  await another.send.started;
  const second = caller.run(requestBytes());
  halves[1]?.send.abandon();
  await second;
  for (const {send} of [...halves.slice(2), another]) send.abandon();
  await server.close();
});
