// Findings as SARIF 2.1.0 (OASIS, sarif-v2.1.0-os), for code scanning: a rule per class, a result per finding.

import {visible} from './visible.ts';

/** `rules` by id, in the order of their indices. */
export function sarifText(tool: string, rules: readonly object[], results: readonly object[]): string {
  const informationUri = 'https://github.com/crossplane-contrib/function-tether';
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{tool: {driver: {name: tool, informationUri, rules}}, results}],
  };
  return visible(`${JSON.stringify(log, undefined, 2)}\n`);
}
