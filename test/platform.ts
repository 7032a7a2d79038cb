// The objects of a platform that many tests need: a definition, a Composition, and the steps of its pipeline.

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

const anySpec = {type: 'object', properties: {spec: {type: 'object'}}};

/** An XRD of one version, named after plural and group; of v2 if it has a scope. */
export function definition(
  {apiVersion, kind}: Kind,
  openAPIV3Schema: object = anySpec,
  {scope}: {readonly scope?: 'Cluster' | 'Namespaced'} = {},
) {
  const [group = '', name = ''] = apiVersion.split('/');
  const plural = `${kind.toLowerCase()}s`;
  const versions = [{name, served: true, referenceable: true, schema: {openAPIV3Schema}}];
  return {
    apiVersion: `apiextensions.crossplane.io/${scope === undefined ? 'v1' : 'v2'}`,
    kind: 'CompositeResourceDefinition',
    metadata: {name: `${plural}.${group}`},
    spec: {group, names: {kind, plural}, versions, ...(scope === undefined ? {} : {scope})},
  };
}

/** A Composition for the kind, named after its plural. */
export function composition({apiVersion, kind}: Kind, ...pipeline: readonly object[]) {
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: {name: `${kind.toLowerCase()}s`},
    spec: {compositeTypeRef: {apiVersion, kind}, mode: 'Pipeline', pipeline},
  };
}

/** A step of function-static with these resources. */
export function staticStep(resources: readonly object[], more: object = {}) {
  const input = {apiVersion: 'static.fn.example.org/v1', kind: 'Input', resources, ...more};
  return {step: 'static', functionRef: {name: 'function-static'}, input};
}

/** A step of function-tether with this input. */
export function tetherStep(input: object = {}) {
  const whole = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', ...input};
  return {step: 'tether', functionRef: {name: 'function-tether'}, input: whole};
}
