// The options of `tether rehearse`: steps, control plane, restore and reports.

import {type CommandLine, many, on, one, text, texts, type Values} from '../command-line/option-table.ts';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import {runtimes} from '../harness/control-plane/provider-form.ts';
import {InputError} from '../harness/input/input-error.ts';
import {findingKinds} from '../harness/rehearse/findings.ts';
import {pathOptions, searchOptions} from './explore-options.ts';
import {count, oneOf, someOf} from './options.ts';
import {loaded, placeOptions} from './place-functions.ts';
import {shardOptions} from './shards.ts';

const processNames = ['crossplane', 'provider', 'owner-gc'] as const;

export const rehearseLine = {
  name: 'rehearse',
  takes: 'SOURCE',
  does: 'builds your control plane from a backup, a dump or manifests, takes the steps that you name on it, and says what they will do: per XR what is created, changed, adopted, deleted and held, which external resources are destroyed or doubled, and what never becomes ready. Nothing outside is touched. Steps are taken in the order of the command line.',
  options: {
    restore: one('TOOL', 'restore the source as a backup of velero, gitops or etcd', oneOf('velero', 'gitops', 'etcd')),
    apply: texts('FILE', 'apply an edited Composition, definition or XR; given before --restore: meanwhile edited'),
    delete: many(
      'KIND/NAME',
      'delete an object: KIND/NAMESPACE/NAME where it is in a namespace, KIND.GROUP where kinds of several groups have one name',
      reference,
    ),
    patch: texts(
      'KIND/NAME=PATCH',
      'patch an object: a JSON merge patch or, if it is a list, a JSON patch, in JSON or YAML',
    ),
    annotate: texts('KIND/NAME=KEY=VALUE', 'annotate an object, as kubectl does; KEY- removes the annotation'),
    replace: texts('FILE', 'replace objects, as kubectl replace does: what the file leaves out goes'),
    package: texts(
      'KIND/NAME=PACKAGE',
      'another package: of a Function the reference that it moves to, of a Provider a file or folder with the definitions of its new version',
    ),
    'upgrade-crossplane': many('VERSION', 'restart Crossplane as this version', profileNamed),
    with: one('NAME', 'add function-tether as the last step of every Composition', oneOf('function-tether')),
    without: texts('NAME', 'take a function out of every Composition'),
    crossplane: one('VERSION', 'the version that runs (main)', profileNamed, {heading: 'The control plane:'}),
    'provider-runtime': one(
      'VERSION',
      'the crossplane-runtime that providers are built with: 2.3 and later (2.3), or all before it (2.2), which count the usages of ProviderConfigs of one name in every namespace',
      oneOf(...runtimes),
    ),
    ...placeOptions,
    seed: one('NUMBER', 'draws latencies and the order of Go maps (1)', count),
    loaded,
    onto: one(
      'empty|living',
      'a new cluster with the platform installed, or the living one (empty)',
      oneOf('empty', 'living'),
      {
        heading: 'The restore:',
      },
    ),
    stopped: one(
      'PROCESSES',
      'do not run during the restore and start after it, in this order: crossplane,provider',
      processes,
    ),
    'existing-resource-policy': one(
      'POLICY',
      'what becomes of objects that exist: none or update',
      oneOf('none', 'update'),
    ),
    'status-include-resources': one('RESOURCES', 'restore the status of these (plural.group,...)', list),
    'include-resources': one('RESOURCES', 'restore these alone (plural.group,...)', list),
    'exclude-resources': one('RESOURCES', 'do not restore these (plural.group,...)', list),
    'restore-resource-priorities': one('RESOURCES', 'restore these first, in this order', list),
    explore: on(
      'search the faults around the steps: each kind by itself, one unit of it, or those of --budget together',
      {heading: 'Faults:'},
    ),
    ...searchOptions,
    ...shardOptions,
    ...pathOptions,
    timeline: on('print everything that happens, in its order', {heading: 'What is told:'}),
    json: text('FILE', 'write the plan as JSON, near to that of crossplane-diff ("-" for the terminal)'),
    plan: text(
      'FILE',
      'look for a Velero restore onto a new cluster that passes its rehearsals, and write it as a runbook: the order, what sleeps, what is paused, and what each of it protects from',
    ),
    html: text('FILE', 'write one page with everything on it: lanes over virtual time, decisions, diffs'),
    'fail-on': many(
      'WHAT',
      `which findings make the exit code 3 (all): some of ${findingKinds.join(',')}, or none; may be given more than once`,
      someOf(...findingKinds),
    ),
  },
  example: 'tether rehearse examples/rehearse/backup.tar.gz --restore velero --with function-tether',
  exitCodes:
    '0 nothing found, 1 a search was cut off or the tool itself failed, 2 bad input, 3 something was found (--fail-on); with --plan: no restore passed.',
} satisfies CommandLine;

export type RehearseValues = Values<(typeof rehearseLine)['options']>;

export interface Reference {
  readonly kind: string;
  /** Where kinds of several groups have one name. */
  readonly group?: string;
  readonly namespace?: string;
  readonly name: string;
}

/** `Kind/name` or `Kind/namespace/name`, the kind with or without its group: `Instance.rds.aws.upbound.io`. */
export function reference(given: string, flag: string): Reference {
  const [kindAndGroup = '', second = '', third, ...more] = given.split('/');
  const name = third ?? second;
  const dot = kindAndGroup.indexOf('.');
  const kind = dot < 0 ? kindAndGroup : kindAndGroup.slice(0, dot);
  const group = dot < 0 ? {} : {group: kindAndGroup.slice(dot + 1)};
  if (kind === '' || name === '' || second === '' || more.length > 0) {
    throw new InputError(`${flag} must look like KIND/NAME or KIND/NAMESPACE/NAME, got "${given}"`);
  }
  return third === undefined ? {kind, ...group, name} : {kind, ...group, namespace: second, name};
}

function list(given: string): readonly string[] {
  return given.split(',').filter((word) => word !== '');
}

function processes(given: string, flag: string): readonly (typeof processNames)[number][] {
  const found = list(given).map((word) => oneOf(...processNames)(word, flag));
  const twice = found.find((one, index) => found.indexOf(one) !== index);
  if (twice !== undefined) throw new InputError(`${flag} must name each process once, got "${twice}" twice`);
  return found;
}
