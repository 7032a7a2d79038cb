// Names of fields in expressions: `__dash__` for a dash, `__namespace__` for a reserved word of CEL.
// kubernetes/apiserver v0.34.4 pkg/cel/escaping.go.

const reserved: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const written: {readonly [sign: string]: string} = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};
const meant: {readonly [word: string]: string} = {underscores: '__', dot: '.', dash: '-', slash: '/'};

/** Undefined if no expression can refer to the name. */
export function escapedName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][\w./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replaceAll(/__|[-./]/g, (sign) => written[sign] ?? sign);
}

/** The field that an expression means; undefined where it means none. */
export function unescapedName(name: string): string | undefined {
  let isWrong = false;
  const plain = name.replaceAll(/__([^_]+)__/g, (whole, word: string) => {
    const sign = meant[word];
    if (sign !== undefined) return sign;
    if (!reserved.has(word) || whole.length !== name.length) isWrong = true;
    return word;
  });
  return isWrong ? undefined : plain;
}
