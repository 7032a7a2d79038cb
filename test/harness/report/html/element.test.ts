import {expect, test} from 'vitest';
import {dataElement, element, rawElement} from '../../../../src/harness/report/html/element.ts';
import {hostile} from '../example-run.ts';

test('text and attributes are escaped, markup is not', () => {
  const inner = element('b', {title: hostile}, '<i>');
  expect(element('p', {}, inner, [' & ', '"']).html).toBe(
    '<p><b title="&lt;/script&gt;&lt;img src=x onerror=&quot;window.hacked=1&quot;&gt;&#39;&amp;amp;&lt;b&gt;">&lt;i&gt;</b> &amp; &quot;</p>',
  );
});

test('true writes an attribute without value, false and undefined leave it out', () => {
  expect(element('input', {disabled: true, hidden: false, id: undefined, tabindex: 0}).html).toBe(
    '<input disabled tabindex="0">',
  );
});

test('characters that HTML has no place for are written out', () => {
  expect(element('p', {}, 'a\u0000b\u001bc\n').html).toBe('<p>a\\u0000b\\u001bc\n</p>');
});

test('data cannot end its script, and is read back as it was', () => {
  const value = {text: `${hostile}\u2028<!--`};
  const {html} = dataElement('data', value);
  expect(html.match(/<\/script/g)).toHaveLength(1);
  expect(JSON.parse(html.replace(/^<script[^>]*>|<\/script>$/g, ''))).toEqual(value);
});

test('a script cannot end itself', () => {
  expect(rawElement('script', {}, 'const end = "</script>";').html).toBe('<script>const end = "<\\/script>";</script>');
});
