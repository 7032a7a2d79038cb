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
