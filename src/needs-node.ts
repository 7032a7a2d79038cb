import {nodeProblem} from './node-version.ts';

// Imported first, so that an old Node says so instead of stumbling later.

const problem = nodeProblem(process.versions.node);
if (problem !== undefined) throw new Error(problem);
