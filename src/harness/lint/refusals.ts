// The objects of a folder that the API server refuses: each definition, Composition and example is applied as it is written,
// to a simulated control plane of its own that has what the object needs. No function runs. CustomResourceDefinitions of
// providers are not applied: they are many, and generated.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import {versionsOf} from '../../cluster/defined-kinds.ts';
import {isTrue, type KubeObject, versionOf} from '../../cluster/object.ts';
import {namespaceProblems} from '../../cluster/schema/name-rules.ts';
import {defines} from '../init/chosen-api.ts';
import type {Configuration, Found} from '../init/configuration.ts';
import {InputError} from '../input/input-error.ts';
import {openWorld} from '../library/simulated-world.ts';
import type {World} from '../library/world.ts';
import {asWritten, placeIn} from './composition-steps.ts';
import type {Finding} from './finding.ts';

/** By what is refused. */
export async function refusals(
  {definitions, others}: Configuration,
  compositions: readonly Found[],
  crossplane: ProfileName,
): Promise<ReadonlyMap<Found, Finding>> {
  const refused = new Map<Found, Finding>();
  for (const found of [...definitions, ...compositions]) {
    const sentence = await refusalOf(found.object, [], crossplane);
    if (sentence !== undefined) refused.set(found, findingAt(found, sentence, crossplane));
  }
  const sound = definitions.filter((one) => !refused.has(one));
  for (const example of others.filter(isWritten)) {
    const sentence = await refusedByAll(asWritten(example.object), sound, crossplane);
    if (sentence !== undefined) refused.set(example, findingAt(example, sentence, crossplane));
  }
  return refused;
}

/** True if a person wrote it: a control plane and `crossplane render` write a status, and the latter leaves fields out. */
export function isWritten({object}: Found): boolean {
  return object.status === undefined;
}

/** A folder may have several definitions of one kind: an example is of one of them, which takes it. */
async function refusedByAll(example: KubeObject, definitions: readonly Found[], crossplane: ProfileName) {
  const serving = definitions.filter((one) => serves(one.object, example));
  const alone = serving.length === 0 ? onlyDefinition(definitions, example) : undefined;
  let first: string | undefined;
  for (const {object} of alone === undefined ? serving : [alone]) {
    const sentence = await refusalOf(example, [object], crossplane);
    if (sentence === undefined) return undefined;
    first ??= sentence;
  }
  return first;
}

export function serves(definition: KubeObject, object: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return servedBy(definition).includes(versionOf(object.apiVersion)) && defines(definition, object);
}

/** The definition of the kind in any version; undefined where there are several, since what they lack may be in yet another. */
export function onlyDefinition(
  definitions: readonly Found[],
  object: Pick<KubeObject, 'apiVersion' | 'kind'>,
): Found | undefined {
  const [first, another] = definitions.filter((one) => defines(one.object, object));
  return another === undefined ? first : undefined;
}

/** The versions that it serves. */
export function servedBy(definition: KubeObject): readonly string[] {
  return versionsOf(definition).flatMap(({served, name}) => (served === true ? [String(name)] : []));
}

/** The sentence of the API server; undefined if it takes the object. */
async function refusalOf(object: KubeObject, needs: readonly KubeObject[], crossplane: ProfileName) {
  const {namespace = 'default'} = object.metadata;
  const namespaces = namespace === 'default' || namespaceProblems(namespace).length > 0 ? [] : [namespaceOf(namespace)];
  await using world = await openWorld({functions: {}, fixtures: [...namespaces, ...needs] as never, crossplane});
  try {
    await world.apply(object as never);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message.replace(/^(?:cannot apply \S+ "[^"]*": |apply\[0\]\.)/, '');
  }
  return object.kind === 'CompositeResourceDefinition' ? await notEstablished(world) : undefined;
}

/** The API server refused the CustomResourceDefinition that Crossplane makes of the definition. */
async function notEstablished(world: World): Promise<string | undefined> {
  await world.settle();
  const definition = world.objects().find(({kind}) => kind === 'CompositeResourceDefinition');
  if (definition !== undefined && isTrue(definition, 'Established')) return undefined;
  const failures = world.timeline().flatMap(({change}) => (change.kind === 'event' ? [change.message] : []));
  return failures[0] ?? 'it is not Established';
}

/** The refusals of the API server in this world, each with its reason. */
export function refusalsSeen(world: World): readonly string[] {
  return world
    .timeline()
    .flatMap(({change}) => (change.kind === 'refused' ? [`${change.about} is refused: ${change.message}`] : []));
}

function namespaceOf(name: string): KubeObject {
  return {apiVersion: 'v1', kind: 'Namespace', metadata: {name}};
}

function findingAt(found: Found, why: string, crossplane: ProfileName): Finding {
  const {kind, metadata} = found.object;
  const sentence = `on Crossplane ${crossplane}: ${why}`;
  return {class: 'refused', place: placeIn(found, pathIn(why)), object: `${kind}/${metadata.name}`, sentence};
}

/** The path that the sentence begins with, or names in brackets: `.spec.pipeline: ...`, `(spec.names[0]: ...`. */
function pathIn(sentence: string): readonly (string | number)[] {
  const [, path = ''] = /(?:^|[\s[(])\.?((?:metadata|spec)\b[\w.[\]-]*):/.exec(sentence) ?? [];
  return path.split(/[.[\]]+/).flatMap((part) => (part === '' ? [] : [/^\d+$/.test(part) ? Number(part) : part]));
}
