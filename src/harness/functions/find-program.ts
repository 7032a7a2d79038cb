import {accessSync, constants, statSync} from 'node:fs';
import {delimiter, join, resolve} from 'node:path';

/** The reason why `program` cannot run in `folder`, for a person; undefined if it can. */
export function programProblem(program: string, folder: string): string | undefined {
  if (program === '') return 'its command names no program';
  if (program.includes('/')) return fileProblem(resolve(folder, program), program);
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const problems = folders.map((one) => fileProblem(join(resolve(folder, one), program), program));
  return problems.includes(undefined) ? undefined : `there is no program "${program}" on the PATH`;
}

function fileProblem(file: string, program: string): string | undefined {
  try {
    if (statSync(file).isDirectory()) return `"${program}" is a folder, not a program`;
  } catch {
    return `there is no program "${program}"`;
  }
  try {
    accessSync(file, constants.X_OK);
    return undefined;
  } catch {
    return `"${program}" may not be executed: see its permissions`;
  }
}
