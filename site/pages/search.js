// The search over all pages and their sections. Its index is read on the first letter. Without scripts there is the menu.
//
// Pagefind orders by words alone. A reader with a problem wants the page that solves it, so runbooks and how-to pages count more
// than reference, and pages for contributors less.

const form = document.getElementById('search');
const query = document.getElementById('query');
const results = document.getElementById('results');
const menu = document.getElementById('menu');
const base = new URL('.', import.meta.url);
const shownMax = 8;
const readMax = 24;
const sectionsMax = 2;
const weights = {Runbooks: 8, 'How to': 4, Start: 2, Reference: 1.5, Contributing: 0.5};

form.hidden = false;
// In a narrow window the menu stands before the text, and would hide it.
if (window.matchMedia('(max-width: 900px)').matches) menu.open = false;
form.addEventListener('submit', (event) => event.preventDefault());
query.addEventListener('input', () => look(query.value));
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select, [contenteditable]') !== null;
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    query.focus();
  }
  if (event.key === 'Escape' && event.target === query) {
    query.value = '';
    results.hidden = true;
  }
});

async function look(text) {
  if (text.trim() === '') {
    results.hidden = true;
    return;
  }
  const pagefind = await import(new URL('pagefind/pagefind.js', base).href);
  const found = await pagefind.debouncedSearch(text);
  // A later letter started another search.
  if (found === null) return;
  const read = await Promise.all(
    found.results.slice(0, readMax).map(async (result) => ({score: result.score, page: await result.data()})),
  );
  const pages = read
    .map(({score, page}) => ({page, score: score * (weights[page.meta.group] ?? 1)}))
    .sort((one, other) => other.score - one.score)
    .slice(0, shownMax);
  results.replaceChildren(...(pages.length === 0 ? [item('Nothing found.')] : pages.map(({page}) => entryOf(page))));
  results.hidden = false;
}

function entryOf({url, meta, plain_excerpt: excerpt, sub_results: sections}) {
  const text = document.createElement('p');
  text.textContent = excerpt;
  const inside = sections.filter((section) => section.url !== url).slice(0, sectionsMax);
  const list = document.createElement('ul');
  list.append(...inside.map((section) => item(linkTo(section.url, section.title))));
  const group = document.createElement('small');
  group.textContent = meta.group === '' ? '' : ` ${meta.group}`;
  return item(linkTo(url, meta.title), group, text, ...(inside.length === 0 ? [] : [list]));
}

function linkTo(url, title) {
  const link = document.createElement('a');
  link.href = url;
  link.textContent = title;
  return link;
}

function item(...content) {
  const made = document.createElement('li');
  made.append(...content);
  return made;
}
