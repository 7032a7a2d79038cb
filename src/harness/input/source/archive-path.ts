/** The role of a path in an archive of its format. */
export type ArchivePath =
  | {readonly kind: 'object'; readonly resource: string; readonly group: string}
  /** Known, and nothing to read. */
  | {readonly kind: 'left'; readonly why: string}
  /** Says more of the whole, or of the kinds of one folder. */
  | {readonly kind: 'about'; readonly resource: string; readonly group: string};
