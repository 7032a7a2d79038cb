// Quoted scalars and brackets that go on in a line which is not indented: `"a sentence that goes on\n in the next line."` YAML
// 1.2 forbids them, and the library of Kubernetes takes them (yaml.v2 of sigs.k8s.io/yaml). White space at the beginning of such
// a line means nothing, so more of it makes the text one that every parser takes. kubectl divides
// the file at a line that begins with `---`, so no text goes on there.

const more = ' '.repeat(64);

/** The text with every continued line of a quoted scalar or of brackets far indented; lines stay where they are. */
export function withContinuedLinesIndented(text: string): string {
  let quote = '';
  let depth = 0;
  let block: number | undefined;
  return text
    .split('\n')
    .map((line) => {
      const indent = line.length - line.trimStart().length;
      if (line.startsWith('---')) {
        [quote, depth, block] = ['', 0, undefined];
        return line;
      }
      if (block !== undefined && (line.trim() === '' || indent > block)) return line;
      block = undefined;
      const isContinued = quote !== '' || depth > 0;
      const end = scanned(line, {quote, depth});
      ({quote, depth} = end);
      if (!isContinued && quote === '' && depth === 0 && /(?:[:?-]|^)\s+[|>][+-]?\d?[+-]?\s*(?:#.*)?$/.test(line))
        block = indent;
      return isContinued ? `${more}${line}` : line;
    })
    .join('\n');
}

interface Scan {
  /** The quote that is open; '' where none is. */
  readonly quote: string;
  /** Of brackets and braces. */
  readonly depth: number;
}

function scanned(line: string, before: Scan): Scan {
  let {quote, depth} = before;
  let beginsValue = quote === '';
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string;
    if (quote !== '') {
      if (char === '\\' && quote === '"') at++;
      else if (char === quote && quote === "'" && line[at + 1] === "'") at++;
      else if (char === quote) quote = '';
      continue;
    }
    if (char === '#' && (at === 0 || /\s/.test(line[at - 1] as string))) break;
    if (/\s/.test(char)) continue;
    const isLast = at + 1 >= line.length || /\s/.test(line[at + 1] as string);
    if (beginsValue && (char === '"' || char === "'")) quote = char;
    if (beginsValue && (char === '[' || char === '{')) depth++;
    else if (depth > 0 && (char === ']' || char === '}')) depth--;
    const goesOn = ((char === ':' || char === '?') && isLast) || (char === '-' && isLast && beginsValue);
    beginsValue = goesOn || (depth > 0 && '[{,:'.includes(char)) || (depth > 0 && beginsValue && '[{'.includes(char));
  }
  return {quote, depth};
}
