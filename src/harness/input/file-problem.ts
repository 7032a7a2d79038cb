import {mkdirSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {InputError} from './input-error.ts';

const causes: {readonly [code: string]: string} = {
  ENOENT: 'no such file',
  EEXIST: 'a file has that name',
  EISDIR: 'is a directory',
  ENOTDIR: 'a part of the path is no directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system can only be read',
  ENOSPC: 'no space left',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
};

/** Why a file could not be used, in words instead of a code. */
export function fileProblem(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return (code === undefined ? undefined : causes[code]) ?? String(code ?? error);
}

/** Writes the file. Throws InputError: what, which file, why. */
export function writeText(file: string, text: string, what = 'file'): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new InputError(`cannot write ${what} "${file}": ${isMissing ? 'no such directory' : fileProblem(error)}`);
  }
}

/** The names in a folder, sorted; with `recursive` the paths of all below it. Throws InputError. */
export function namesIn(folder: string, {what = 'folder', recursive = false} = {}): readonly string[] {
  try {
    return readdirSync(folder, {recursive, encoding: 'utf8'}).sort();
  } catch (error) {
    throw new InputError(`cannot read ${what} "${folder}": ${fileProblem(error)}`);
  }
}

/** Makes the folder and those above it. Throws InputError. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, {recursive: true});
  } catch (error) {
    throw new InputError(`cannot make folder "${folder}": ${fileProblem(error)}`);
  }
}

/** True if a folder of this name exists. */
export function isDirectory(path: string): boolean {
  return statSync(path, {throwIfNoEntry: false})?.isDirectory() === true;
}
