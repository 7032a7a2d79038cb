import {expect, test} from 'vitest';
import {answeringOnce} from '../../../src/harness/functions/answer-once.ts';

test('a request that comes again has its answer already, and any other runs the function', () => {
  const ran: Uint8Array[] = [];
  const answer = answeringOnce((request) => {
    ran.push(request);
    return {ok: true, response: request.toReversed()};
  });
  const [one, other] = [Uint8Array.of(1, 2), Uint8Array.of(3, 4)];
  for (const request of [one, other, one, other]) {
    expect(answer(request)).toEqual({ok: true, response: request.toReversed()});
  }
  expect(ran).toEqual([one, other]);
});
