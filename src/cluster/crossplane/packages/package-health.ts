// The health conditions of a package and of its revisions. crossplane/crossplane 2d040d2da apis/pkg/v1/conditions.go; v1.16.1
// internal/controller/pkg/manager/reconciler.go for the versions with one condition.

import {conditionOf, type KubeObject} from '../../object.ts';
import type {Mark} from '../conditions.ts';
import type {Profile} from '../profile.ts';

/** `revision`: what the package has is established. `runtime`: the provider runs. Before v2 both are one. */
type Part = 'revision' | 'runtime';

export function healthy(part: Part, profile: Profile): Mark {
  return {type: typeOf(part, profile), status: 'True', reason: 'HealthyPackageRevision'};
}

export function unhealthy(part: Part, message: string, profile: Profile): Mark {
  return {type: typeOf(part, profile), status: 'False', reason: 'UnhealthyPackageRevision', message};
}

export const runtimeActive: Mark = {type: 'RuntimeActive', status: 'True', reason: 'ActiveRuntime'};

export const awaitingActivation: Mark = {
  type: 'RuntimeActive',
  status: 'False',
  reason: 'AwaitingActivation',
  message: 'Package runtime is scaled to zero; awaiting the first ManagedResourceDefinition to be activated',
};

function typeOf(part: Part, {packageHealth}: Profile): string {
  if (packageHealth === 'one') return 'Healthy';
  return part === 'revision' ? 'RevisionHealthy' : 'RuntimeHealthy';
}

/** The condition Healthy of a package whose current revision this is; undefined where it has none yet. */
export function packageHealth(revision: KubeObject | undefined, profile: Profile): Mark {
  return profile.packageHealth === 'one' ? asOf(revision) : asOfBoth(revision);
}

function asOf(revision: KubeObject | undefined): Mark {
  const found = conditionOf(revision, 'Healthy');
  const told = found?.message === undefined ? {} : {message: found.message};
  switch (found?.status) {
    case 'True':
      return {type: 'Healthy', status: 'True', reason: 'HealthyPackageRevision'};
    case 'False':
      return {type: 'Healthy', status: 'False', reason: 'UnhealthyPackageRevision', ...told};
    default:
      return {type: 'Healthy', status: 'Unknown', reason: 'UnknownPackageRevisionHealth', ...told};
  }
}

function asOfBoth(revision: KubeObject | undefined): Mark {
  const activity = conditionOf(revision, 'RuntimeActive');
  const awaits = activity?.reason === awaitingActivation.reason;
  for (const part of ['revision', 'runtime'] as const) {
    const found = conditionOf(revision, part === 'revision' ? 'RevisionHealthy' : 'RuntimeHealthy');
    if (found?.status === 'True') continue;
    const said = found?.message === undefined ? '' : ` with message: ${found.message}`;
    const idle = part === 'runtime' && awaits ? '; runtime is scaled to zero awaiting activation' : '';
    const message = `Package ${part} health is "${found?.status ?? 'Unknown'}"${said}${idle}`;
    return {type: 'Healthy', status: 'False', reason: 'UnhealthyPackageRevision', message};
  }
  if (!awaits) return {type: 'Healthy', status: 'True', reason: 'HealthyPackageRevision'};
  const {reason, message = ''} = awaitingActivation;
  return {type: 'Healthy', status: 'True', reason, message};
}
