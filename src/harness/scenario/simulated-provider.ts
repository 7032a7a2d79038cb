import {defaultConfig} from '../../cluster/cloud/cloud-config.ts';
import {cloudModel} from '../../cluster/cloud/cloud-ledger.ts';
import type {Process} from '../../cluster/kernel/process.ts';
import {groupKindOf} from '../../cluster/object.ts';
import {managedProvider} from '../../cluster/provider/managed-provider.ts';
import {defaultNopOptions, nopProvider} from '../../cluster/provider/nop-provider.ts';
import type {ControlPlaneParts} from '../control-plane/control-plane.ts';
import {managedKindsOf} from '../control-plane/managed-kinds.ts';
import {configKindsOf} from '../control-plane/provider-configs.ts';
import {appliedBy} from './known-names.ts';
import type {Scenario} from './scenario.ts';

/** The provider of a scenario, for every managed kind among its fixtures, and the cloud it works on. */
export function providerOf({
  provider,
  fixtures,
  steps = [],
}: Pick<Scenario, 'provider' | 'fixtures'> & Partial<Pick<Scenario, 'steps'>>): Pick<
  ControlPlaneParts,
  'provider' | 'cloud'
> {
  const kinds = managedKindsOf(fixtures, provider);
  if (provider.kind === 'nop') {
    const options = {...defaultNopOptions, readyDelayMs: provider.readyAfterMs, deleteDelayMs: provider.deleteAfterMs};
    return {provider: nopProvider(kinds.map(groupKindOf), options) as unknown as Process<never>};
  }
  const delays = (readyAfterMs: number, deleteAfterMs: number) => ({
    createDelayMs: readyAfterMs,
    deleteDelayMs: deleteAfterMs,
  });
  const {readyAfterMs, deleteAfterMs} = provider;
  const types = Object.entries(provider.kinds).map(([kind, own]) => [
    kind,
    delays(own.readyAfterMs ?? readyAfterMs, own.deleteAfterMs ?? deleteAfterMs),
  ]);
  const configs = configKindsOf(fixtures, steps.flatMap(appliedBy));
  const cloud = {...defaultConfig, ...delays(readyAfterMs, deleteAfterMs), types: Object.fromEntries(types)};
  return {
    provider: managedProvider({name: 'provider', kinds, configs}) as unknown as Process<never>,
    cloud: cloudModel(cloud),
  };
}
