// A letter, a lossy road, and a sender that may or may not send again; people may interrupt the sender. `sent` is what
// is on the road, `got` what has arrived.
import {type Command, type GuardedModel, guarded} from './guarded.ts';

export function delivery(options: {readonly resends: boolean; readonly workers?: number}): GuardedModel {
  const workers = options.workers ?? 0;
  const start: Record<string, number> = {sent: 0, got: 0, tries: 0, alive: 1};
  for (let id = 0; id < workers; id++) start[`work${id}`] = 0;
  return guarded(start, [...road(options.resends), ...Array.from({length: workers}, (_, id) => worker(id))]);
}

function road(resends: boolean): Command[] {
  return [
    {
      key: 'send',
      reads: ['got', 'alive'],
      writes: ['sent', 'tries'],
      when: ({sent, got, tries, alive}) => alive === 1 && sent === 0 && got === 0 && (resends || tries === 0),
      effect: () => ({sent: 1, tries: 1}),
    },
    {key: 'arrive', writes: ['sent', 'got'], when: ({sent}) => sent === 1, effect: () => ({sent: 0, got: 1})},
    {key: 'lose', writes: ['sent'], cost: 'loss', when: ({sent}) => sent === 1, effect: () => ({sent: 0})},
    {key: 'stop sender', writes: ['alive'], cost: 'person', when: ({alive}) => alive === 1, effect: () => ({alive: 0})},
    {
      key: 'start sender',
      writes: ['alive'],
      cost: 'person',
      when: ({alive}) => alive === 0,
      effect: () => ({alive: 1}),
    },
  ];
}

/** Somebody with three steps of work that have nothing to do with the letter. */
function worker(id: number): Command {
  const work = `work${id}`;
  return {
    key: `work ${id}`,
    writes: [work],
    when: (values) => (values[work] ?? 0) < 3,
    effect: (values) => ({[work]: (values[work] ?? 0) + 1}),
  };
}
