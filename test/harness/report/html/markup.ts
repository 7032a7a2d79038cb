// Reads markup as strictly as XML: every element is closed, in order. What our emitter writes is all there may be.

export interface MarkupNode {
  readonly tag: string;
  readonly attributes: {readonly [name: string]: string};
  readonly children: readonly MarkupNode[];
  /** The text of this element and of all in it. */
  readonly text: string;
}

const voidTags = new Set(['meta', 'input', 'br']);
const rawTags = new Set(['script', 'style']);
const entities: {readonly [name: string]: string} = {amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'"};

/** Throws where an element is not closed or closes another one. */
export function parseMarkup(markup: string): MarkupNode {
  const open: {tag: string; attributes: Record<string, string>; children: MarkupNode[]; text: string}[] = [
    {tag: '', attributes: {}, children: [], text: ''},
  ];
  const close = (tag: string): void => {
    const done = open.pop();
    const parent = open.at(-1);
    if (done === undefined || parent === undefined || done.tag !== tag)
      throw new Error(`</${tag}> closes <${done?.tag}>`);
    parent.children.push(done);
    parent.text += done.text;
  };
  let at = 0;
  while (at < markup.length) {
    const top = open.at(-1);
    if (top === undefined) throw new Error('closed too often');
    if (rawTags.has(top.tag)) {
      const end = markup.indexOf(`</${top.tag}`, at);
      if (end < 0) throw new Error(`<${top.tag}> is never closed`);
      top.text += markup.slice(at, end);
      at = end;
      close(top.tag);
      at = markup.indexOf('>', at) + 1;
      continue;
    }
    const next = markup.indexOf('<', at);
    const text = markup.slice(at, next < 0 ? undefined : next);
    top.text += decoded(text);
    if (next < 0) break;
    const tag =
      /^<(\/?)([a-zA-Z][a-zA-Z0-9-]*|!doctype|\?xml)((?:\s+[a-zA-Z:-]+(?:="[^"<]*")?|\s+html)*)\s*(\/|\?)?>/.exec(
        markup.slice(next),
      );
    if (tag === null) throw new Error(`no markup: ${markup.slice(next, next + 60)}`);
    const [whole, slash, name = '', rest = '', empty] = tag;
    at = next + whole.length;
    if (name.startsWith('!') || name.startsWith('?')) continue;
    if (slash === '/') close(name);
    else {
      open.push({tag: name, attributes: attributesOf(rest), children: [], text: ''});
      if (empty === '/' || voidTags.has(name)) close(name);
    }
  }
  const [root] = open;
  if (root === undefined || open.length !== 1) throw new Error(`<${open.at(-1)?.tag}> is never closed`);
  return root;
}

function attributesOf(text: string): Record<string, string> {
  const found = [...text.matchAll(/([a-zA-Z:-]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, decoded(value)]));
}

function decoded(text: string): string {
  return text.replace(/&([a-z]+|#\d+);/g, (_, name: string) => {
    const known = entities[name];
    if (known === undefined) throw new Error(`unknown entity &${name};`);
    return known;
  });
}

export function elements(node: MarkupNode, wanted: (node: MarkupNode) => boolean): readonly MarkupNode[] {
  return [...(wanted(node) ? [node] : []), ...node.children.flatMap((child) => elements(child, wanted))];
}

export function ofClass(name: string): (node: MarkupNode) => boolean {
  return ({attributes}) => (attributes['class'] ?? '').split(' ').includes(name);
}
