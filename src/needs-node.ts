import {nodeProblem} from './node-version.ts';

// Imported first, so that an old Node says so instead of stumbling later.

// A browser is no Node, old or new: there is nothing to say.
const problem = 'process' in globalThis ? nodeProblem(process.versions.node) : undefined;
if (problem !== undefined) throw new Error(problem);
