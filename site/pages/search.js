// The search over all pages: an index beside the site, read when somebody types. Without scripts there is the menu.

const form = document.getElementById('search');
const query = document.getElementById('query');
const results = document.getElementById('results');
const base = new URL('.', import.meta.url);
const shown = 8;

form.hidden = false;
form.addEventListener('submit', (event) => event.preventDefault());
query.addEventListener('input', () => look(query.value));

async function look(text) {
  if (text.trim() === '') {
    results.hidden = true;
    return;
  }
  const pagefind = await import(new URL('pagefind/pagefind.js', base).href);
  const found = await pagefind.debouncedSearch(text);
  // Somebody typed on meanwhile.
  if (found === null) return;
  const pages = await Promise.all(found.results.slice(0, shown).map((result) => result.data()));
  results.replaceChildren(...(pages.length === 0 ? [item('Nothing was found.')] : pages.map(linkTo)));
  results.hidden = false;
}

function linkTo({url, meta, plain_excerpt: excerpt}) {
  const link = document.createElement('a');
  link.href = url;
  link.textContent = meta.title;
  const text = document.createElement('p');
  text.textContent = excerpt;
  return item(link, text);
}

function item(...content) {
  const made = document.createElement('li');
  made.append(...content);
  return made;
}
