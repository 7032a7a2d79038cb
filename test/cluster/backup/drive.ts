import type {Step} from '../../../src/cluster/kernel/call.ts';
import type {SmallWorld} from '../small-world.ts';

// Runs a backup tool's generator against a small world: each request is served at once, sleeping lets time pass.

export function drive<T>(small: SmallWorld, tool: Step<T>): T {
  let step = tool.next();
  while (!step.done) {
    const call = step.value;
    if (call.to === 'api') step = tool.next(small.session.submit('velero', call.request));
    else if (call.to === 'sleep') {
      small.pass(call.forMs);
      step = tool.next();
    } else throw new Error(`a backup tool made a call to ${call.to}`);
  }
  return step.value;
}
