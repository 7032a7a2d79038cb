// As much of JSON Schema as our schemas use; a word it does not know is an error, so that none passes unread.

export interface Schema {
  readonly [word: string]: unknown;
}

const spoken = new Set(['$schema', '$defs', 'title', 'description']);

/** Where `value` does not fit, a sentence each. */
export function misfits(value: unknown, schema: Schema, root: Schema = schema, place = ''): readonly string[] {
  return Object.entries(schema).flatMap(([word, rule]): readonly string[] => {
    const at = place === '' ? 'the report' : place;
    switch (word) {
      case '$ref': {
        const name = String(rule).replace('#/$defs/', '');
        const target = (root['$defs'] as {readonly [name: string]: Schema})[name];
        return target === undefined ? [`the schema has no ${rule}`] : misfits(value, target, root, place);
      }
      case 'type':
        return isOfType(value, String(rule)) ? [] : [`${at} is no ${rule}: ${JSON.stringify(value)}`];
      case 'const':
        return value === rule ? [] : [`${at} is not ${rule}`];
      case 'enum':
        return (rule as readonly unknown[]).includes(value) ? [] : [`${at} is none of the known words: ${value}`];
      case 'minimum':
        return typeof value === 'number' && value < Number(rule) ? [`${at} is below ${rule}`] : [];
      case 'maximum':
        return typeof value === 'number' && value > Number(rule) ? [`${at} is above ${rule}`] : [];
      case 'minLength':
      case 'maxLength':
      case 'minItems':
        return isOfLength(value, word, Number(rule)) ? [] : [`${at} breaks ${word} ${rule}`];
      case 'pattern':
        return typeof value !== 'string' || new RegExp(String(rule), 'u').test(value) ? [] : [`${at} is not ${rule}`];
      case 'required':
        return (rule as readonly string[])
          .filter((name) => !isRecord(value) || value[name] === undefined)
          .map((name) => `${at} has no ${name}`);
      case 'additionalProperties': {
        const known = (schema['properties'] ?? {}) as Schema;
        return Object.keys(isRecord(value) ? value : {})
          .filter((name) => !Object.hasOwn(known, name))
          .map((name) => `${at} has ${name}`);
      }
      case 'properties':
        return Object.entries(rule as {readonly [name: string]: Schema}).flatMap(([name, part]) =>
          isRecord(value) && value[name] !== undefined ? misfits(value[name], part, root, `${place}.${name}`) : [],
        );
      case 'items':
        return Array.isArray(value)
          ? value.flatMap((item, index) => misfits(item, rule as Schema, root, `${place}[${index}]`))
          : [];
      default:
        return spoken.has(word) ? [] : [`the schema says ${word}, which nobody reads`];
    }
  });
}

function isOfLength(value: unknown, word: string, limit: number): boolean {
  if (typeof value !== 'string' && !Array.isArray(value)) return true;
  return word.startsWith('min') ? value.length >= limit : value.length <= limit;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isRecord(value) : typeof value === type;
}

function isRecord(value: unknown): value is {readonly [name: string]: unknown} {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
