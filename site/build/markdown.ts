// What Markdown becomes beyond what Eleventy does: headings that links lead to, and wide content that the keyboard reaches.

interface Token {
  readonly tag: string;
  readonly children: readonly {readonly content: string}[] | null;
  attrSet(name: string, value: string): void;
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
  rules['table_open'] = () => '<div class="wide" tabindex="0" role="region" aria-label="table"><table>';
  rules['table_close'] = () => '</table></div>';
  const code = (tokens: readonly {readonly content: string}[], index: number): string =>
    `<pre tabindex="0"><code>${escaped(tokens[index]?.content ?? '')}</code></pre>\n`;
  rules['fence'] = code;
  rules['code_block'] = code;
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
