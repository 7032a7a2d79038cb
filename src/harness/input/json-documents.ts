// JSON documents one after another, as several calls of `kubectl get -o json` print them. kubectl reads such a file (k8s.io/apimachinery
// pkg/util/yaml YAMLOrJSONDecoder); neither JSON nor YAML knows such a thing.

/** The text of each document, at its line; empty if the text is something else than maps in JSON. */
export function jsonDocuments(text: string): readonly string[] {
  const begins = documentBegins(text);
  let lines = 0;
  return begins.map((begin, index) => {
    const document = text.slice(begin, begins[index + 1]);
    const placed = '\n'.repeat(lines) + document;
    lines += document.split('\n').length - 1;
    return placed;
  });
}

function documentBegins(text: string): readonly number[] {
  const begins: number[] = [];
  let depth = 0;
  for (const {0: token, index} of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s"[\]{}]+/gs)) {
    if (depth === 0) {
      if (token !== '{') return [];
      begins.push(begins.length === 0 ? 0 : index);
    }
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
  }
  return begins;
}
