// A real API server of custom resources: k8s.io/apiextensions-apiserver with an etcd of its own, both on loopback and
// in a folder that goes with them. Sequences are told to it over HTTPS, one after the other, and come back in the form
// of the recordings (test/recordings/README.md).

import {type ChildProcess, spawn} from 'node:child_process';
import {generateKeyPairSync} from 'node:crypto';
import {mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import {Agent, request as httpsRequest} from 'node:https';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {freePort} from '../../src/harness/functions/function-pool.ts';
import {InputError} from '../../src/harness/input/input-error.ts';
import type {Json, JsonObject} from '../../src/wire/json.ts';

export interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

export interface ApiServer {
  send(request: {
    readonly method: string;
    readonly path: string;
    readonly contentType?: string;
    readonly body?: Json;
  }): Promise<Answer>;
  close(): Promise<void>;
}

const startTimeoutMs = 120_000;
const token = 'teller';

export interface Binaries {
  readonly apiserver: string;
  readonly etcd: string;
  /** It is a whole kube-apiserver, with Kubernetes' own kinds. */
  readonly native?: true;
}

export async function openApiServer(binaries: Binaries): Promise<ApiServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tether-apiserver-'));
  const children: ChildProcess[] = [];
  const judge = await openJudge();
  const close = async (): Promise<void> => {
    judge.closeAllConnections();
    judge.close();
    for (const child of children.toReversed()) await ended(child);
    rmSync(folder, {recursive: true, force: true});
  };
  try {
    const [client, peer, secure] = [await freePort(), await freePort(), await freePort()];
    children.push(start(binaries.etcd, etcdFlags(folder, client, peer), folder, 'etcd'));
    children.push(
      start(
        binaries.apiserver,
        binaries.native === true
          ? kubeFlags(folder, {etcd: client, port: secure})
          : serverFlags(folder, {etcd: client, port: secure, judge: (judge.address() as AddressInfo).port}),
        folder,
        'apiserver',
      ),
    );
    const agent = new Agent({keepAlive: true, maxSockets: 1, rejectUnauthorized: false});
    const server: ApiServer = {
      send: (request) => send(agent, secure, request),
      close: async () => {
        agent.destroy();
        await close();
      },
    };
    await ready(server, children, folder);
    return server;
  } catch (error) {
    await close();
    throw error;
  }
}

function start(binary: string, flags: readonly string[], folder: string, name: string): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), 'w');
  const child = spawn(binary, flags, {stdio: ['ignore', log, log]});
  child.on('error', () => undefined);
  return child;
}

function etcdFlags(folder: string, client: number, peer: number): readonly string[] {
  const urls = {client: `http://127.0.0.1:${client}`, peer: `http://127.0.0.1:${peer}`};
  return [
    `--data-dir=${join(folder, 'data')}`,
    `--listen-client-urls=${urls.client}`,
    `--advertise-client-urls=${urls.client}`,
    `--listen-peer-urls=${urls.peer}`,
    `--initial-advertise-peer-urls=${urls.peer}`,
    `--initial-cluster=default=${urls.peer}`,
    '--unsafe-no-fsync',
  ];
}

/** Answers the API server's reviews of tokens and of requests. It listens on loopback alone, and allows every token everything. */
async function openJudge(): Promise<Server> {
  const verdicts = {
    subjectaccessreviews: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      status: {allowed: true},
    },
    tokenreviews: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      status: {authenticated: true, user: {username: token}},
    },
  };
  const judge = createServer((request, response) => {
    const verdict = Object.entries(verdicts).find(([name]) => request.url?.includes(`/${name}`) === true)?.[1];
    const isReview = request.method === 'POST' && verdict !== undefined;
    request.resume();
    response.writeHead(isReview ? 201 : 404, {'content-type': 'application/json'});
    response.end(JSON.stringify(isReview ? verdict : {}));
  });
  await new Promise<void>((resolve) => judge.listen(0, '127.0.0.1', resolve));
  return judge;
}

/** Alone: no cluster behind it, and no admission but its own. */
function serverFlags(folder: string, ports: {readonly etcd: number; readonly port: number; readonly judge: number}) {
  const kubeconfig = join(folder, 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{name: 'judge', cluster: {server: `http://127.0.0.1:${ports.judge}`}}],
    contexts: [{name: 'judge', context: {cluster: 'judge', user: ''}}],
    'current-context': 'judge',
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  mkdirSync(join(folder, 'certificates'));
  return [
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    `--kubeconfig=${kubeconfig}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${ports.port}`,
    `--cert-dir=${join(folder, 'certificates')}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--authentication-skip-lookup',
    '--authorization-webhook-cache-authorized-ttl=1h',
    '--enable-priority-and-fairness=false',
    '--disable-admission-plugins=NamespaceLifecycle,MutatingAdmissionPolicy,MutatingAdmissionWebhook,ValidatingAdmissionPolicy,ValidatingAdmissionWebhook',
  ];
}

/** A kube-apiserver without anything beside it, where one token may do everything. */
function kubeFlags(folder: string, ports: {readonly etcd: number; readonly port: number}): readonly string[] {
  const key = join(folder, 'accounts.pem');
  const {privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048});
  writeFileSync(key, privateKey.export({type: 'pkcs1', format: 'pem'}));
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, `${token},${token},${token},system:masters\n`);
  mkdirSync(join(folder, 'certificates'));
  return [
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${ports.port}`,
    `--cert-dir=${join(folder, 'certificates')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    `--token-auth-file=${tokens}`,
    '--authorization-mode=RBAC',
    '--allow-privileged',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--endpoint-reconciler-type=none',
    '--enable-priority-and-fairness=false',
    '--disable-admission-plugins=NamespaceLifecycle,ServiceAccount,LimitRanger,ResourceQuota,StorageObjectInUseProtection',
  ];
}

async function ready(server: ApiServer, children: readonly ChildProcess[], folder: string): Promise<void> {
  const end = Date.now() + startTimeoutMs;
  for (;;) {
    const dead = children.findIndex(
      ({exitCode, signalCode, pid}) => exitCode !== null || signalCode !== null || pid === undefined,
    );
    if (dead >= 0)
      throw new InputError(`cannot start the ${dead === 0 ? 'etcd' : 'apiserver'}: ${lastLine(folder, dead)}`);
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const answered = await server.send({method: 'GET', path}).catch(() => undefined);
    if (answered?.code === 200) return;
    if (Date.now() > end)
      throw new InputError(`the apiserver must be ready in ${startTimeoutMs / 1000} s: ${lastLine(folder, 1)}`);
    await sleep(200);
  }
}

function lastLine(folder: string, index: number): string {
  const text = readFileSync(join(folder, index === 0 ? 'etcd.log' : 'apiserver.log'), 'utf8').trim();
  return text.split('\n').at(-1) || 'it said nothing';
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

function send(
  agent: Agent,
  port: number,
  {method, path, contentType = 'application/json', body}: Parameters<ApiServer['send']>[0],
): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(text === undefined ? {} : {'content-type': contentType, 'content-length': Buffer.byteLength(text)}),
  };
  return new Promise((resolve, reject) => {
    const call = httpsRequest({agent, host: '127.0.0.1', port, method, path, headers}, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        try {
          const read = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
          resolve({code: response.statusCode ?? 0, body: read});
        } catch (error) {
          reject(error as Error);
        }
      });
    });
    call.on('error', reject);
    call.end(text);
  });
}
