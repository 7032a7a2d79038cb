// Every table: in columns for a terminal, as Markdown for a page. Where rows are printed before all of them are known, head and rows
// have functions of their own.

/** `width`: at least, in text. Numbers stand to the right, their head above them. */
export interface Column {
  readonly head: string;
  readonly width?: number;
  readonly isNumber?: boolean;
}

export type Row = readonly (string | number)[];

/** Lines of text in columns, each as wide as its widest cell. */
export function textTable(columns: readonly (Column | string)[], rows: readonly Row[]): readonly string[] {
  const all = columns.map(columnOf);
  return alignedRows([all.map(({head}) => head), ...rows], all);
}

export function textRow(columns: readonly Column[], cells: Row): string {
  return alignedRows([cells], columns).join('');
}

/** The same without a head. */
export function alignedRows(rows: readonly Row[], columns: readonly Column[] = []): readonly string[] {
  const count = Math.max(...rows.map(({length}) => length));
  const widths = Array.from({length: count}, (_, column) =>
    Math.max(columns[column]?.width ?? 0, ...rows.map((row) => String(row[column] ?? '').length)),
  );
  return rows.map((row) => padded(row, widths, columns).join('  ').trimEnd());
}

export function markdownTable(columns: readonly (Column | string)[], rows: readonly Row[]): readonly string[] {
  return [...markdownHead(columns), ...rows.map(markdownRow)];
}

export function markdownHead(columns: readonly (Column | string)[]): readonly string[] {
  const all = columns.map(columnOf);
  return [markdownRow(all.map(({head}) => head)), `|${all.map(({isNumber}) => (isNumber ? '--:' : '---')).join('|')}|`];
}

export function markdownRow(cells: Row): string {
  return `| ${cells.join(' | ')} |`;
}

/** Markdown as the formatter of the pages pads it. */
export function paddedMarkdown(heads: readonly string[], rows: readonly Row[]): string {
  const widths = heads.map((head, column) =>
    Math.max(3, head.length, ...rows.map((row) => String(row[column] ?? '').length)),
  );
  const rule = widths.map((width) => '-'.repeat(width));
  return [heads, rule, ...rows].map((row) => markdownRow(padded(row, widths, []))).join('\n');
}

function padded(row: Row, widths: readonly number[], columns: readonly Column[]): readonly string[] {
  return row.map((cell, column) => {
    const width = widths[column] ?? 0;
    return columns[column]?.isNumber ? String(cell).padStart(width) : String(cell).padEnd(width);
  });
}

function columnOf(column: Column | string): Column {
  return typeof column === 'string' ? {head: column} : column;
}
