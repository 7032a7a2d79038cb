// How long an order takes, in steps and resources of each: `npm run bench:order [-- N[xM]...]`. In the simulated world on the newest
// Crossplane, whose circuit breaker every step of a creation feeds; the provider takes 2 s for a resource. Virtual time: of a creation from
// the XR to its Ready, each step after the one before is Ready; of a deletion of the XR until the cloud is empty.

import {inFolder, names, resultOf, shop, xr} from './sizes.ts';

const given = process.argv.slice(2);
const propagations = ['Background', 'Foreground'] as const;
const deletionMax = '48h';

for (const size of given.length === 0 ? ['5', '10', '20', '50', '5x4', '5x40'] : given) {
  const [count = 0, each = 1] = size.split('x').map(Number);
  const created = secondsOf(count, each, {});
  const deletions = [{}, {replayDeletion: true}].flatMap((words) =>
    propagations.map((propagationPolicy) => secondsOf(count, each, words, propagationPolicy)),
  );
  process.stdout.write(
    `${count} steps of ${each}: created in ${created} s; deleted in the background ${deletions[0]} s, in the foreground ` +
      `${deletions[1]} s, with replayDeletion ${deletions[2]} s and ${deletions[3]} s\n`,
  );
}

/** Of the creation, or of a deletion of what was created. */
function secondsOf(count: number, each: number, words: object, propagationPolicy?: (typeof propagations)[number]) {
  const sequence = names('step', count).map((step) => ({resources: names(step, each)}));
  const all = sequence.flatMap(({resources}) => resources);
  const ready = {for: {object: {kind: 'Shop', name: 'orders'}, condition: {type: 'Ready'}}, timeout: '1h'};
  const gone = {for: {externals: 'alive', is: 0}, timeout: deletionMax};
  const made = [shop(all, {order: [{sequence, ...words}]}), {...xr('Shop'), wait: ready}];
  const story =
    propagationPolicy === undefined
      ? [...made, {wait: '1s'}]
      : [...made, {wait: '1m'}, {delete: {kind: 'Shop', name: 'orders', propagationPolicy}, wait: gone}, {wait: '1s'}];
  const begins = inFolder(story, resultOf).timeline.filter(({change}) => change.kind === 'step');
  const [from, until] = begins.slice(-2).map(({atMs}) => atMs / 1000);
  return Math.round((until ?? 0) - (from ?? 0));
}
