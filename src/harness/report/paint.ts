// Colours for a reader: on a terminal, unless NO_COLOR is set (`no-color.org`); anywhere if FORCE_COLOR is set to anything
// but 0, which wins as it does in Node.

import {visible} from './visible.ts';

type Colour = 'red' | 'green' | 'dim';
export type Paint = (colour: Colour, text: string) => string;

const codes: {readonly [colour in Colour]: readonly [number, number]} = {
  red: [31, 39],
  green: [32, 39],
  dim: [2, 22],
};

export const plain: Paint = (_, text) => text;

const colourful: Paint = (colour, text) => {
  const [on, off] = codes[colour].map(sequence);
  return `${on}${text}${off}`;
};

const painted = Object.values(codes).map(([on, off]) => ({on: sequence(on), off: sequence(off)}));

function sequence(code: number): string {
  return `\x1b[${code}m`;
}

/** `visible`, but for a colour that was put around a line or its first words here: what stands inside of it has none of its own. */
export function visibleLines(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const found = painted.find(({on, off}) => line.startsWith(on) && line.includes(off));
      if (found === undefined) return visible(line);
      const {on, off} = found;
      const end = line.endsWith(off) ? line.length - off.length : line.indexOf(off);
      return `${on}${visible(line.slice(on.length, end))}${off}${visible(line.slice(end + off.length))}`;
    })
    .join('\n');
}

export function paintFor(
  stream: {readonly isTTY?: boolean},
  env: {readonly [name: string]: string | undefined},
): Paint {
  const {FORCE_COLOR: forced, NO_COLOR: none, TERM: terminal} = env;
  if (forced !== undefined) return forced === '0' || forced === 'false' ? plain : colourful;
  return stream.isTTY === true && (none ?? '') === '' && terminal !== 'dumb' ? colourful : plain;
}
