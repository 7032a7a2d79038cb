// How names, label keys and label values must look, with the sentences Kubernetes refuses the others with.
// kubernetes/apimachinery eed236ce pkg/util/validation/validation.go.

const qualifiedName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `((${'[A-Za-z0-9][-A-Za-z0-9_.]*'})?[A-Za-z0-9])?`;
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dns1035Label = '[a-z]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;

const qualifiedNamePattern = new RegExp(`^${qualifiedName}$`);
const labelValuePattern = new RegExp(`^${labelValue}$`);
const labelPattern = new RegExp(`^${label}$`);
const dns1035Pattern = new RegExp(`^${dns1035Label}$`);
const subdomainPattern = new RegExp(`^${subdomain}$`);

/** Errors of an object's name; empty if it is valid. */
export function nameProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (name.length > 253) problems.push(tooLongText(253));
  if (!subdomainPattern.test(name)) {
    problems.push(
      sentence(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        subdomain,
        "'example.com'",
      ),
    );
  }
  return problems;
}

export function namespaceProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (name.length > 63) problems.push(tooLongText(63));
  if (!labelPattern.test(name)) {
    problems.push(
      sentence(
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
        label,
        "'my-name',  or '123-abc'",
      ),
    );
  }
  return problems;
}

export function dns1035LabelProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (name.length > 63) problems.push(tooLongText(63));
  if (!dns1035Pattern.test(name)) {
    problems.push(
      sentence(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
        dns1035Label,
        "'my-name',  or 'abc-123'",
      ),
    );
  }
  return problems;
}

/** Of a label key, an annotation key or a finalizer: an optional DNS prefix, a slash, a name. */
export function qualifiedNameProblems(key: string): readonly string[] {
  const parts = key.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.length > 2) {
    return [
      `a qualified name ${sentence(
        "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        qualifiedName,
        "'MyName',  or 'my.name',  or '123-abc'",
      )} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const problems: string[] = [];
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') problems.push('prefix part must be non-empty');
    else problems.push(...nameProblems(prefix).map((problem) => `prefix part ${problem}`));
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push(`name part ${tooLongText(63)}`);
  if (!qualifiedNamePattern.test(name)) {
    problems.push(
      `name part ${sentence(
        "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        qualifiedName,
        "'MyName',  or 'my.name',  or '123-abc'",
      )}`,
    );
  }
  return problems;
}

export function labelValueProblems(value: string): readonly string[] {
  const problems: string[] = [];
  if (value.length > 63) problems.push(tooLongText(63));
  if (!labelValuePattern.test(value)) {
    problems.push(
      sentence(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        labelValue,
        "'MyValue',  or 'my_value',  or '12345'",
      ),
    );
  }
  return problems;
}

function sentence(rule: string, pattern: string, examples: string): string {
  return `${rule} (e.g. ${examples}, regex used for validation is '${pattern}')`;
}

function tooLongText(max: number): string {
  return `must be no more than ${max} characters`;
}
