// The steps of a restore plan as an operator types them, in the order of the rehearsal. Names that no source has (the backup,
// the namespaces of Velero and Crossplane) are the usual ones, with a note. Providers are scaled to zero by their Deployment,
// whose revision is paused before: else Crossplane scales it back (crossplane v2.0.2
// internal/controller/pkg/runtime/reconciler.go, Reconcile and ApplyDeployment).

import {stringify} from 'yaml';
import type {Selector} from '../control-plane/catalogue.ts';
import {describe, type ProcessName, type RestoreSetting, type StepAction} from '../control-plane/operator/action.ts';
import {aroundRestore, type Change, type RestoreSetup} from './rehearsal-steps.ts';
import type {RestoreCase} from './restore-parts.ts';

export interface CommandStep {
  readonly title: string;
  readonly commands: readonly string[];
}

export function commandSteps({changes, restore}: RestoreCase, resources: readonly string[]): readonly CommandStep[] {
  const {before, after} = aroundRestore(changes);
  const stopped = restore.stopped.map((process) => processes[process]);
  return [
    ...before.map(changeStep),
    ...stopped.map(({name, stop}) => ({title: `Stop ${name}.`, commands: stop})),
    ...modifierSteps(restore),
    ...restoreSteps(restore, resources),
    ...stopped.map(({name, start}) => ({
      title: `Start ${name}, and wait until nothing changes any more.`,
      commands: start,
    })),
    ...unpausingSteps(restore.unpausing ?? []),
    ...after.map(changeStep),
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

const providerDeployments =
  'kubectl -n crossplane-system get deployments -o json | jq -r \'.items[] | select(.metadata.ownerReferences[]?.kind == "ProviderRevision") | .metadata.name\'';
const scaledTo = (replicas: number) => ({
  crossplane: `kubectl -n crossplane-system scale deployment crossplane --replicas ${replicas}`,
  provider: `${providerDeployments} | xargs kubectl -n crossplane-system scale deployment --replicas ${replicas}`,
});
const pause = 'kubectl annotate providerrevisions.pkg.crossplane.io --all';

type Stopped = Readonly<Record<'stop' | 'start', readonly string[]>> & {readonly name: string};

const processes: {readonly [process in ProcessName]: Stopped} = {
  crossplane: {name: 'Crossplane', stop: [scaledTo(0).crossplane], start: [scaledTo(1).crossplane]},
  provider: {
    name: 'the providers',
    stop: [`${pause} --overwrite crossplane.io/paused=true`, scaledTo(0).provider],
    start: [scaledTo(1).provider, `${pause} crossplane.io/paused-`],
  },
  'owner-gc': {
    name: "Kubernetes' garbage collector",
    stop: ['# stop kube-controller-manager'],
    start: ['# start kube-controller-manager'],
  },
};

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
