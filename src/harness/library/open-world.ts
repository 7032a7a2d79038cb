import {refusingAtCaller} from './callers-line.ts';
import {openFunctionsUnderTest} from './function-under-test.ts';
import {readGiven, worldOptions} from './given.ts';
import type {WorldOptions} from './options.ts';
import {SimulatedWorld} from './simulated-world.ts';
import type {World} from './world.ts';

/** Opens a control plane with the fixtures applied. Throws InputError with one sentence for what is wrong with them. */
export const openWorld: (options: WorldOptions) => Promise<World> = refusingAtCaller(open);

async function open(options: WorldOptions): Promise<World> {
  const asked = readGiven(worldOptions, options, 'options');
  const pool = await openFunctionsUnderTest(asked.functions, process.cwd(), asked.callTimeoutMs);
  try {
    return await SimulatedWorld.open(asked, pool);
  } catch (error) {
    await pool.close();
    throw error;
  }
}
