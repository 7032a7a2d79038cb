// Markdown as the site shows it: headings with anchors, wide content that the keyboard can scroll, flags on one line.

interface Token {
  readonly tag: string;
  readonly children: readonly {readonly content: string}[] | null;
  attrSet(name: string, value: string): void;
  attrGet(name: string): string | null;
}

interface MarkdownIt {
  readonly core: {
    readonly ruler: {push(name: string, rule: (state: {readonly tokens: readonly Token[]}) => void): void};
  };
  readonly renderer: {readonly rules: Record<string, unknown>};
}

export function amend(markdown: MarkdownIt): void {
  markdown.core.ruler.push('heading_ids', ({tokens}) => {
    const taken = new Map<string, number>();
    for (const [index, token] of tokens.entries()) {
      if (!/^h[1-6]$/.test(token.tag) || tokens[index + 1]?.children == null) continue;
      const slug = slugOf((tokens[index + 1]?.children ?? []).map(({content}) => content).join(''));
      const count = taken.get(slug) ?? 0;
      taken.set(slug, count + 1);
      token.attrSet('id', count === 0 ? slug : `${slug}-${count}`);
    }
  });
  const {rules} = markdown.renderer;
  rules['heading_close'] = (tokens: readonly Token[], index: number): string => {
    const {tag} = tokens[index] as Token;
    const id = (tokens[index - 2] as Token).attrGet('id');
    const link = `<a class="anchor" href="#${id}" aria-label="link to this section" data-pagefind-ignore>#</a>`;
    return `${tag === 'h1' || id === null ? '' : ` ${link}`}</${tag}>\n`;
  };
  rules['code_inline'] = (tokens: readonly {readonly content: string}[], index: number): string => {
    const text = tokens[index]?.content ?? '';
    return `<code${/^--?[a-z]/.test(text) ? ' class="flag"' : ''}>${escaped(text)}</code>`;
  };
  rules['table_open'] = () => '<div class="wide" tabindex="0" role="region" aria-label="table"><table>';
  rules['table_close'] = () => '</table></div>';
  const code = (tokens: readonly {readonly content: string}[], index: number): string =>
    `<pre tabindex="0"><code>${escaped(tokens[index]?.content ?? '')}</code></pre>\n`;
  rules['fence'] = code;
  rules['code_block'] = code;
}

export interface Section {
  readonly title: string;
  readonly id: string;
}

/** The sections of a page, with the ids that `amend` gives their headings. */
export function sectionsOf(markdown: string): readonly Section[] {
  const taken = new Map<string, number>();
  const text = markdown.replaceAll(/^(`{3,}).*$[\s\S]*?^\1$/gm, '');
  return [...text.matchAll(/^(#{1,6}) (.+)$/gm)].flatMap(([, level = '', heading = '']) => {
    const title = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]|(?<!\w)_|_(?!\w)/g, '');
    const slug = slugOf(title);
    const count = taken.get(slug) ?? 0;
    taken.set(slug, count + 1);
    return level === '##' ? [{title, id: count === 0 ? slug : `${slug}-${count}`}] : [];
  });
}

/** As GitHub makes them, so that links into pages lead to the same place in both. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
