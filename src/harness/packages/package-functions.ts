// Functions from their packages: each image is pulled by its digest, and its program is started on a port of this machine that
// only this machine reaches, with nothing of this process's environment. Without a container it is a program like any other that
// a person starts: it may do what they may. So it runs only on request, and the output lists what runs.

import {spawnSync} from 'node:child_process';
import {arch, platform} from 'node:process';
import type {FunctionSource} from '../functions/function-source.ts';
import type {PackagedFunction} from '../functions/pipeline-functions.ts';
import {InputError} from '../input/input-error.ts';
import {entrypointOf} from './entrypoint.ts';
import {type ImageReference, parseImageReference, referenceText} from './image-reference.ts';
import {type ImageRoot, imageDigest, imageRoot} from './image-root.ts';

export interface PackageFunctions {
  readonly sources: {readonly [name: string]: FunctionSource};
  /** A sentence for each program that runs. */
  readonly notes: readonly string[];
}

// crossplane/cli 3dc3371 cmd/crossplane/render/runtime_docker.go.
const prefix = 'render.crossplane.io/runtime';
const annotationImage = `${prefix}-docker-image`;
const annotationEnv = `${prefix}-docker-env`;
const understood = [prefix, `${prefix}-development-target`, annotationImage, annotationEnv];

const address = '127.0.0.1:{port}';

/** `cache`: the folder for images, by default that of this user. Throws InputError with one sentence. */
export async function packageFunctions(
  functions: readonly PackagedFunction[],
  cache?: string,
): Promise<PackageFunctions> {
  const sources: {[name: string]: FunctionSource} = {};
  const notes: string[] = [];
  for (const one of functions) {
    const {command, note} = await commandOf(one, cache);
    sources[one.name] = {kind: 'command', command, address};
    notes.push(...idleAnnotations(one), note);
  }
  return {sources, notes};
}

interface Started {
  readonly command: readonly string[];
  readonly note: string;
}

async function commandOf(one: PackagedFunction, cache: string | undefined): Promise<Started> {
  const image = parseImageReference(one.annotations[annotationImage] || one.package);
  const env = (one.annotations[annotationEnv] ?? '').split(',').filter(isPair);
  const architecture = arch === 'x64' ? 'amd64' : arch;
  const wanted = {os: 'linux', architecture};
  if (platform !== 'linux')
    return inContainer(one, image, await imageDigest(image, wanted), {env, why: 'it is a Linux program'});
  const root = await imageRoot(image, wanted, cache);
  const entrypoint = entrypointOf(root);
  if (entrypoint.kind === 'needs-container') return inContainer(one, image, root.digest, {env, why: entrypoint.why});
  const {command, folder, shown} = entrypoint;
  return {
    command: [...cleanly(root, env), folder, ...command, '--insecure', '--address', address],
    note: `Function "${one.name}" is ${shown} of ${referenceText(image, root.digest)}, run on this machine without a container`,
  };
}

/** Starts what follows, a folder and a command, with the environment of the image alone. */
function cleanly({config}: ImageRoot, env: readonly string[]): readonly string[] {
  return ['env', '-i', ...(config.config?.Env ?? []).filter(isPair), ...env, '/bin/sh', '-c', 'cd "$0" && exec "$@"'];
}

/** True if no tool that sets the environment takes it for an option or a command. */
function isPair(text: string): boolean {
  return /^[A-Za-z_][^=]*=/.test(text);
}

interface Why {
  readonly env: readonly string[];
  readonly why: string;
}

function inContainer({name}: PackagedFunction, image: ImageReference, digest: string, {env, why}: Why): Started {
  const runtime = containerRuntime();
  const shown = referenceText(image, digest);
  if (runtime === undefined) {
    const advice = `start it yourself and name it with --function ${name}=HOST:PORT`;
    throw new InputError(
      `cannot run function "${name}" from ${shown}: ${why}, and neither Docker nor Podman answers here; ${advice}`,
    );
  }
  return {
    command: containerCommand(runtime, image, digest, env),
    note: `Function "${name}" is ${shown}, run in a container by ${runtime}`,
  };
}

function idleAnnotations({name, annotations}: PackagedFunction): readonly string[] {
  const idle = Object.keys(annotations).filter((key) => key.startsWith(prefix) && !understood.includes(key));
  return idle.map((key) => `annotation ${key} of Function "${name}" has no meaning here`);
}

// Docker or Podman, where one of them is there and works.

const runtimes = ['docker', 'podman'];
const patienceMs = 5_000;

/** The one that answers. */
function containerRuntime(): string | undefined {
  return runtimes.find((one) => spawnSync(one, ['version'], {stdio: 'ignore', timeout: patienceMs}).status === 0);
}

/** The command that runs the image, gone with the command; it listens where every function does, on {port} of this machine. */
function containerCommand(
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
