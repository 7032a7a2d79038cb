// The last output of a program that ended, if it gives the reason: one line, and the place of the rest. Programs are often
// started by others (npm, npx, go run), whose own last line only gives the place of a log, or that a command failed.

/** Empty without output. `command` is how a person sees all of it. */
export function lastOutput(text: string, command: readonly string[]): string {
  const lines = text.split('\n').map((line) => line.trim());
  const said = lines.filter((line) => line !== '' && !isTrace(line));
  const own = said.filter((line) => !isNpm(line));
  const line =
    own.findLast((one) => why.test(one)) ??
    said
      .filter(isNpm)
      .map(withoutNpm)
      .find((one) => one !== '' && !/^(code|errno|path|syscall) /.test(one)) ??
    own.at(-1) ??
    lines.findLast((one) => one !== '');
  if (line === undefined) return '';
  const log = /^npm \S+ A complete log of this run can be found in: *(.+)$/m.exec(text)?.[1];
  if (log !== undefined) return `: ${line} (the whole is in ${log})`;
  return said.length > 1 ? `: ${line} (it said more: run ${command.join(' ')})` : `: ${line}`;
}

const why = /error|panic|fatal|exception|cannot|can't|not found|no such|denied|refused/i;

/** Frames, marks under source, and the lines that runtimes and `go run` add. */
function isTrace(line: string): boolean {
  return /^(at |File "|\^+$|goroutine \d|exit status \d|Node\.js v|Traceback )/.test(line);
}

function isNpm(line: string): boolean {
  return /^npm (error|ERR!|warn|WARN|notice)/.test(line);
}

/** The message of an npm error without its kind; empty if it is none. */
function withoutNpm(line: string): string {
  return /^npm (?:error|ERR!) *(?:[A-Z\d]+ )?(?!A complete log)(.*)$/.exec(line)?.[1]?.trim() ?? '';
}
