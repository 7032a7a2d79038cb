// Ends the functions if the harness cannot: a shell knows their process groups and reads from a pipe of the harness. The pipe
// ends with the harness, even after SIGKILL, a crash, or the end of a test runner's worker. Then the shell kills every group it
// knows.

import {type ChildProcess, spawn} from 'node:child_process';

const script = `
groups=
while read -r word group; do
  rest=
  for one in $groups; do [ "$one" = "$group" ] || rest="$rest $one"; done
  groups=$rest
  [ "$word" = watch ] && groups="$groups $group"
done
for one in $groups; do kill -s KILL -- "-$one"; done
`;

const watched = new Set<number>();
let guard: ChildProcess | undefined;

// A process that ends in the ordinary way ends its functions first.
process.once('exit', () => {
  for (const group of watched) killGroup(group);
});

/** Resolves when the guard knows the group: from then on it does not outlive the harness. */
export function watchGroup(group: number): Promise<void> {
  watched.add(group);
  return write(`watch ${group}\n`);
}

/** Call it when the group is empty: another group may get its number. */
export async function forgetGroup(group: number): Promise<void> {
  watched.delete(group);
  await write(`forget ${group}\n`);
  if (watched.size > 0) return;
  guard?.stdin?.end();
  guard = undefined;
}

function write(line: string): Promise<void> {
  guard ??= startGuard();
  const {stdin} = guard;
  return new Promise((resolve) => {
    stdin?.write(line, () => resolve());
  });
}

/** In a session of its own, so that a Ctrl-C meant for the harness does not end it. The harness does not wait for it. */
function startGuard(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script], {detached: true, stdio: ['pipe', 'ignore', 'ignore']});
  // A killed guard guards no longer; that is no failure of a run.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as typeof child.stdin & {unref: () => void}).unref();
  return child;
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It is empty already.
  }
}
