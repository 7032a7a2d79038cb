// The width of a terminal.

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
