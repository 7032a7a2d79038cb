import {readdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {builtins} from '../../src/harness/functions/builtin.ts';
import {connectFunction} from '../../src/harness/functions/grpc-function.ts';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import {openSide} from '../../src/harness/twin/twin.ts';
import {withReason} from './row.ts';
import {honest, searchFor, worseInStory} from './search.ts';
import {serve} from './serve.ts';
import {harmful} from './table.ts';

// The judge finds functions that harm, whatever they say: here each in its own story. `npm run harmful-functions` also searches
// for them in random stories.

const folder = new URL('stories/', import.meta.url).pathname;
const stories = readdirSync(folder).filter((file) => file !== 'platform.yaml');

/** Those that also state the reason that would excuse them. */
const some = [
  'deletes-everything',
  'deletes-the-rest-on-a-drop',
  'never-deletes',
  'creates-nothing',
  'freezes-on-a-drop',
  'refuses-everything',
  'is-never-ready',
  'writes-the-old-spec',
  'orphans',
  'deletes-over-orphan-on-a-drop',
  'only-observes',
  'leads-two-to-one',
  'leaks-in-an-event',
  'drops-context',
  'awaits-no-details',
];

function byName(name: string) {
  const found = harmful.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

test('there are forty at least, each with a name, a story and a reason of its own', () => {
  expect(harmful.length).toBeGreaterThanOrEqual(40);
  expect(new Set(harmful.map(({name}) => name)).size).toBe(harmful.length);
  expect([...new Set(harmful.map(({story}) => `${story}.yaml`))].sort()).toEqual([...stories].sort());
});

test.each(harmful)('$name is found in its story, in an innocent voice', (one) => {
  expect(worseInStory(one, one.wrap(honest))).not.toEqual([]);
});

test.each(some)('%s is found in its story with its reason, too', (name) => {
  const one = byName(name);
  expect(worseInStory(one, withReason(one)(honest))).not.toEqual([]);
});

test.each(stories)('the honest function harms nothing in %s', (file) => {
  expect(worseInStory({story: file.replace('.yaml', '')}, honest)).toEqual([]);
});

test('each is found within the first random stories, and at the same one as alone', () => {
  const search = {crossplane: 'main', seed: 3n, stories: 2} as const;
  const found = (...names: readonly string[]) => {
    const all = new Map<string, number | undefined>();
    const runs = new Map(names.map((name) => [name, withReason(byName(name))] as const));
    searchFor(runs, search, (name, {stories: until}) => all.set(name, until));
    return all;
  };
  const together = found('never-deletes', 'uses-no-nested-xr', 'deletes-what-is-not-ready');
  expect(together.get('never-deletes')).toBeGreaterThan(0);
  expect(together.get('deletes-what-is-not-ready')).toBeGreaterThan(1);
  expect(together).toEqual(new Map([...together, ...found('deletes-what-is-not-ready')]));
  expect(together.get('uses-no-nested-xr')).toBeUndefined();
});

test('one that listens at an address answers as the one in this process', async () => {
  const requests: Uint8Array[] = [];
  const scenario = readScenario(`${folder}living.yaml`, {...builtins, 'function-tether': honest});
  const recorded = (request: Uint8Array) => {
    requests.push(request);
    return honest(request, 'apiextensions.fn.proto.v1');
  };
  const functions = {...builtins, 'function-tether': recorded};
  const plays = openSide(scenario, {crossplane: 'main', twin: ['function-tether'], functions}, 'with');
  plays.alone(scenario, {seed: 1});
  const run = byName('deletes-everything').wrap(honest);
  const server = await serve(run, 'localhost:0');
  const remote = await connectFunction(server.address, 10_000);
  for (const request of requests) {
    const reply = await remote.call({service: 'apiextensions.fn.proto.v1', request, timeoutMs: 10_000});
    const own = run(request, 'apiextensions.fn.proto.v1');
    expect(reply.ok && own.ok && Buffer.from(reply.response).equals(Buffer.from(own.response))).toBe(true);
  }
  expect(requests.length).toBeGreaterThan(1);
  remote.close();
  await server.close();
});
