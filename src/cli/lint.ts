// tether lint: reads files, judges its Compositions, writes the reports, and exits with 3 if a finding is of --fail-on.

import {type CommandLine, text, texts} from '../command-line/option-table.ts';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import {classes} from '../harness/lint/finding.ts';
import {lint} from '../harness/lint/lint.ts';
import {lintJson, lintSarif, lintText} from '../harness/lint/lint-reports.ts';
import {terminalWidth} from '../harness/report/terminal-width.ts';
import {checkReportFiles, writeReport} from '../harness/report/write-reports.ts';
import {type CommandContext, command} from './command.ts';
import {classesText, exitCodeOf, failOn} from './options.ts';
import {placeOptions} from './place-functions.ts';
import {paintHere, print} from './print.ts';
import {progressHere} from './progress-here.ts';

export const lintLine = {
  name: 'lint',
  takes: '[PATH...]',
  does: `finds what is unsafe in Compositions before anything runs in a cluster. PATH is a folder, a file or a glob with the
Compositions, definitions and example XRs; by default the folder here. A file in several of them is read once. If the functions of a pipeline
can run, lint brings an example XR to rest on a simulated control plane. Then it calls the pipeline without any status, and
without any required resource, and names the composed resources that disappear from desired.`,
  options: {
    function: placeOptions.function,
    crds: texts('PATH', 'CustomResourceDefinitions of composed kinds: a folder, a glob, a file or a package (.xpkg)'),
    crossplane: text('VERSION', 'the Crossplane version of the simulated control plane; main by default'),
    'fail-on': failOn(classes),
    json: text('FILE', 'write everything as JSON ("-" for the terminal)'),
    sarif: text('FILE', 'write SARIF 2.1.0, as code scanning takes it'),
  },
  more: classesText(classes),
  example: 'tether lint examples/lint --fail-on error',
  exitCodes: '0 no finding of --fail-on, 1 the tool itself failed, 2 bad input, 3 a finding of --fail-on.',
} satisfies CommandLine;

export const lintCommand = command(lintLine, async ({values, files}, {functions: builtins}: CommandContext) => {
  checkReportFiles(values);
  const progress = progressHere();
  progress.story('lint');
  const linted = await lint({
    paths: files.length === 0 ? ['.'] : files,
    crds: values.crds,
    functions: values.function,
    crossplane: profileNamed(values.crossplane ?? 'main'),
    builtins,
    progress: progress.waitsFor,
  }).finally(progress.end);
  writeReport(values.json, () => lintJson(linted));
  writeReport(values.sarif, () => lintSarif(linted));
  if (values.json !== '-') print(lintText(linted, terminalWidth(), paintHere()));
  return exitCodeOf(classes, linted.findings, linted.notJudged, values['fail-on'].flat());
});
