// Text in lines of a terminal.

const widestDefault = 120;
const narrowest = 60;

/** Columns of the terminal; COLUMNS or 120 where output goes elsewhere. */
export function terminalWidth(): number {
  return widthOf(process.stdout.columns, process.env['COLUMNS']);
}

/** `columns` is the width of the terminal, `wished` the text of COLUMNS. */
export function widthOf(columns: number | undefined, wished: string | undefined): number {
  const width = columns ?? Number(wished);
  return Number.isSafeInteger(width) && width > 0 ? Math.max(narrowest, width) : widestDefault;
}

/** `text` broken at spaces to `width`, every line after the first set in as far as the first. */
export function wrapped(lead: string, text: string, width: number): readonly string[] {
  const room = Math.max(20, width - lead.length);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const pieces = word.match(new RegExp(`.{1,${room}}`, 'gu')) ?? [''];
    for (const piece of pieces) {
      if (line === '') line = piece;
      else if (line.length + 1 + piece.length <= room) line = `${line} ${piece}`;
      else {
        lines.push(line);
        line = piece;
      }
    }
  }
  lines.push(line);
  return lines.map((part, index) => `${index === 0 ? lead : ' '.repeat(lead.length)}${part}`);
}
