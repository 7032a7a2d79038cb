// The provider of a scenario and the cloud it works on: one program for every managed kind among the fixtures, or where the
// scenario has packages one for each of them, which runs as long as its Deployment does, and one for what no package has.

import {type CloudConfig, defaultConfig} from '../../cluster/cloud/cloud-config.ts';
import {cloudModel} from '../../cluster/cloud/cloud-ledger.ts';
import {namespaceCrossplane} from '../../cluster/crossplane/packages/provider-runtime.ts';
import type {Process} from '../../cluster/kernel/process.ts';
import {groupKindOf, type KubeObject} from '../../cluster/object.ts';
import type {ManagedKind} from '../../cluster/provider/managed-kind.ts';
import {managedProvider} from '../../cluster/provider/managed-provider.ts';
import {defaultNopOptions, nopProvider} from '../../cluster/provider/nop-provider.ts';
import type {ConfigKind, KnownSecrets} from '../../cluster/provider/provider-config.ts';
import {providerPods} from '../../cluster/provider/provider-pods.ts';
import type {ControlPlaneParts} from '../control-plane/control-plane.ts';
import {withExisting} from '../control-plane/existing-externals.ts';
import {cloudTypeOf, managedKindsOf} from '../control-plane/managed-kinds.ts';
import {configKindsOf, configsOfRuntime, knownSecrets} from '../control-plane/provider-configs.ts';
import {appliedBy} from './known-names.ts';
import type {Scenario} from './scenario.ts';

type SimulatedStory = Pick<Scenario, 'provider' | 'fixtures'> & Partial<Pick<Scenario, 'steps' | 'packages'>>;

/** The provider of a scenario, for every managed kind among its fixtures, and the cloud it works on. */
export function providerOf(story: SimulatedStory): Pick<ControlPlaneParts, 'provider' | 'cloud' | 'packages'> {
  const {provider, fixtures} = story;
  if (provider.kind === 'nop') {
    const options = {...defaultNopOptions, readyDelayMs: provider.readyAfterMs, deleteDelayMs: provider.deleteAfterMs};
    const kinds = managedKindsOf(fixtures, provider);
    return {provider: nopProvider(kinds.map(groupKindOf), options) as unknown as Process<never>};
  }
  const cloud = cloudModel(cloudOf(provider));
  return {...programOf(story), cloud: {...cloud, initial: withExisting(cloud.initial, provider, 0)}};
}

/** The cloud, as long as its requests take by the scenario. */
export function cloudOf({readyAfterMs, deleteAfterMs, kinds, externals}: Scenario['provider']): CloudConfig {
  const delays = (createDelayMs: number, deleteDelayMs: number) => ({createDelayMs, deleteDelayMs});
  const types = Object.entries(kinds).map(([word, own]) => [
    cloudTypeOf(word, externals),
    delays(own.readyAfterMs ?? readyAfterMs, own.deleteAfterMs ?? deleteAfterMs),
  ]);
  return {...defaultConfig, ...delays(readyAfterMs, deleteAfterMs), types: Object.fromEntries(types)};
}

/** The provider of all, or one for each package and one for what no package has. */
function programOf(story: SimulatedStory): Pick<ControlPlaneParts, 'provider' | 'packages'> {
  const {provider, fixtures, packages, steps = []} = story;
  const others = steps.flatMap(appliedBy);
  const secrets = knownSecrets([...fixtures, ...others]);
  const configsIn = (...objects: Parameters<typeof configKindsOf>) =>
    configsOfRuntime(provider.runtime, configKindsOf(...objects));
  if (packages === undefined)
    return {provider: program(managedKindsOf(fixtures, provider), secrets, configsIn(fixtures, others))};
  const everything = [...fixtures, ...Object.values(packages).flatMap(({objects}) => objects)];
  const configs = configsIn(everything, others);
  const of = (objects: readonly KubeObject[]): Process<never> => {
    // A reference to a kind may be in another package.
    const count = managedKindsOf(objects, provider).length;
    const kinds = managedKindsOf([...objects, ...everything], provider).slice(0, count);
    return program(kinds, secrets, configs, configsIn(objects, [...everything, ...others]));
  };
  const packaged = Object.entries(packages).map(([reference, {objects}]) => [reference, of(objects)] as const);
  const hosted = providerPods({
    always: of(fixtures),
    packaged: Object.fromEntries(packaged),
    namespace: namespaceCrossplane,
  });
  return {provider: hosted as unknown as Process<never>, packages};
}

function program(
  kinds: readonly ManagedKind[],
  secrets: KnownSecrets,
  configs: readonly ConfigKind[],
  ownConfigs: readonly ConfigKind[] = configs,
): Process<never> {
  return managedProvider({name: 'provider', kinds, secrets, configs, ownConfigs}) as unknown as Process<never>;
}
