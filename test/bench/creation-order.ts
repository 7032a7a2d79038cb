// How long resources take to be created in an order, each step after the one before is Ready: `npm run bench:creation-order [-- N[xM]...]`, N
// steps of M resources. In the simulated world on the newest Crossplane, whose circuit breaker every step feeds; the provider takes 2 s
// for a resource. Virtual time counts from the XR to its Ready.

import {inFolder, names, resultOf, shop, xr} from './sizes.ts';

const given = process.argv.slice(2);
for (const steps of given.length === 0 ? ['5', '20', '50', '200', '5x4', '5x40'] : given) {
  const [count = 0, each = 1] = steps.split('x').map(Number);
  const sequence = names('step', count).map((step) => ({resources: names(step, each)}));
  const ready = {for: {object: {kind: 'Shop', name: 'orders'}, condition: {type: 'Ready'}}, timeout: '1h'};
  const all = sequence.flatMap(({resources}) => resources);
  const story = [shop(all, {order: [{sequence}]}), {...xr('Shop'), wait: ready}, {wait: '1s'}];
  const {timeline, reconciles} = inFolder(story, resultOf);
  const last = timeline.findLast(({change}) => change.kind === 'step');
  const seconds = Math.round((last?.atMs ?? 0) / 1000);
  process.stdout.write(`${count} steps of ${each}: ${seconds} s of at least ${count * 2}, ${reconciles} reconciles\n`);
}
