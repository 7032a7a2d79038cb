import type {Mark} from '../lanes/lane.ts';

interface MarkGlyph {
  /** A character that every font has. */
  readonly glyph: string;
  /** A colour class. */
  readonly look: string;
  /** Where two marks would cover each other, the heavier one is drawn. */
  readonly weight: number;
  readonly legend: string;
}

export const markGlyphs: {readonly [mark in Mark]: MarkGlyph} = {
  created: {weight: 4, glyph: '+', look: 'm-new', legend: 'created, started'},
  restored: {weight: 5, glyph: '↺', look: 'm-new', legend: 'restored'},
  adopted: {weight: 6, glyph: '◆', look: 'm-good', legend: 'adopted'},
  deleting: {weight: 9, glyph: '▼', look: 'm-quiet', legend: 'deletion begins'},
  gone: {weight: 7, glyph: '✕', look: 'm-gone', legend: 'gone, stopped'},
  orphaned: {weight: 11, glyph: '!', look: 'm-bad', legend: 'orphaned'},
  refused: {weight: 10, glyph: '⊘', look: 'm-bad', legend: 'refused'},
  forgot: {weight: 8, glyph: '−', look: 'm-warn', legend: 'XR lists fewer'},
  warned: {weight: 2, glyph: '!', look: 'm-warn', legend: 'warning'},
  called: {weight: 1, glyph: '·', look: 'm-quiet', legend: 'function called'},
  decided: {weight: 6, glyph: '●', look: 'm-held', legend: 'function held, released or said something'},
  failed: {weight: 10, glyph: '✕', look: 'm-bad', legend: 'failed, died'},
  edited: {weight: 3, glyph: '✎', look: 'm-new', legend: 'edited by a person'},
  'cloud-create': {weight: 5, glyph: '▲', look: 'm-good', legend: 'cloud create'},
  'cloud-delete': {weight: 5, glyph: '▼', look: 'm-quiet', legend: 'cloud delete'},
};
