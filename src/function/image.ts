// The program in the image: `tether serve` and nothing else, so that neither the harness nor what only the harness needs
// is in a cluster. The package's build bundles it into one file.

import {serveCommand} from './serve.ts';

process.exitCode = await serveCommand(process.argv.slice(2), process.env);
