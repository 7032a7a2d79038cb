// How a string is written in the YAML that Crossplane's tools print.
// yaml/go-yaml v2.4.4 encode.go (stringv), resolve.go, emitterc.go (analyze_scalar, select_scalar_style): what would be
// read as something else than a string is double-quoted, what is no plain scalar is single-quoted, several lines are
// literal blocks.

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

/** `isKey`: keys of maps are never blocks. */
export function styleOf(text: string, isKey: boolean): ScalarStyle {
  const shape = shapeOf(text);
  if (text.includes('\n')) return shape.blockAllowed && !isKey ? 'literal' : 'double';
  if (!isPlainString(text)) return 'double';
  if (shape.plainAllowed) return 'plain';
  return shape.singleAllowed ? 'single' : 'double';
}

interface Shape {
  readonly plainAllowed: boolean;
  readonly singleAllowed: boolean;
  readonly blockAllowed: boolean;
}

function shapeOf(text: string): Shape {
  const special = [...text].some((character) => !isPrintable(character)) || / [\n\r\u0085\u2028\u2029]/.test(text);
  const trailingSpace = text.endsWith(' ');
  const spaceAfterBreak = /[\n\r\u0085\u2028\u2029] /.test(text);
  const edges = trailingSpace || /^[ \n\r\u0085\u2028\u2029]|[\n\r\u0085\u2028\u2029]$/.test(text);
  return {
    plainAllowed: !(
      special ||
      spaceAfterBreak ||
      edges ||
      hasIndicators(text) ||
      /[\n\r\u0085\u2028\u2029]/.test(text)
    ),
    singleAllowed: !(special || spaceAfterBreak),
    blockAllowed: !(special || trailingSpace),
  };
}

/** Characters that mean something to YAML where they stand. */
function hasIndicators(text: string): boolean {
  return (
    /^(---|\.\.\.)/.test(text) ||
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    /^[-?:]([ \t]|$)/.test(text) ||
    /:([ \t\n]|$)/.test(text) ||
    /[ \t\n]#/.test(text)
  );
}

/** True if the character is written as it is; false for astral characters and tabs. */
export function isPrintable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x0a || (code >= 0x20 && code <= 0x7e)) return true;
  return code >= 0xa0 && code <= 0xfffd && code !== 0xfeff && !(code >= 0xd800 && code <= 0xdfff);
}

const words = new Set(
  [
    'y Y yes Yes YES true True TRUE on On ON n N no No NO false False FALSE off Off OFF',
    '~ null Null NULL .nan .NaN .NAN .inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF',
  ]
    .join(' ')
    .split(' '),
);

/** True if YAML 1.1 reads the unquoted text as a string. */
function isPlainString(text: string): boolean {
  if (text === '' || words.has(text)) return false;
  if (/^\.\d+([eE][-+]?\d+)?$/.test(text)) return !Number.isFinite(Number(text));
  if (!/^[-+0-9]/.test(text)) return true;
  return !(isTimestamp(text) || isNumber(text.replaceAll('_', '')) || isSexagesimal(text));
}

const uintMax = 2n ** 64n - 1n;

function isNumber(text: string): boolean {
  const integer = /^([-+]?)(0x[0-9a-f]+|0o[0-7]+|0b[01]+)$/i.exec(text);
  if (integer !== null) return BigInt((integer[2] ?? '0').toLowerCase()) <= uintMax;
  return /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/.test(text) && Number.isFinite(Number(text));
}

function isSexagesimal(text: string): boolean {
  return /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text);
}

const clock = '(\\d{1,2}):(\\d{1,2}):(\\d{1,2})(?:\\.\\d+)?';
const timestampForms = [
  /^(\d{4})-(\d{1,2})-(\d{1,2})$/,
  new RegExp(`^(\\d{4})-(\\d{1,2})-(\\d{1,2})[Tt]${clock}(?:Z|[-+]\\d\\d:\\d\\d)$`),
  new RegExp(`^(\\d{4})-(\\d{1,2})-(\\d{1,2}) ${clock}$`),
];

function isTimestamp(text: string): boolean {
  const match = timestampForms.map((form) => form.exec(text)).find((found) => found !== null);
  if (match === undefined || match === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth;
  return isDate && hour < 24 && minute < 60 && second < 60;
}
