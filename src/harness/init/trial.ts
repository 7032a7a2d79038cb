// Tries out on a simulated control plane what a configuration composes, with its own functions, which run once for all tries.
// The possible edits and removals of a story are observed, not read off a Composition, which may be in any language.

import {type ProfileName, profiles} from '../../cluster/crossplane/profiles.ts';
import {equal, type JsonObject} from '../../cluster/json.ts';
import {conditionOf, groupKindOf, isTrue, type KubeObject} from '../../cluster/object.ts';
import {managementPoliciesOf} from '../../cluster/provider/policies.ts';
import {annotationResourceName} from '../../cluster/vocabulary.ts';
import type {ResourceSelector} from '../../wire/resource-message.ts';
import {decodeResponse} from '../../wire/response-decode.ts';
import {leadsTo} from '../control-plane/oracle/externals.ts';
import {foreignForms} from '../control-plane/oracle/syncing.ts';
import type {Builtins} from '../functions/builtin.ts';
import type {RemoteReply} from '../functions/drive.ts';
import {type OpenFunctions, openFunctions} from '../functions/function-pool.ts';
import type {FunctionSource} from '../functions/function-source.ts';
import {InputError} from '../input/input-error.ts';
import type {FunctionsUnderTest, RunFunction} from '../library/options.ts';
import {openWorld} from '../library/simulated-world.ts';
import type {World} from '../library/world.ts';

export interface Trials {
  /** Applies the XR to a new world, and then each of `changes`, each until nothing happens any more. */
  run(stage: Stage, xr: KubeObject, changes?: readonly KubeObject[]): Promise<Trial>;
  close(): Promise<void>;
}

/** The world before the XR. */
export interface Stage {
  readonly fixtures: readonly KubeObject[];
  readonly externals: Externals;
}

export type NamedBy = 'author' | 'object';

/** By kind, or kind and group: as in `provider.externals` of a scenario. */
export interface Externals {
  readonly [kind: string]: {readonly namedBy?: NamedBy; readonly shows?: Shown};
}

export interface Shown {
  readonly [field: string]: string;
}

export interface Trial {
  /** After the XR, and after each change: the composed resources by kind and resource name. */
  readonly composed: readonly ReadonlyMap<string, KubeObject>[];
  /** Every kind that a function desired, with what it desired. */
  readonly desired: ReadonlyMap<string, readonly JsonObject[]>;
  /** The requirements of the functions. */
  readonly required: readonly ResourceSelector[];
  readonly isReady: boolean;
  /** External resources that were created: after the XR, and after each change. */
  readonly creates: readonly number[];
  /** Why it did not come to rest or does not sync: a sentence each. */
  readonly problems: readonly string[];
}

export interface TrialOptions {
  readonly functions: {readonly [name: string]: FunctionSource};
  readonly folder: string;
  readonly builtins: Builtins;
  readonly crossplane: ProfileName;
  readonly waitsFor: (what: string | undefined) => void;
  readonly open?: OpenFunctions | undefined;
}

/** Longer than Crossplane waits before it looks again, which it does once a minute where too many events came. */
const patience = {quietMs: 120_000, withinMs: 7_200_000};

export async function openTrials({open = openFunctions, ...options}: TrialOptions): Promise<Trials> {
  const {functions, folder, builtins, crossplane, waitsFor} = options;
  const pool = await open({functions, folder}, {waitsFor});
  const service = profiles[crossplane].functionService;
  let noted = nothingNoted();
  let hung: string | undefined;
  const asked =
    (name: string, source: FunctionSource): RunFunction =>
    async (request) => {
      const own = source.kind === 'builtin' ? builtins[source.name]?.(request, service) : undefined;
      const reply: RemoteReply = own ?? (await pool.call({target: name, service, request, run: 'init'}));
      if (!reply.ok) {
        hung = reply.hung ?? hung;
        throw new Error(reply.message);
      }
      note(reply.response, noted);
      return reply.response;
    };
  const called: FunctionsUnderTest = Object.fromEntries(
    Object.entries(functions).map(([name, source]) => [name, asked(name, source)]),
  );
  return {
    close: () => pool.close(),
    run: async ({fixtures, externals}, xr, changes = []) => {
      noted = nothingNoted();
      const stage = {fixtures: fixtures as never, provider: {externals}};
      await using world = await openWorld({functions: called, crossplane, ...stage});
      const composed: ReadonlyMap<string, KubeObject>[] = [];
      const creates: number[] = [];
      const problems: string[] = [];
      for (const object of [xr, ...changes]) {
        await world.apply(object as never);
        const restless = await world.settle(patience);
        if (hung !== undefined) throw new InputError(hung);
        problems.push(...(restless === undefined ? [] : [restless]), ...world.unsynced(), ...world.stuck());
        problems.push(...onlyObserved(world), ...foreignForms(world.objects()));
        composed.push(composedIn(world));
        creates.push(world.externalCounts().creates);
      }
      const {apiVersion, kind, metadata} = xr;
      const [applied] = world.find({apiVersion, kind, name: metadata.name});
      const isReady = isTrue(applied, 'Ready');
      const {desired, required} = noted;
      return {
        composed,
        desired: Map.groupBy([...desired.values()].flat(), (one) => groupKindOf(one as KubeObject)),
        required: [...required.values()],
        isReady,
        creates,
        problems: [...new Set(problems)],
      };
    },
  };
}

interface Noted {
  /** The last of each version of a kind: what composes one of them more often hides no other. */
  readonly desired: Map<string, JsonObject[]>;
  /** By their content. */
  readonly required: Map<string, ResourceSelector>;
}

function nothingNoted(): Noted {
  return {desired: new Map(), required: new Map()};
}

/** A response that cannot be read is the world's to complain of. */
function note(response: Uint8Array, {desired, required}: Noted): void {
  let answer: ReturnType<typeof decodeResponse>;
  try {
    answer = decodeResponse(response);
  } catch {
    return;
  }
  for (const {object} of answer.desired.resources.values()) {
    const {apiVersion, kind} = object ?? {};
    if (object === undefined || typeof apiVersion !== 'string' || typeof kind !== 'string') continue;
    const key = `${kind}.${apiVersion}`;
    desired.set(key, [...(desired.get(key) ?? []).slice(-50), object]);
  }
  for (const selector of [...answer.requirements.values(), ...answer.extraRequirements.values()])
    required.set(JSON.stringify(selector), selector);
}

/** Why others are not synced, if an XR that composes them is not. */
function onlyObserved(world: World): readonly string[] {
  if (world.unsynced().length === 0) return [];
  const blind = [...composedIn(world).values()].filter(
    (object) =>
      equal([...(managementPoliciesOf(object) ?? [])], ['Observe']) &&
      conditionOf(object, 'Synced')?.status === 'False',
  );
  return blind.map(
    (object) =>
      `${object.kind} "${resourceNameOf(object)}" only observes, and the simulated cloud has no "${leadsTo(object)}": list it in \`provider.externals.${object.kind}.exist\``,
  );
}

function composedIn(world: World): ReadonlyMap<string, KubeObject> {
  const composed = world
    .objects()
    .filter((object) => object.metadata.annotations?.[annotationResourceName] !== undefined);
  return new Map(composed.map((object) => [`${object.kind} ${resourceNameOf(object)}`, object]));
}

export function resourceNameOf({metadata}: KubeObject): string {
  return metadata.annotations?.[annotationResourceName] ?? metadata.name;
}
