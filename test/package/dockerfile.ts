// Reads as much of a Dockerfile as ours uses, so that a test can do what an engine would do.

export interface Stage {
  readonly name: string;
  readonly base: string;
  /** In order, each with the text after its word; several lines of one instruction are one text. */
  readonly instructions: readonly Instruction[];
}

export interface Instruction {
  readonly word: string;
  readonly text: string;
}

export interface Copy {
  /** The stage it copies from; undefined for the folder that is built. */
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

export function readDockerfile(text: string): readonly Stage[] {
  const lines = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  const stages: Stage[] = [];
  let instructions: Instruction[] = [];
  for (const line of lines.split('\n').filter((one) => one.trim() !== '')) {
    const [word = '', rest = ''] = split(line.trim());
    const from = word === 'FROM' ? /^(?:--platform=\S+ )?(\S+) AS (\S+)$/.exec(rest) : undefined;
    if (from === null) throw new Error(`expected FROM BASE AS NAME, got ${line}`);
    if (from !== undefined) {
      instructions = [];
      stages.push({base: from[1] ?? '', name: from[2] ?? '', instructions});
    } else instructions.push({word, text: rest});
  }
  return stages;
}

export function instructionsOf(stage: Stage | undefined, word: string): readonly string[] {
  return (stage?.instructions ?? []).filter((one) => one.word === word).map(({text}) => text);
}

export function copiesOf(stage: Stage | undefined): readonly Copy[] {
  return instructionsOf(stage, 'COPY').map((text) => {
    const words = text.split(/\s+/);
    const from = words.find((one) => one.startsWith('--from='))?.slice('--from='.length);
    const paths = words.filter((one) => !one.startsWith('--'));
    return {from, sources: paths.slice(0, -1), target: paths.at(-1) ?? ''};
  });
}

function split(line: string): readonly [string, string] {
  const space = line.indexOf(' ');
  return space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1).trim()];
}
