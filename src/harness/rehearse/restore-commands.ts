// The steps of a restore plan as what an operator types, in the order in which they were rehearsed. Names that no source
// tells (the backup, the namespaces of Velero and Crossplane) are their usual ones, and the plan says so.
//
// Providers are scaled to zero by their Deployment, whose revision is paused before: else Crossplane scales it back
// (crossplane v2.0.2 internal/controller/pkg/runtime/reconciler.go, Reconcile and ApplyDeployment).

import {stringify} from 'yaml';
import type {Selector} from '../control-plane/catalogue.ts';
import type {ProcessName, RestoreSetting, StepAction} from '../operator/action.ts';
import {describe} from '../operator/action.ts';
import type {Change, RestoreSetup} from './rehearsal-steps.ts';
import type {RestoreCase} from './restore-parts.ts';

export interface CommandStep {
  readonly title: string;
  readonly commands: readonly string[];
}

export function commandSteps({changes, restore}: RestoreCase, resources: readonly string[]): readonly CommandStep[] {
  const at = changes.findIndex(({kind}) => kind === 'restore');
  return [
    ...changes.slice(0, at).map(changeStep),
    ...restore.stopped.map((process) => ({title: `Stop ${nameOf(process)}.`, commands: stopping(process)})),
    ...modifierSteps(restore),
    ...restoreSteps(restore, resources),
    ...restore.stopped.map((process) => ({
      title: `Start ${nameOf(process)}, and wait until nothing changes any more.`,
      commands: starting(process),
    })),
    ...unpausingSteps(restore.unpausing ?? []),
    ...changes.slice(at + 1).map(changeStep),
  ];
}

function changeStep(change: Change): CommandStep {
  switch (change.kind) {
    case 'apply':
      return {title: `Apply ${change.actions.map(appliedText).join(', ')}.`, commands: []};
    case 'delete': {
      const {namespace, name = ''} = change.target;
      return {
        title: 'Delete.',
        commands: [`kubectl delete ${resourceOf(change.target)} ${name}${inNamespace(namespace)}`],
      };
    }
    case 'upgrade':
      return {title: `Upgrade Crossplane to ${change.crossplane}.`, commands: []};
    case 'restore':
      return {title: 'Restore.', commands: []};
  }
}

function appliedText(action: StepAction): string {
  return describe(action).replace(/^(patch|apply) /, '');
}

function nameOf(process: ProcessName): string {
  const names = {crossplane: 'Crossplane', provider: 'the providers', 'owner-gc': "Kubernetes' garbage collector"};
  return names[process];
}

const providerDeployments =
  'kubectl -n crossplane-system get deployments -o json | jq -r \'.items[] | select(.metadata.ownerReferences[]?.kind == "ProviderRevision") | .metadata.name\'';

function stopping(process: ProcessName): readonly string[] {
  switch (process) {
    case 'crossplane':
      return ['kubectl -n crossplane-system scale deployment crossplane --replicas 0'];
    case 'provider':
      return [
        'kubectl annotate providerrevisions.pkg.crossplane.io --all --overwrite crossplane.io/paused=true',
        `${providerDeployments} | xargs kubectl -n crossplane-system scale deployment --replicas 0`,
      ];
    case 'owner-gc':
      return ['# stop kube-controller-manager'];
  }
}

function starting(process: ProcessName): readonly string[] {
  switch (process) {
    case 'crossplane':
      return ['kubectl -n crossplane-system scale deployment crossplane --replicas 1'];
    case 'provider':
      return [
        `${providerDeployments} | xargs kubectl -n crossplane-system scale deployment --replicas 1`,
        'kubectl annotate providerrevisions.pkg.crossplane.io --all crossplane.io/paused-',
      ];
    case 'owner-gc':
      return ['# start kube-controller-manager'];
  }
}

const configMap = 'restore-modifiers';

function modifierSteps({options, rounds = [options]}: RestoreSetup): readonly CommandStep[] {
  const rules = (rounds[0]?.modifiers ?? []).map(({groupResource, mergePatch}) => ({
    conditions: {groupResource},
    mergePatches: [{patchData: JSON.stringify(mergePatch)}],
  }));
  if (rules.length === 0) return [];
  const modifiers = stringify({version: 'v1', resourceModifierRules: rules}, {lineWidth: 0});
  // As it stands there, line by line: a folded block is one that people break when they edit it.
  const asItStands = {lineWidth: 0, blockQuote: 'literal'} as const;
  const form = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: configMap, namespace: 'velero'},
    data: {'modifiers.yaml': modifiers},
  };
  const text = stringify(form, asItStands);
  return [
    {title: "Give Velero the restore's resource modifiers.", commands: [`kubectl apply -f - <<'EOF'\n${text}EOF`]},
  ];
}

function restoreSteps(
  {options, rounds = [options]}: RestoreSetup,
  resources: readonly string[],
): readonly CommandStep[] {
  return rounds.map((round, index) => ({
    title: rounds.length === 1 ? 'Restore.' : `Restore, part ${index + 1} of ${rounds.length}.`,
    commands: [
      ['velero restore create', '--from-backup BACKUP --wait', ...optionsOf(round, resources)].join(' \\\n  '),
    ],
  }));
}

function optionsOf(round: RestoreSetting, resources: readonly string[]): readonly string[] {
  const {existingResourcePolicy, statusOf = [], exclude = [], modifiers = []} = round;
  const included = (round.resources ?? resources).filter((name) => !exclude.includes(name));
  return [
    `--include-resources ${included.join(',')}`,
    ...(statusOf.length === 0 ? [] : [`--status-include-resources ${statusOf.join(',')}`]),
    ...(existingResourcePolicy === undefined ? [] : [`--existing-resource-policy ${existingResourcePolicy}`]),
    ...(modifiers.length === 0 ? [] : [`--resource-modifier-configmap ${configMap}`]),
  ];
}

function unpausingSteps(actions: readonly StepAction[]): readonly CommandStep[] {
  const commands = actions.flatMap((action) => {
    if (action.kind !== 'patch') return [];
    const {namespace, name} = action.target;
    const resource = resourceOf(action.target);
    const which = name === undefined ? '--all --all-namespaces' : `${name}${inNamespace(namespace)}`;
    return [`kubectl annotate ${resource} ${which} crossplane.io/paused-`];
  });
  if (commands.length === 0) return [];
  const title =
    'Let what was restored paused go on, one after the other; wait after each until nothing changes any more.';
  return [{title, commands}];
}

/** As kubectl takes it where kinds of several groups have one name: `instance.v1beta1.rds.aws.upbound.io`. */
function resourceOf({apiVersion = '', kind}: Selector): string {
  const [group = '', version = ''] = apiVersion.split('/');
  return version === '' ? kind : `${kind.toLowerCase()}.${version}.${group}`;
}

function inNamespace(namespace: string | undefined): string {
  return namespace === undefined ? '' : ` --namespace ${namespace}`;
}
