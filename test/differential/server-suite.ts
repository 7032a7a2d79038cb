// Random sequences of writes: a real API server's answers and objects against ours.

import fc from 'fast-check';
import type {KubeObject} from '../../src/cluster/object.ts';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import {type AnsweredSequence, differenceIn, withoutChance} from './answered-sequence.ts';
import {tell} from './ask-server.ts';
import {ruledKinds} from './drawn-rules.ts';
import {nativeSequences} from './native-sequences.ts';
import {openSignatures} from './recordings.ts';
import type {Suite} from './search.ts';
import {type Sequence, sequencesFor} from './server-sequences.ts';
import type {ApiServer} from './server-theirs.ts';

export interface ServerSuite extends Suite<Sequence> {
  /** Tells the sequence once more, as a recording. */
  recording(sequence: Sequence): Promise<AnsweredSequence>;
}

/** How many kinds with rules are drawn. Installing one takes the server as long as many stories. */
const drawnKinds = 12;

/** Installs the kinds, and others with rules drawn from the seed. */
export async function serverSuite(
  server: ApiServer,
  fixed: readonly KubeObject[],
  {seed}: {readonly seed: number},
): Promise<ServerSuite> {
  for (const kind of fixed) await install(server, kind);
  const drawn: KubeObject[] = [];
  for (const kind of fc.sample(ruledKinds, {seed, numRuns: drawnKinds})) {
    drawn.push(await installTaken(server, numbered(kind, drawn.length)));
  }
  const kinds = [...fixed, ...drawn];
  let id = 0;
  const told = async (sequence: Sequence): Promise<AnsweredSequence> => {
    const definition = drawn.find(({spec}) => (spec as {names: {kind: string}}).names.kind === sequence.kind);
    const plain = await tell(server, sequence, id++);
    return definition === undefined ? plain : {...plain, definition: definition as unknown as JsonObject};
  };
  return {
    known: openSignatures('server'),
    stories: sequencesFor(kinds as unknown as readonly JsonObject[]),
    compare: async (sequence) => differenceIn(await told(sequence), fixed),
    recording: told,
  };
}

/** Kubernetes' own kinds, of which nothing is installed. */
export function nativeSuite(server: ApiServer): ServerSuite {
  let id = 0;
  const told = async (sequence: Sequence): Promise<AnsweredSequence> =>
    withoutChance({...(await tell(server, sequence, id++)), apiVersion: sequence.apiVersion});
  return {
    known: openSignatures('native'),
    stories: nativeSequences,
    compare: async (sequence) => differenceIn(await told(sequence), []),
    recording: told,
  };
}

function numbered(kind: KubeObject, number: number): KubeObject {
  const text = JSON.stringify(kind).replaceAll('drawn', `drawn${number}x`).replaceAll('Drawn', `Drawn${number}`);
  return JSON.parse(text) as KubeObject;
}

/** Without the rules that the server does not take: some drawn ones cost too much, or fit no type. */
async function installTaken(server: ApiServer, kind: KubeObject): Promise<KubeObject> {
  let left = kind;
  for (let tries = 0; tries < 20; tries++) {
    const refused = await refusedRules(server, left);
    if (refused.length === 0) {
      await install(server, left);
      return left;
    }
    left = withoutRules(left, refused);
  }
  throw new Error(`cannot install ${kind.metadata.name}: its rules are refused again and again`);
}

/** Where the rules are that a dry run names: `properties[spec].x-kubernetes-validations[0].rule`. */
async function refusedRules(server: ApiServer, kind: KubeObject): Promise<readonly string[]> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All';
  const {code, body} = await server.send({method: 'POST', path, body: kind as unknown as JsonObject});
  if (code === 201) return [];
  const causes = ((body['details'] as JsonObject | undefined)?.['causes'] ?? []) as readonly JsonObject[];
  const places = causes.map(({field}) => /^spec\.validation\.openAPIV3Schema\.(.*\[\d+\].*)$/.exec(String(field))?.[1]);
  const rules = places.filter((place) => place !== undefined);
  if (rules.length === 0) throw new Error(`cannot install ${kind.metadata.name}: ${code} ${JSON.stringify(body)}`);
  return rules;
}

type Schema = {[key: string]: Json | Schema};

function withoutRules(kind: KubeObject, refused: readonly string[]): KubeObject {
  const copy = structuredClone(kind) as unknown as {spec: {versions: {schema: {openAPIV3Schema: Schema}}[]}};
  for (const place of refused) {
    let at = copy.spec.versions[0]?.schema.openAPIV3Schema as Schema;
    const steps = place.replaceAll(/\[([^\]]*)\]/g, '/$1').split(/\.(?=[a-z])|\//);
    for (const step of steps.slice(0, -1)) at = at[step] as Schema;
    // Emptied, so that the places of the others stay.
    if (steps.at(-1) === 'messageExpression') delete at['messageExpression'];
    else {
      for (const key of Object.keys(at)) delete at[key];
      at['rule'] = 'true';
    }
  }
  return copy as unknown as KubeObject;
}

async function install(server: ApiServer, kind: KubeObject): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const {code, body} = await server.send({method: 'POST', path, body: kind as unknown as JsonObject});
  if (code !== 201) throw new Error(`cannot install ${kind.metadata.name}: ${code} ${JSON.stringify(body['message'])}`);
  const {group, names, versions} = kind.spec as {
    group: string;
    names: {plural: string};
    versions: readonly {name: string}[];
  };
  const list = `/apis/${group}/${versions[0]?.name}/${names.plural}`;
  for (let tries = 0; tries < 200; tries++) {
    if ((await server.send({method: 'GET', path: list}).catch(() => ({code: 0}))).code === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${kind.metadata.name} is not served within 20 s`);
}
