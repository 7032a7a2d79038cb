// Credentials for a registry, from the files of `docker login`: `config.json` in $DOCKER_CONFIG or ~/.docker, and the credential
// helpers that it names (github.com/docker/cli cli/config, github.com/docker/docker-credential-helpers). Credentials are sent to
// their registry only, and never printed.

import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {InputError} from '../input/input-error.ts';
import {isDockerHub} from './image-reference.ts';

export type Credentials =
  | {readonly kind: 'anonymous'}
  | {readonly kind: 'password'; readonly user: string; readonly password: string}
  /** For a token, in the place of a password. */
  | {readonly kind: 'refresh-token'; readonly token: string};

interface DockerConfig {
  readonly auths?: {readonly [registry: string]: Auth};
  readonly credHelpers?: {readonly [registry: string]: string};
  readonly credsStore?: string;
}

interface Auth {
  readonly auth?: string;
  readonly username?: string;
  readonly password?: string;
  readonly identitytoken?: string;
}

interface Environment {
  readonly [name: string]: string | undefined;
}

const anonymous: Credentials = {kind: 'anonymous'};
const helperTimeoutMs = 10_000;

/** Throws InputError where the configuration cannot be read or its helper does not answer. */
export function dockerCredentials(registry: string, env: Environment = process.env): Credentials {
  const file = join(env['DOCKER_CONFIG'] ?? join(env['HOME'] ?? homedir(), '.docker'), 'config.json');
  const config = readConfig(file);
  const names = namesOf(registry);
  const helper = names.map((name) => config.credHelpers?.[name]).find((one) => one !== undefined) ?? config.credsStore;
  if (helper !== undefined && helper !== '') {
    const answer = names.map((name) => fromHelper(helper, name, env)).find(({kind}) => kind !== 'anonymous');
    if (answer !== undefined) return answer;
  }
  const auth = names.map((name) => config.auths?.[name]).find((one) => one !== undefined);
  return auth === undefined ? anonymous : fromAuth(auth);
}

/** The names of a registry in the configuration. */
function namesOf(registry: string): readonly string[] {
  if (isDockerHub(registry)) return ['https://index.docker.io/v1/', 'index.docker.io', 'docker.io'];
  return [registry, `https://${registry}`, `https://${registry}/`, `http://${registry}`];
}

function readConfig(file: string): DockerConfig {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {};
  }
  try {
    return (JSON.parse(text) ?? {}) as DockerConfig;
  } catch {
    throw new InputError('cannot read the credentials of registries: expected JSON', {place: file});
  }
}

function fromAuth({auth, username, password, identitytoken}: Auth): Credentials {
  if (identitytoken !== undefined && identitytoken !== '') return {kind: 'refresh-token', token: identitytoken};
  if (auth !== undefined && auth !== '') {
    const text = Buffer.from(auth, 'base64').toString('utf8');
    const colon = text.indexOf(':');
    return {kind: 'password', user: text.slice(0, colon), password: text.slice(colon + 1).replace(/\0+$/, '')};
  }
  return username === undefined || password === undefined ? anonymous : {kind: 'password', user: username, password};
}

/** A helper without credentials exits with code 1; that is no failure. */
function fromHelper(helper: string, registry: string, env: Environment): Credentials {
  const program = `docker-credential-${helper}`;
  const {status, stdout, error} = spawnSync(program, ['get'], {
    input: registry,
    encoding: 'utf8',
    timeout: helperTimeoutMs,
    env,
  });
  if (error !== undefined)
    throw new InputError(`cannot ask ${program} for the credentials of ${registry}: ${error.message}`);
  if (status !== 0) return anonymous;
  try {
    const {Username: user, Secret: secret} = JSON.parse(stdout) as {Username: string; Secret: string};
    return user === '<token>' ? {kind: 'refresh-token', token: secret} : {kind: 'password', user, password: secret};
  } catch {
    throw new InputError(`cannot read what ${program} answers for ${registry}: expected JSON with Username and Secret`);
  }
}
