// The program in the image: `tether serve` and nothing else, so that neither the harness nor what only the harness needs
// is in a cluster. The package's build bundles it into one file, which is also what the program's threads start with.

import './run-thread.ts';
import {isMainThread} from 'node:worker_threads';
import {serveCommand} from './serve.ts';

if (isMainThread) {
  process.exitCode = await serveCommand(process.argv.slice(2), process.env, new URL(import.meta.url));
}
