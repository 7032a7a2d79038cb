// Imported first, so that an old Node says so instead of stumbling later.

import {nodeProblem} from './node-version.ts';

// A browser is no Node, old or new: there is nothing to say.
const problem = typeof process === 'undefined' ? undefined : nodeProblem(process.versions.node);
if (problem !== undefined) throw new Error(problem);
