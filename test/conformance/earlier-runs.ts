import {driveHere} from '../../src/harness/functions/drive.ts';
import type {RecordedScenario} from './recorded-scenario.ts';
import {wipe} from './recorder-backup.ts';
import {type Bench, replay} from './replay.ts';

// A recording whose name ends in `--run2`, `--run3` ... was made when the same scenario had run before on the same control
// plane, and been wiped. Objects are gone then, but a process remembers: the circuit breaker of an XR controller keeps its
// tokens by the XR's name, and forgets them only for an XR that it sees being deleted. One whose finalizer was taken away
// first is gone without that (recorded: a namesake ready only after 60 s).

/** How many times the scenario ran before, by the recording's name. */
export function earlierRuns(name: string): number {
  const run = /--run(\d+)$/.exec(name)?.[1];
  return run === undefined ? 0 : Math.max(0, Number(run) - 1);
}

/** Runs the scenario and wipes what it left. */
export function rehearse(scenario: RecordedScenario, bench: Bench): void {
  driveHere(replay(scenario, bench, () => {}));
  const {session} = bench.operator.controlPlane;
  bench.setProvider({enabled: false});
  for (let left = bench.snapshot(), round = 0; left.length > 0 && round < roundsMax; left = bench.snapshot(), round++) {
    for (const object of left) wipe(object, session);
    driveHere(session.run(session.nowMs + settleMs));
  }
  bench.setProvider({enabled: true});
}

const roundsMax = 5;
const settleMs = 1000;
