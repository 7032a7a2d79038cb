// What an API server wants of the CRD of an input: the rules of k8s.io/apiextensions-apiserver v0.34.1, as far as a CRD
// without combinators can break them. pkg/apiserver/schema/validation.go (validateStructuralInvariants and
// validateStructuralMetadataInvariants), pkg/apis/apiextensions/validation/validation.go (ValidateCustomResourceDefinition,
// validateCustomResourceDefinitionSpec, ValidateCustomResourceDefinitionNames, ValidateCustomResourceDefinitionOpenAPISchema).
// Keywords that this does not know are problems, too, so that no schema comes to say more than is looked at here.

import {RE2JS} from '@bufbuild/re2';

interface Node {
  readonly [keyword: string]: unknown;
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const known = new Set([
  ...['type', 'description', 'properties', 'required', 'items', 'enum', 'pattern', 'minLength', 'maxLength'],
  ...['minItems', 'minProperties', 'minimum', 'maximum', 'x-kubernetes-preserve-unknown-fields'],
]);

/** Everything the API server would refuse, in its words where it has some; empty for a CRD that can be installed. */
export function crdProblems(crd: Node): readonly string[] {
  const spec = crd['spec'] as Node;
  const names = spec['names'] as Node;
  const versions = spec['versions'] as readonly Node[];
  const metadata = crd['metadata'] as Node;
  const name = `${names['plural']}.${spec['group']}`;
  return [
    ...(metadata['name'] === name ? [] : [`metadata.name: must be spec.names.plural+"."+spec.group (${name})`]),
    ...['plural', 'singular', 'kind', 'listKind']
      .filter((key) => !/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(String(names[key]).toLowerCase()))
      .map((key) => `spec.names.${key}: must be a DNS label`),
    ...(names['kind'] === names['listKind'] ? ['spec.names.listKind: kind and listKind may not be the same'] : []),
    ...(['Cluster', 'Namespaced'].includes(String(spec['scope'])) ? [] : ['spec.scope: unsupported value']),
    ...(versions.filter(({storage}) => storage).length === 1
      ? []
      : ['spec.versions: must have exactly one version marked as storage version']),
    ...versions.flatMap(({schema}) => nodeProblems((schema as Node)['openAPIV3Schema'] as Node, 'schema', true)),
  ];
}

function nodeProblems(node: Node, path: string, isRoot = false): readonly string[] {
  const {type, properties, items, pattern, required, enum: values} = node as {readonly [keyword: string]: never};
  const fields: readonly [string, Node][] = Object.entries(properties ?? {});
  const preserving = node['x-kubernetes-preserve-unknown-fields'] === true;
  const problems = Object.keys(node)
    .filter((keyword) => !known.has(keyword))
    .map((keyword) => `${path}.${keyword}: not looked at here`);
  if (type === undefined && !preserving) problems.push(`${path}.type: must not be empty`);
  if (type !== undefined && !types.includes(type)) problems.push(`${path}.type: unsupported value`);
  if (isRoot && type !== 'object') problems.push(`${path}.type: must be object at the root`);
  if (type === 'array' && items === undefined) problems.push(`${path}.items: must be specified`);
  if (pattern !== undefined && !compiles(pattern)) problems.push(`${path}.pattern: must be a valid regular expression`);
  if (values !== undefined && new Set(values).size !== (values as readonly unknown[]).length) {
    problems.push(`${path}.enum: duplicate value`);
  }
  if (required !== undefined && (required as readonly unknown[]).length === 0) {
    problems.push(`${path}.required: should have at least 1 items`);
  }
  for (const key of isRoot ? ['apiVersion', 'kind'] : []) {
    const field = fields.find(([name]) => name === key)?.[1];
    if (field !== undefined && field['type'] !== 'string') problems.push(`${path}.${key}.type: must be string`);
  }
  for (const [key, field] of fields) {
    const place = `${path}.properties[${key}]`;
    problems.push(...(isRoot && key === 'metadata' ? metadataProblems(field, place) : nodeProblems(field, place)));
  }
  return items === undefined ? problems : [...problems, ...nodeProblems(items, `${path}.items`)];
}

function metadataProblems({type, properties = {}, ...rest}: Node, path: string): readonly string[] {
  const others = Object.keys(properties as Node).filter((name) => name !== 'name' && name !== 'generateName');
  return [
    ...(type === 'object' ? [] : [`${path}.type: must be object`]),
    ...([...Object.keys(rest), ...others].length === 0
      ? []
      : [`${path}: must not specify anything other than name and generateName, but metadata is implicitly specified`]),
  ];
}

function compiles(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}
