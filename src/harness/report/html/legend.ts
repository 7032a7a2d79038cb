import {element, type Html} from './element.ts';
import {markGlyphs} from './mark-glyphs.ts';

// The legend of bars and marks, and the switch that leaves the calm rows out.

const bars: readonly (readonly [string, string])[] = [
  ['not-ready', 'not ready'],
  ['ready', 'ready'],
  ['unowned', 'no owner: lives, is listed, not adopted'],
  ['held', 'held by a function'],
  ['deleting', 'deleting'],
  ['orphaned', 'orphan'],
  ['present', 'there'],
];

/** The switch stands before the lanes that it changes. */
export function controlsHtml(chart: number): Html {
  const id = `fateful-${chart}`;
  return element(
    'p',
    {class: 'controls'},
    element('input', {type: 'checkbox', id, class: 'fateful'}),
    ' ',
    element('label', {for: id}, 'only rows with something held, refused or lost'),
    element(
      'span',
      {class: 'hint'},
      'Point at a row, or focus it and use the arrow keys: each moment shows who did what and what changed. Enter pins, Escape closes.',
    ),
  );
}

/** The legend stands below the lanes: a reader looks at the lanes first. */
export function legendHtml(): Html {
  const swatches = bars.map(([look, text]) =>
    element('li', {}, element('span', {class: `swatch bar ${look}`}), ` ${text}`),
  );
  const glyphs = Object.values(markGlyphs).map(({glyph, look, legend}) =>
    element('li', {}, element('span', {class: `mark ${look}`}, glyph), ` ${legend}`),
  );
  const external = element('li', {}, element('span', {class: 'swatch external'}), ' alive in the cloud');
  const double = element('li', {}, element('span', {class: 'swatch external double'}), ' a second one of the same');
  const pause = element('li', {}, element('span', {class: 'swatch pause'}), ' nothing happens for long');
  return element(
    'div',
    {class: 'legend'},
    element('ul', {'aria-label': 'legend'}, ...swatches, external, double, pause, ...glyphs),
  );
}
