/** Attributes with a blank before each. */
export function attributesXml(attributes: {readonly [name: string]: string | number}): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapedXml(String(value))}"`)
    .join('');
}

const marks: {readonly [mark: string]: string} = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;'};

/** Text as XML allows it: without control characters. */
export function escapedXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no way to write them.
  const printable = text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
  return printable.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}
