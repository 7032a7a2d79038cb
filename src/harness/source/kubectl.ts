// The user's kubeconfig through the user's own kubectl: whatever it takes to log in, kubectl can. `get --raw` sends GET and
// nothing else. A client library (@kubernetes/client-node 2.0.1: 68 packages, 83 MB) would know less of logging in.

import {execFile} from 'node:child_process';
import {InputError} from '../input/input-error.ts';

export interface ClusterAccess {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

type Answer =
  | {readonly kind: 'json'; readonly bytes: Uint8Array}
  /** The server has no such kind, or does not let this user read it. */
  | {readonly kind: 'not-served'}
  | {readonly kind: 'forbidden'};

const answerBytesMax = 500 * 1024 * 1024;

/** Throws InputError where there is no kubectl or no cluster. */
export function getRaw(path: string, {kubeconfig, context}: ClusterAccess): Promise<Answer> {
  if (/\/secrets(?:[/?]|$)/.test(path)) throw new Error('Secrets are never read');
  const where = [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined ? [] : ['--context', context]),
  ];
  const options = {encoding: 'buffer', maxBuffer: answerBytesMax} as const;
  return new Promise((resolve, reject) => {
    execFile('kubectl', [...where, 'get', '--raw', path], options, (error, stdout, stderr) => {
      if (error === null) return resolve({kind: 'json', bytes: stdout});
      const said = stderr.toString('utf8').trim();
      if (/NotFound|could not find the requested resource/.test(said)) return resolve({kind: 'not-served'});
      if (/Forbidden|is forbidden/.test(said)) return resolve({kind: 'forbidden'});
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const problem = isMissing ? 'there is no kubectl on PATH' : `kubectl says ${said.split('\n').at(-1)}`;
      return reject(new InputError('', `cannot read the cluster: ${problem}`));
    });
  });
}
