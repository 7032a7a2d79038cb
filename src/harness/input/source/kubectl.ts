// The user's kubeconfig through the user's own kubectl: whatever it takes to log in, kubectl can. A source is read by `get --raw`,
// which sends GET and nothing else; only reports that were asked for are written. A client library (@kubernetes/client-node 2.0.1: 68 packages, 83 MB) would know less of logging in.

import {type ExecFileException, execFile} from 'node:child_process';
import {InputError} from '../input-error.ts';

export interface ClusterAccess {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  /** Ends a kubectl that still runs. */
  readonly ending?: AbortSignal | undefined;
}

type Answer =
  | {readonly kind: 'json'; readonly bytes: Uint8Array}
  /** The server has no such kind, or does not let this user read it. */
  | {readonly kind: 'not-served'}
  | {readonly kind: 'forbidden'};

const answerBytesMax = 500 * 1024 * 1024;

/** Throws InputError where there is no kubectl or no cluster. */
export function getRaw(path: string, access: ClusterAccess): Promise<Answer> {
  if (/\/secrets(?:[/?]|$)/.test(path)) throw new Error('Secrets are never read');
  const options = {encoding: 'buffer', maxBuffer: answerBytesMax, ...endedBy(access)} as const;
  return new Promise((resolve, reject) => {
    execFile('kubectl', [...flagsOf(access), 'get', '--raw', path], options, (error, stdout, stderr) => {
      if (error === null) return resolve({kind: 'json', bytes: stdout});
      const said = stderr.toString('utf8').trim();
      if (/NotFound|could not find the requested resource/.test(said)) return resolve({kind: 'not-served'});
      if (/Forbidden|is forbidden/.test(said)) return resolve({kind: 'forbidden'});
      return reject(new InputError(`cannot read the cluster: ${problemOf(error, said)}`));
    });
  });
}

/** Applies objects server-side, as `manager`. Throws InputError if one is refused. */
export function applyObjects(text: string, manager: string, access: ClusterAccess): Promise<void> {
  const args = ['apply', '--server-side', '--force-conflicts', `--field-manager=${manager}`, '--filename=-'];
  return new Promise((resolve, reject) => {
    const {stdin} = execFile('kubectl', [...flagsOf(access), ...args], endedBy(access), (error, _, stderr) => {
      if (error === null) return resolve();
      return reject(new InputError(`cannot write to the cluster: ${problemOf(error, stderr.trim())}`));
    });
    // A kubectl that cannot start reads nothing, and says so itself.
    stdin?.on('error', () => {});
    stdin?.end(text);
  });
}

function flagsOf({kubeconfig, context}: ClusterAccess): readonly string[] {
  return [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined ? [] : ['--context', context]),
  ];
}

function endedBy({ending}: ClusterAccess): {readonly signal?: AbortSignal} {
  return ending === undefined ? {} : {signal: ending};
}

/** A kubectl that ends without a word, such as one that is killed, has an exit code or a signal still. */
function problemOf({code, signal, message}: ExecFileException, said: string): string {
  if (code === 'ENOENT') return 'there is no kubectl on PATH';
  if (said !== '') return `kubectl says ${said.split('\n').at(-1)}`;
  if (typeof code === 'number') return `kubectl ended with exit code ${code} and gave no reason`;
  return typeof signal === 'string' ? `kubectl was ended by ${signal}` : message;
}
