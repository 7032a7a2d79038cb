// Every expectation, once holding and once failing, on the models of the textbooks.
import {describe, expect, it} from 'vitest';
import {keysOf} from '../../src/explore/path.ts';
import {always, converges, eventually, type Property, sometimes} from '../../src/explore/property.ts';
import {search} from '../../src/explore/search.ts';
import {counter, lostUpdates} from './models/counter.ts';
import type {GuardedModel, Values} from './models/guarded.ts';
import {peterson} from './models/peterson.ts';
import {hungry, philosophers} from './models/philosophers.ts';

function verdict(model: GuardedModel, property: Property<Values>): unknown {
  const result = search(model, [property]);
  const [report] = result.properties;
  const path = report?.discovery?.path;
  return [report?.verdict, path === undefined ? undefined : keysOf(model, path)];
}

const alone = always<Values>('at most one inside', ({at0, at1}) => !(at0 === 3 && at1 === 3));
const bothOnce = sometimes<Values>('one inside, the other waits', ({at0, at1}) => at0 === 3 && at1 === 2);
const enters = eventually<Values>('0 enters', ({at0}) => at0 === 3);

describe('always', () => {
  it("holds: Peterson's lock lets one in", () => {
    expect(verdict(peterson(), alone)).toEqual(['holds', undefined]);
  });

  it('fails: without looking at the flag both are in', () => {
    const path = ['raise 0', 'yield 0', 'enter 0', 'raise 1', 'yield 1', 'enter 1'];
    expect(verdict(peterson({flags: false}), alone)).toEqual(['fails', path]);
  });

  it('fails in the initial state with the empty path', () => {
    expect(
      verdict(
        peterson(),
        always('somebody is inside', ({at0}) => at0 === 3),
      ),
    ).toEqual(['fails', []]);
  });
});

describe('sometimes', () => {
  it('holds with a witness', () => {
    const path = ['raise 0', 'yield 0', 'enter 0', 'raise 1', 'yield 1'];
    expect(verdict(peterson(), bothOnce)).toEqual(['holds', expect.arrayContaining(path)]);
  });

  it('fails if it never happens: an `always` beside it would pass for nothing', () => {
    const counted = sometimes<Values>('counts to four', ({total}) => total === 4);
    expect(verdict(counter(3, true), counted)).toEqual(['fails', undefined]);
  });
});

describe('converges', () => {
  it('holds: with a lock no update is lost', () => {
    expect(verdict(counter(3, true), converges('all counted', lostUpdates(3)))).toEqual(['holds', undefined]);
  });

  it('fails: both threads read before either writes', () => {
    const model = counter(2, false);
    const [report] = search(model, [converges('all counted', lostUpdates(2))]).properties;
    expect(report?.discovery?.pending).toBe('counted 1 of 2');
    expect(keysOf(model, report?.discovery?.path ?? [])).toEqual(['read 0', 'read 1', 'write 0', 'write 1']);
  });

  it('fails: all philosophers wait', () => {
    const [report] = search(philosophers(3, false), [converges('nobody waits', hungry)]).properties;
    expect(report?.discovery?.pending).toBe('3 wait for their second fork');
  });

  it('fails if the system never comes to rest: it was never asked', () => {
    expect(verdict(philosophers(3, true), converges('nobody waits', hungry))).toEqual(['fails', undefined]);
    expect(verdict(philosophers(3, true, 1), converges('nobody waits', hungry))).toEqual(['holds', undefined]);
  });
});

describe('eventually', () => {
  it("holds: under a fair schedule Peterson's lock lets everyone in", () => {
    expect(verdict(peterson(), enters)).toEqual(['holds', undefined]);
  });

  it('fails where a run ends without it: both wait for ever when the turn is forgotten', () => {
    expect(verdict(peterson({turns: false}), enters)).toEqual(['fails', ['raise 0', 'yield 0', 'raise 1', 'yield 1']]);
  });

  it('fails on a fair endless run: a philosopher whose forks come and go may starve', () => {
    const model = philosophers(3, true);
    const [report] = search(model, [eventually('0 eats', ({hand0}) => hand0 === 2)]).properties;
    const {path = [], cycle = []} = report?.discovery ?? {};
    expect(report?.verdict).toBe('fails');
    const keys = keysOf(model, [...path, ...cycle]).slice(path.length);
    // The others eat on the way, and the run comes back to where it began.
    expect(keys).toEqual(expect.arrayContaining(['take second 1', 'take second 2', 'put back 1', 'put back 2']));
    expect(keys).not.toContain('take second 0');
    expect(keysOf(model, [...path, ...cycle, ...cycle]).slice(path.length)).toEqual([...keys, ...keys]);
    expect(search(model, [eventually('somebody eats', hands)]).properties[0]?.verdict).toBe('holds');
  });
});

function hands(values: Values): boolean {
  return [0, 1, 2].some((id) => values[`hand${id}`] === 2);
}
