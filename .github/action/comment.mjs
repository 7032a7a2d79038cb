// Says on the pull request how the scenarios went: one comment, which later runs update in place.
// NUMBER, NAME, REPORT and TOKEN come from action.yml; GITHUB_API_URL and GITHUB_REPOSITORY from the runner.

import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

const {GITHUB_API_URL, GITHUB_REPOSITORY, NAME, NUMBER, REPORT, TOKEN} = process.env;
const api = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}`;
// A name cannot end the mark before its time.
const mark = `<!-- function-tether: ${encodeURIComponent(NAME)} -->`;
/** What GitHub takes is 65536 characters. */
const lengthMax = 60_000;

try {
  await comment();
} catch (error) {
  // A pull request from a fork has a token that may only read, and an API may be away: no reason to fail what passed.
  const why = error.cause === undefined ? error.message : `${error.message} (${error.cause.message})`;
  console.log(`::warning::cannot comment on pull request ${NUMBER}: ${why}`);
}

async function comment() {
  const found = await ownComment();
  const place =
    found === undefined
      ? ['POST', `${api}/issues/${NUMBER}/comments`]
      : ['PATCH', `${api}/issues/comments/${found.id}`];
  await send(place, {body: `${mark}\n${summary()}`});
}

function summary() {
  const file = join(REPORT, 'summary.md');
  if (!existsSync(file)) return `## ${NAME}: not told\n\nThe log of the job says why.`;
  const text = readFileSync(file, 'utf8');
  if (text.length <= lengthMax) return text;
  // Whole lines: a cut one could leave a table or a fold open.
  const lines = text.slice(0, lengthMax).split('\n').slice(0, -1);
  return `${lines.join('\n')}\n\n</details>\n\nThe rest is in the summary of the job.`;
}

/** Ours alone: a person may write the mark, and the words of a person are not ours to change. */
async function ownComment() {
  for (let page = 1; ; page++) {
    const answer = await send(['GET', `${api}/issues/${NUMBER}/comments?per_page=100&page=${page}`]);
    const comments = await answer.json();
    const own = comments.find(({body, user}) => user?.type === 'Bot' && body?.startsWith(mark));
    if (own !== undefined || comments.length < 100) return own;
  }
}

/** Throws where the API does not do it: who cannot read the comments must not add one that may be there. */
async function send([method, url], body) {
  const headers = {accept: 'application/vnd.github+json', authorization: `Bearer ${TOKEN}`};
  const answer = await fetch(url, {method, headers, ...(body === undefined ? {} : {body: JSON.stringify(body)})});
  if (!answer.ok) throw new Error(`the API answered ${answer.status}`);
  return answer;
}
