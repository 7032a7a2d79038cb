// Random sequences of writes: a real API server's answers and objects against ours.

import type {KubeObject} from '../../src/cluster/object.ts';
import type {JsonObject} from '../../src/wire/json.ts';
import {openSignatures} from './recordings.ts';
import type {Suite} from './search.ts';
import {type Sequence, sequencesFor} from './server-sequences.ts';
import {tell} from './server-tell.ts';
import type {ApiServer} from './server-theirs.ts';
import {differenceIn, type ToldSequence} from './server-told.ts';

export interface ServerSuite extends Suite<Sequence> {
  /** Tells the sequence once more, as a recording. */
  recording(sequence: Sequence): Promise<ToldSequence>;
}

/** Installs the kinds. */
export async function serverSuite(server: ApiServer, kinds: readonly KubeObject[]): Promise<ServerSuite> {
  for (const kind of kinds) await install(server, kind);
  let id = 0;
  return {
    known: openSignatures('server'),
    stories: sequencesFor(kinds as unknown as readonly JsonObject[]),
    compare: async (sequence) => differenceIn(await tell(server, sequence, id++), kinds),
    recording: (sequence) => tell(server, sequence, id++),
  };
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
