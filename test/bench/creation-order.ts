// How long a chain of resources takes to be created, each after the one before is Ready: `npm run bench:creation-order [-- N...]`. In the
// simulated world on the newest Crossplane, whose circuit breaker every step feeds; the provider takes 2 s for a resource. Virtual time
// counts from the XR to its Ready.

import {inFolder, names, resultOf, shop, xr} from './sizes.ts';

const given = process.argv.slice(2).map(Number);
for (const count of given.length === 0 ? [5, 20, 50, 200] : given) {
  const sequence = names('db', count).map((name) => ({resources: [name]}));
  const ready = {for: {object: {kind: 'Shop', name: 'orders'}, condition: {type: 'Ready'}}, timeout: '1h'};
  const steps = [shop(names('db', count), {order: [{sequence}]}), {...xr('Shop'), wait: ready}, {wait: '1s'}];
  const {timeline, reconciles} = inFolder(steps, resultOf);
  const last = timeline.findLast(({change}) => change.kind === 'step');
  process.stdout.write(`${count} resources: ${Math.round((last?.atMs ?? 0) / 1000)} s, ${reconciles} reconciles\n`);
}
