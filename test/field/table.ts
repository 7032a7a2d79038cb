// The page with the table.

import {markdownTable} from '../../src/command-line/tables.ts';
import {type Configuration, commands} from './configurations.ts';

const head = `# Field table

\`npm run field -- --folder CHECKOUTS --functions PROGRAMS\` makes this page with \`--update\`. CHECKOUTS holds your clones, as
OWNER+NAME; PROGRAMS a program of each function, by the name of its repository. The command downloads nothing. Without \`--update\` it
compares each sentence with the one that a person judged, and exits with 3 if one changed.

\`init\` writes a scenario, \`test\` runs it, \`audit\` and \`rehearse --restore velero\` read the whole folder, \`lint\` calls every pipeline
that can run. A verdict is a person's: true, or the reason why not. Definitions of managed kinds are made up, as \`init\` says.
`;

export function fieldTable(all: readonly Configuration[]): string {
  const rows = all.map(rowsOf);
  return `${[head, summary(all), ...rows].join('\n')}\n`;
}

function summary(all: readonly Configuration[]): string {
  const verdicts = all.flatMap(({judged}) => commands.map((name) => judged[name]?.verdict ?? 'not judged yet'));
  const isTrue = verdicts.filter((verdict) => verdict.startsWith('true')).length;
  const open = verdicts.filter((verdict) => verdict === 'not judged yet').length;
  return `${all.length} configurations, ${verdicts.length} sentences: ${isTrue} true, ${verdicts.length - isTrue - open} not, ${open} not judged.\n`;
}

function rowsOf({name, tag, commit, path, init = [], functions, judged}: Configuration): string {
  const place = [tag ?? commit.slice(0, 10), path, init.length === 0 ? undefined : `\`${init.join(' ')}\``];
  const needs = functions.length === 0 ? 'no function' : functions.join(', ');
  return [
    `## ${name}`,
    '',
    `${place.filter((word) => word !== undefined).join(', ')}; ${needs}.`,
    '',
    ...markdownTable(
      ['command', 'sentence', 'verdict'],
      commands.map((command) => {
        const {sentence = '', verdict = 'not judged yet'} = judged[command] ?? {};
        return [command, cell(sentence), cell(verdict)];
      }),
    ),
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('{', '&#123;').replaceAll('*', '\\*');
}
