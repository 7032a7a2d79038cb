import {spawnSync} from 'node:child_process';
import {type ImageReference, referenceText} from './image-reference.ts';

// Docker or Podman, where one of them is there and works.

const runtimes = ['docker', 'podman'];
const patienceMs = 5_000;

/** The one that answers. */
export function containerRuntime(): string | undefined {
  return runtimes.find((one) => spawnSync(one, ['version'], {stdio: 'ignore', timeout: patienceMs}).status === 0);
}

/** The command that runs the image, gone with the command; it listens where every function does, on {port} of this machine. */
export function containerCommand(
  runtime: string,
  image: ImageReference,
  digest: string,
  env: readonly string[],
): readonly string[] {
  const rights = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
  const variables = env.flatMap((one) => ['--env', one]);
  const publish = ['--publish', '127.0.0.1:{port}:9443'];
  return [runtime, 'run', '--rm', ...rights, ...publish, ...variables, referenceText(image, digest), '--insecure'];
}
