// Colours, where somebody looks: on a terminal, unless NO_COLOR is set (https://no-color.org); anywhere where FORCE_COLOR is
// set to anything but 0, which wins as it does in Node.

type Colour = 'red' | 'green' | 'dim';
export type Paint = (colour: Colour, text: string) => string;

const codes: {readonly [colour in Colour]: readonly [number, number]} = {
  red: [31, 39],
  green: [32, 39],
  dim: [2, 22],
};

export const plain: Paint = (_, text) => text;

const colourful: Paint = (colour, text) => {
  const [on, off] = codes[colour];
  return `\x1b[${on}m${text}\x1b[${off}m`;
};

export function paintFor(
  stream: {readonly isTTY?: boolean},
  env: {readonly [name: string]: string | undefined},
): Paint {
  const {FORCE_COLOR: forced, NO_COLOR: none, TERM: terminal} = env;
  if (forced !== undefined) return forced === '0' || forced === 'false' ? plain : colourful;
  return stream.isTTY === true && (none ?? '') === '' && terminal !== 'dumb' ? colourful : plain;
}
