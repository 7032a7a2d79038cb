// Regular expressions as Go writes them (RE2), for JavaScript's engine: what Go may escape and JavaScript may not, flags
// in front, names of groups and of classes, the ends of a text.
//
// Go's regexp/syntax. Not modelled: flags in the middle of a pattern, \C, \Q...\E, and that RE2 prefers other
// alternatives than a backtracking engine does only where leftmost-longest was asked for, which nobody here does.

const known = new Map<string, RegExp | undefined>();

/** The pattern compiled once: schemas have few, and values are many. Undefined where it is none. */
export function goRegex(pattern: string): RegExp | undefined {
  if (!known.has(pattern)) known.set(pattern, compile(pattern));
  return known.get(pattern);
}

function compile(pattern: string): RegExp | undefined {
  const [head = '', flags = ''] = /^\(\?([imsU]+)\)/.exec(pattern) ?? [];
  try {
    const body = translated(pattern.slice(head.length));
    return new RegExp(body, `u${flags.replaceAll(/[^ims]/g, '')}`);
  } catch {
    return undefined;
  }
}

const classes: {readonly [name: string]: string} = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

// An escape, the name of a class within a class, the opening of a named group, or what only opens and closes a class.
const piece = /\\(?:p\{|P\{|x\{|.)|\[:(\^?)(\w+):\]|\(\?P<|\[\^?\]?|\]|[\s\S]/gu;

function translated(pattern: string): string {
  let inClass = false;
  return pattern.replaceAll(piece, (text, negated: string | undefined, name: string | undefined) => {
    if (name !== undefined && inClass) {
      const members = classes[name];
      if (members === undefined || negated === '^') throw new Error(`no class ${name}`);
      return members;
    }
    if (text.startsWith('\\')) return escapeOf(text, inClass);
    if (text === '(?P<' && !inClass) return '(?<';
    if (text.startsWith('[') && !inClass) {
      inClass = true;
      // A bracket that closes right after the opening is a member.
      return text.replace(/\]$/, '\\]');
    }
    if (text.startsWith('[')) return text.replaceAll(/[[\]]/g, '\\$&');
    if (text === ']' && !inClass) return '\\]';
    if (text === ']') inClass = false;
    return text;
  });
}

function escapeOf(text: string, inClass: boolean): string {
  const letter = text.slice(1);
  if (letter === 'A') return '(?<![\\s\\S])';
  if (letter === 'z') return '(?![\\s\\S])';
  if (letter === 'x{') return '\\u{';
  if (letter === 'a') return '\\x07';
  if (/^[pP][LMNPSZC]$/.test(letter)) return `\\${letter[0]}{${letter[1]}}`;
  if (/^[A-Za-z0-9]/.test(letter)) return text;
  // JavaScript lets only these be escaped where Go lets every sign.
  if (/^[\^$\\.*+?()[\]{}|/]$/.test(letter) || (letter === '-' && inClass)) return text;
  return letter;
}
