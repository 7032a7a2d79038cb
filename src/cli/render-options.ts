// The command line of `tether render`: that of crossplane/cli 3d72f9316 `crossplane composition render`
// (cmd/crossplane/render/xr/cmd.go), and two flags more.

import {type ProfileName, profiles} from '../cluster/crossplane/profiles.ts';
import {type CommandLine, on, one, text, texts, type Values} from '../command-line/option-table.ts';
import {unmodelledVersion} from '../harness/control-plane/profile-names.ts';
import {parseDuration} from '../harness/input/duration.ts';
import {InputError} from '../harness/input/input-error.ts';
import type {Pair} from '../harness/render/render-files.ts';
import {placeOptions} from './place-functions.ts';

export const renderLine = {
  name: 'render',
  takes: 'XR COMPOSITION FUNCTIONS',
  does: 'prints what one reconcile makes of an XR, as `crossplane composition render` does, without Docker. Files and flags are the same.',
  options: {
    'observed-resources': text('PATH', 'composed resources that exist already: a YAML file or a directory of them', {
      short: 'o',
    }),
    'required-resources': texts('PATH', 'objects that functions may require; may be given more than once', {
      short: 'e',
    }),
    'extra-resources': texts('PATH', 'the same by its older name'),
    'include-function-results': on('print what functions report, as kind: Result', {short: 'r'}),
    'include-full-xr': on("print the XR's own fields too", {short: 'x'}),
    'include-context': on("print the pipeline's context at its end, as kind: Context", {short: 'c'}),
    'context-files': texts('KEY=FILE', 'context for the pipeline, from a YAML or JSON file'),
    'context-values': texts('KEY=VALUE', 'the same, as YAML or JSON; wins over a file'),
    'function-credentials': text('PATH', 'Secrets for pipeline steps with credentials'),
    'function-annotations': texts('KEY=VAL', 'annotations to set on all functions', {short: 'a'}),
    xrd: text('FILE', "the XR's definition: its defaults, and whether the XR is a legacy one"),
    'crossplane-version': one(
      'VERSION',
      `as this version does it (${Object.keys(profiles).join(', ')}; main where not given)`,
      versionNamed,
    ),
    timeout: one('DURATION', 'how long it may take (1m)', (text, flag) => parseDuration(flag, text)),
    deleted: on('print what leaves, as kind: Removed: deleted, denied by a Usage, or orphaned', {
      heading: 'Only here:',
    }),
    until: text('stable', 'reconcile until nothing changes; composed resources become Ready in between'),
    'max-reconciles': text('N', 'give up after N reconciles (20)'),
    ...placeOptions,
    'required-schemas': text('PATH', '', {short: 's', hidden: true}),
    'cache-dir': text('PATH', '', {hidden: true}),
    'max-concurrency': text('N', '', {hidden: true}),
    'project-file': text('PATH', '', {short: 'f', hidden: true}),
    'crossplane-image': text('IMAGE', '', {hidden: true}),
    'crossplane-binary': text('PATH', '', {hidden: true}),
    'crossplane-docker-network': text('NAME', '', {hidden: true}),
  },
  more: `Where a function runs, by its annotations in FUNCTIONS:
  render.crossplane.io/runtime: Development                 at render.crossplane.io/runtime-development-target
                                                            (localhost:9443 where that is not given)
  tether.fn.crossplane.io/render-command: "node fn.ts ..."  started for the render; {port} is a free port
  with --run-functions                                      from its package, but for function-tether
  otherwise, or if no server answers                        in process: function-tether, function-static, ...`,
  example: 'tether render xr.yaml composition.yaml functions.yaml -o observed.yaml --deleted',
  exitCodes:
    '0 rendered, 1 the tool failed, 2 bad input, 3 a function said fatal, or --until stable never came to rest.',
} satisfies CommandLine;

export type RenderArgs = ReturnType<typeof renderArgs>;

/** Options for the engine and the packages of `crossplane render`, which have no meaning here. */
const ignorable = ['cache-dir', 'max-concurrency', 'project-file'] as const;
const engines = ['crossplane-image', 'crossplane-binary', 'crossplane-docker-network'] as const;

/** Throws InputError. */
export function renderArgs(values: Values<(typeof renderLine)['options']>, files: readonly string[]) {
  const [xr = '', composition = '', functions = ''] = files;
  if (values['required-schemas'] !== undefined) {
    throw new InputError('cannot use --required-schemas: functions are not sent schemas here');
  }
  return {
    xr,
    composition,
    functions,
    observed: values['observed-resources'],
    required: [...values['required-resources'], ...values['extra-resources']].flatMap((list) => parts(list, ',')),
    credentials: values['function-credentials'],
    contextFiles: pairs('--context-files', values['context-files'], ';'),
    contextValues: pairs('--context-values', values['context-values'], ';'),
    annotations: pairs('--function-annotations', values['function-annotations'], ','),
    xrd: values.xrd,
    crossplane: values['crossplane-version'] ?? 'main',
    timeoutMs: values.timeout ?? 60_000,
    includeResults: values['include-function-results'],
    includeFullXr: values['include-full-xr'],
    includeContext: values['include-context'],
    includeRemoved: values.deleted,
    /** One where it is not until stable. */
    reconcilesMax: reconcilesMax(values.until, values['max-reconciles']),
    places: values,
    /** Flags of the original that mean nothing here. */
    ignored: [...ignorable, ...engines].filter((flag) => values[flag] !== undefined).map((flag) => `--${flag}`),
  };
}

/** A separator after a backslash is none, and one at the end ends: github.com/alecthomas/kong v1.16.0 SplitEscaped. */
function parts(list: string, separator: ',' | ';'): readonly string[] {
  const ended = list.endsWith(separator) ? list.slice(0, -1) : list;
  return ended.split(new RegExp(`(?<!\\\\)${separator}`)).map((part) => part.replaceAll(`\\${separator}`, separator));
}

function pairs(flag: string, lists: readonly string[], separator: ',' | ';'): readonly Pair[] {
  return lists
    .flatMap((list) => parts(list, separator))
    .map((text) => {
      const at = text.indexOf('=');
      if (at <= 0) throw new InputError(`${flag} must look like key=value, got "${text}"`);
      return {key: text.slice(0, at), value: text.slice(at + 1)};
    });
}

/** A version as the original takes it (v2.3.0) or as ours are named (2.3). */
function versionNamed(text: string): ProfileName {
  const names = Object.keys(profiles) as readonly ProfileName[];
  const plain = text.replace(/^v/, '');
  const found = names.find((name) => plain === name || plain.startsWith(`${name}.`));
  if (found !== undefined) return found;
  const gap = unmodelledVersion(text);
  if (gap !== undefined) throw new InputError(gap);
  throw new InputError(`--crossplane-version must be one of ${names.join(', ')}, got "${text}"`);
}

const defaultReconcilesMax = 20;

function reconcilesMax(until: string | undefined, max: string | undefined): number | undefined {
  if (until === undefined) {
    if (max === undefined) return undefined;
    throw new InputError('--max-reconciles needs --until stable');
  }
  if (until !== 'stable') throw new InputError(`--until must be stable, got "${until}"`);
  const count = Number(max ?? defaultReconcilesMax);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InputError(`--max-reconciles must be a whole number from 1 on, got "${max}"`);
}
