// Usages of ProviderConfigs: a managed resource that connects makes one, under its own uid and with itself as the controller. A
// restored object has another uid and no owners, so the old usage belongs to nothing any more. Crossplane's RBAC lets no
// provider delete it (crossplane/crossplane 2d040d2da internal/controller/rbac/provider/roles/roles.go, crossplane#6665), and
// its config is reconciled no further.

import {at} from '../../cluster/json.ts';
import {controllerOf, groupOf, isDeleting, type KubeObject, refOf} from '../../cluster/object.ts';
import {type Finding, findingOf, type Judged} from './finding.ts';
import type {Inventory} from './inventory.ts';

/** One finding for all stale usages of a config; that of a config that is being deleted is another class. */
export function checkConfigUsages(inventory: Inventory): Judged {
  const stale = inventory.objects.filter((one) => one.kind.endsWith('ProviderConfigUsage') && isStale(one, inventory));
  if (stale.length === 0) return {findings: [], notJudged: []};
  const configs = inventory.objects.filter((one) => /ProviderConfig$/.test(one.kind) && !isDeleting(one));
  const findings = configs.flatMap((config): readonly Finding[] => {
    const usages = stale.filter((one) => isUsageOf(one, config));
    return usages.length === 0 ? [] : [findingOf(config, {class: 'config-usage-stale', usages: usages.map(refOf)})];
  });
  return {findings, notJudged: []};
}

export function isConfig({kind, metadata}: KubeObject): boolean {
  return /ProviderConfig$/.test(kind) && metadata.finalizers?.includes('in-use.crossplane.io') === true;
}

/** True if it has no controller, and the managed resource that made it is gone and cannot become one again. */
export function isStale(usage: KubeObject, {hasUid}: Inventory): boolean {
  return controllerOf(usage) === undefined && !hasUid(usage.metadata.name);
}

export function isUsageOf(usage: KubeObject, config: KubeObject): boolean {
  if (!usage.kind.endsWith('ProviderConfigUsage') || groupOf(usage.apiVersion) !== groupOf(config.apiVersion)) {
    return false;
  }
  const [kind, name] = [at(usage, ['providerConfigRef', 'kind']), at(usage, ['providerConfigRef', 'name'])];
  const isBeside = config.metadata.namespace === undefined || config.metadata.namespace === usage.metadata.namespace;
  return name === config.metadata.name && (kind ?? config.kind) === config.kind && isBeside;
}
