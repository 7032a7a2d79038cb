// Imported first, so that an old Node gets a clear error instead of a later failure.

import {nodeProblem} from './node-version.ts';

// A browser is no Node, old or new: no error.
const problem = typeof process === 'undefined' ? undefined : nodeProblem(process.versions.node);
if (problem !== undefined) throw new Error(problem);
