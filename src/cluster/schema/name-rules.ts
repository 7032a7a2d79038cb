// How names, label keys and label values must look, with the sentences Kubernetes refuses the others with.
// kubernetes/apimachinery eed236ce pkg/util/validation/validation.go.

interface Rule {
  /** How many characters it may have. */
  readonly max: number;
  readonly pattern: string;
  readonly means: string;
  readonly examples: string;
}

const qualified = '[A-Za-z0-9][-A-Za-z0-9_.]*';
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const namePart: Rule = {
  max: 63,
  pattern: `(${qualified})?[A-Za-z0-9]`,
  means:
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: "'MyName',  or 'my.name',  or '123-abc'",
};
const namePartProblems = problemsBy(namePart);

/** Errors of an object's name; empty if it is valid. */
export const nameProblems = problemsBy({
  max: 253,
  pattern: `${label}(\\.${label})*`,
  means:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: "'example.com'",
});

export const namespaceProblems = problemsBy({
  max: 63,
  pattern: label,
  means:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: "'my-name',  or '123-abc'",
});

export const dns1035LabelProblems = problemsBy({
  max: 63,
  pattern: '[a-z]([-a-z0-9]*[a-z0-9])?',
  means:
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: "'my-name',  or 'abc-123'",
});

export const labelValueProblems = problemsBy({
  max: 63,
  pattern: `((${qualified})?[A-Za-z0-9])?`,
  means:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: "'MyValue',  or 'my_value',  or '12345'",
});

/** Of a part of a path, as apimachinery's pkg/api/validation/path/name.go: names of RBAC and of embedded resources. */
export function pathSegmentProblems(name: string, isPrefix: boolean): readonly string[] {
  if (!isPrefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((sign) => name.includes(sign)).map((sign) => `may not contain '${sign}'`);
}

/** Of a label key, an annotation key or a finalizer: an optional DNS prefix, a slash, a name. */
export function qualifiedNameProblems(key: string): readonly string[] {
  const [name = '', prefix, ...more] = key.split('/').reverse();
  if (more.length > 0) {
    const suffix = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
    return [`a qualified name ${mismatch(namePart)} ${suffix}`];
  }
  const empty = 'must be non-empty';
  const ofPrefix = prefix === '' ? [empty] : prefix === undefined ? [] : nameProblems(prefix);
  const ofName = [...(name === '' ? [empty] : []), ...namePartProblems(name)];
  return [...ofPrefix.map((problem) => `prefix part ${problem}`), ...ofName.map((problem) => `name part ${problem}`)];
}

/** A prefix, such as a generateName, may end in a dash: apimachinery's maskTrailingDash takes two characters for one. */
function problemsBy(rule: Rule): (text: string, isPrefix?: boolean) => readonly string[] {
  const pattern = new RegExp(`^${rule.pattern}$`);
  return (text, isPrefix = false) => {
    const name = isPrefix ? text.replace(/.-$/, 'a') : text;
    return [
      ...(name.length > rule.max ? [`must be no more than ${rule.max} characters`] : []),
      ...(pattern.test(name) ? [] : [mismatch(rule)]),
    ];
  };
}

function mismatch({means, pattern, examples}: Rule): string {
  return `${means} (e.g. ${examples}, regex used for validation is '${pattern}')`;
}
