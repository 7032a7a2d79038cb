// A failure as a scenario that `tether test` runs: the operator's moves in the order found, each followed by quiet, and restarts
// where the path had them. A scenario cannot express an order of steps, a late or missed event, or a fault of one call: these
// are left out, with a comment: only `tether replay` takes it again.

import {stringify} from 'yaml';
import {replay} from '../../explore/path.ts';
import {asScenarioAction} from '../control-plane/operator/action.ts';
import type {Scenario} from '../scenario/scenario.ts';
import type {Exploration, Failure} from './explore.ts';
import type {ExploreAction} from './explore-action.ts';
import type {Move} from './story.ts';

/** The scenario's text. `wanted` is the expectation that does not hold, in the scenario's own form, where it has one. */
export function scenarioText({story, model}: Exploration, failure: Failure, command: string): string {
  const {scenario, crossplane, definition} = story;
  const replayed = replay(model, failure.path);
  const actions = replayed.kind === 'replayed' ? replayed.steps.map(({action}) => action) : [];
  const lost =
    replayed.kind === 'replayed' ? replayed.steps.filter(({action}) => isLost(action)).map(({text}) => text) : [];
  const body = {
    name: `${scenario.name}-found`,
    description: `Found by tether explore: ${failure.report.name} does not hold.`,
    crossplane: [crossplane],
    ...settingOf(scenario),
    steps: actions.flatMap((action) => stepOf(action, story.moves, story.processes.provider)),
    expect: expectationOf(failure, definition.cloud !== undefined),
  };
  const comments = [
    `${failure.report.name}: ${failure.pending ?? 'see the replay'}`,
    command,
    ...lost.map((text) => `not in this scenario: ${text}`),
  ];
  return fileText(comments, body);
}

/** The control plane of a scenario, in the form of a file. */
export function settingOf({
  realtime,
  operations,
  loaded,
  from,
  fixtures,
  functions,
  packages,
  provider,
}: Scenario): object {
  return {
    ...(realtime === undefined ? {} : {realtime}),
    ...(operations === undefined ? {} : {operations}),
    ...(loaded === true ? {loaded: true} : {}),
    ...(from === undefined ? {} : {from}),
    fixtures,
    functions: Object.fromEntries(Object.entries(functions).map(([name, source]) => [name, sourceOf(source)])),
    ...(packages === undefined ? {} : {packages}),
    provider: {
      kind: provider.kind,
      ...(provider.runtime === '2.3' ? {} : {runtime: provider.runtime}),
      async: provider.async,
      references: provider.references,
      externals: provider.externals,
    },
  };
}

/** YAML below comments. */
export function fileText(comments: readonly string[], body: object): string {
  return `${comments.map((line) => `# ${line}`).join('\n')}\n${stringify(body, {aliasDuplicateObjects: false, compat: 'yaml-1.1'})}`;
}

function isLost(action: ExploreAction): boolean {
  const isOther = action.kind === 'step' && action.choices.length > 0;
  return (
    isOther ||
    action.kind === 'hold' ||
    action.kind === 'answer' ||
    action.kind === 'no-answer' ||
    action.kind === 'miss'
  );
}

const quiet = {wait: {quiet: '90s', timeout: '10m'}};

function stepOf(action: ExploreAction, moves: readonly Move[], provider: string): readonly object[] {
  if (action.kind === 'restart') {
    const process =
      action.process === provider ? 'provider' : action.process === 'crossplane' ? 'crossplane' : 'owner-gc';
    return [{name: `${process} crashes`, restart: process, ...quiet}];
  }
  if (action.kind !== 'move') return [];
  const {step} = moves[action.move] as Move;
  return [{name: step.name, ...asScenarioAction((moves[action.move] as Move).action), ...(action.early ? {} : quiet)}];
}

function sourceOf(source: Scenario['functions'][string]): object {
  if (source.kind === 'builtin') return {builtin: source.name};
  return source.kind === 'address' ? {address: source.address} : {command: source.command, address: source.address};
}

function expectationOf({report}: Failure, hasCloud: boolean): readonly object[] {
  if (report.name.includes('orphan')) return [{orphans: 0}];
  if (report.name.includes('deletion comes') || report.name.includes('XR syncs')) return [{stuck: 0}];
  if (report.name.includes('two external') && hasCloud) return [{externals: 'creates', is: 1}];
  return [];
}
