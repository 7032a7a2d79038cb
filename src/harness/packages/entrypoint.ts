// Decides how the program of an image runs on this machine without a container: it has to be a program for this processor that
// needs nothing of its root but itself, or its own loader and libraries. A program that reads more of its root (an interpreter
// and its script) would read this machine's files instead, so it is left to a container runtime.

import {closeSync, lstatSync, openSync, readSync} from 'node:fs';
import {basename, posix} from 'node:path';
import type {ImageRoot} from './image-root.ts';
import {placeIn} from './rooted-path.ts';

export type Entrypoint =
  /** The program with its arguments, as this machine sees them, and the folder it begins in. */
  | {readonly kind: 'program'; readonly command: readonly string[]; readonly shown: string; readonly folder: string}
  /** `why` completes "it cannot run outside of a container: ". */
  | {readonly kind: 'needs-container'; readonly why: string};

const interpreters =
  /^(?:python|node|nodejs|deno|bun|java|ruby|perl|php|dotnet|bash|dash|ash|sh|busybox|env)(?:[\d.]*)$/;

export function entrypointOf({root, config: {config}}: ImageRoot): Entrypoint {
  const [word = '', ...args] = config?.Entrypoint ?? [];
  const folder = config?.WorkingDir || '/';
  const needs = (why: string): Entrypoint => ({kind: 'needs-container', why});
  if (word === '') return needs('the image names no entrypoint');
  const program = programIn(root, word, folder, pathOf(config?.Env ?? []));
  if (program === undefined) return needs(`its entrypoint ${word} is no file of the image`);
  const own = args.find((arg) => isThere(root, arg, folder));
  if (own !== undefined) return needs(`it is started with ${own}, a file of its own root`);
  if (interpreters.test(basename(program))) return needs(`${word} is an interpreter`);
  const elf = readElf(program);
  if (elf === undefined) return needs(`${word} is no Linux program, but a script perhaps`);
  if (elf.processor !== process.arch) return needs(`${word} is for another processor than this machine's`);
  const begin = {kind: 'program', shown: word, folder: placeIn(root, parts(folder))} as const;
  if (elf.loader === undefined) return {...begin, command: [program, ...args]};
  const loader = placeIn(root, parts(elf.loader));
  if (lstatSync(loader, {throwIfNoEntry: false})?.isFile() !== true)
    return needs(`its loader ${elf.loader} is not in the image`);
  return {...begin, command: [loader, '--library-path', libraryPath(root), program, ...args]};
}

/** The file that a word of the entrypoint names, as a container would find it. */
function programIn(root: string, word: string, folder: string, path: readonly string[]): string | undefined {
  const candidates = word.includes('/') ? [absolute(word, folder)] : path.map((one) => `${one}/${word}`);
  return candidates
    .map((one) => placeIn(root, parts(one)))
    .find((one) => lstatSync(one, {throwIfNoEntry: false})?.isFile());
}

function isThere(root: string, arg: string, folder: string): boolean {
  if (arg.startsWith('-') || arg === '' || arg.includes('\0')) return false;
  const place = placeIn(root, parts(absolute(arg, folder)));
  return lstatSync(place, {throwIfNoEntry: false}) !== undefined;
}

function absolute(path: string, folder: string): string {
  return path.startsWith('/') ? path : `${folder}/${path}`;
}

/** The parts of a path in a config. A path that leads above its root stays in it, as in a container. */
function parts(path: string): readonly string[] {
  return posix
    .resolve('/', path)
    .split('/')
    .filter((part) => part !== '');
}

function pathOf(env: readonly string[]): readonly string[] {
  const path = env.find((one) => one.startsWith('PATH='))?.slice('PATH='.length);
  return (path ?? '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin').split(':');
}

const libraryFolders = ['lib64', 'usr/lib64', 'lib', 'usr/lib', 'usr/local/lib'];
const triples: {readonly [processor: string]: string} = {x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu'};

/** The default folders of a loader. */
function libraryPath(root: string): string {
  const triple = triples[process.arch];
  const all = triple === undefined ? libraryFolders : [`lib/${triple}`, `usr/lib/${triple}`, ...libraryFolders];
  return all.map((one) => placeIn(root, parts(one))).join(':');
}

interface Elf {
  /** In Node's words; empty where Node knows none. */
  readonly processor: string;
  /** Its loader; undefined if it needs none. */
  readonly loader: string | undefined;
}

const processors: {readonly [machine: number]: string} = {62: 'x64', 183: 'arm64'};
const headerBytes = 64;
const interpreterSegment = 3;

/** Of a file in the format ELF for 64 bits (man 5 elf); undefined for another. */
function readElf(file: string): Elf | undefined {
  const descriptor = openSync(file, 'r');
  try {
    const at = (position: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length);
      readSync(descriptor, bytes, 0, length, position);
      return bytes;
    };
    const header = at(0, headerBytes);
    if (header.toString('latin1', 0, 4) !== '\x7fELF' || header[4] !== 2 || header[5] !== 1) return undefined;
    const table = Number(header.readBigUInt64LE(32));
    const [size, count] = [header.readUInt16LE(54), header.readUInt16LE(56)];
    const segments = Array.from({length: count}, (_, index) => at(table + index * size, Math.max(size, 40)));
    const segment = segments.find((one) => one.readUInt32LE(0) === interpreterSegment);
    const loader =
      segment === undefined
        ? undefined
        : at(Number(segment.readBigUInt64LE(8)), Math.min(Number(segment.readBigUInt64LE(32)), 4096));
    const processor = processors[header.readUInt16LE(18)] ?? '';
    return {processor, loader: loader?.toString('utf8').replace(/\0.*$/s, '')};
  } finally {
    closeSync(descriptor);
  }
}
