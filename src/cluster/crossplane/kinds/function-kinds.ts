// The kinds Function and FunctionRevision, as far as the composition controllers read them: the active revision, its endpoint and
// its capabilities. crossplane/crossplane 2d040d2da apis/pkg/v1/function_types.go, revision_types.go. Not modelled: the package
// manager; the builder of a world creates both objects.

import type {KindDefinition} from '../../api/kinds.ts';
import {oneVersionKind} from '../../api/one-version.ts';
import {choice, list, record, resource, text} from '../../api/schema-pieces.ts';
import type {KubeObject} from '../../object.ts';
import {labelPackage} from '../../vocabulary.ts';
import type {Profile} from '../profile.ts';
import {conditionList} from '../xr-schema.ts';

export function functionKinds(profile: Profile): readonly KindDefinition[] {
  const conditions = conditionList(profile.observedGeneration === 'set');
  const functionSchema = resource(
    record({package: text, revisionActivationPolicy: choice(['Automatic', 'Manual'])}, ['package']),
    record({conditions, currentRevision: text}),
  );
  const revisionSchema = resource(
    record({desiredState: choice(['Active', 'Inactive']), image: text, revision: {type: 'integer', format: 'int64'}}),
    record({conditions, endpoint: text, capabilities: list(text)}),
  );
  const apiVersion = functionApiVersion(profile);
  return [
    oneVersionKind(apiVersion, 'Function', functionSchema),
    oneVersionKind(apiVersion, 'FunctionRevision', revisionSchema),
  ];
}

/** FunctionRevisions were v1beta1 in v1.16. */
export function functionApiVersion(profile: Profile): string {
  return `pkg.crossplane.io/${profile.functionService === 'apiextensions.fn.proto.v1beta1' ? 'v1beta1' : 'v1'}`;
}

/**
 * An installed, healthy function: the objects its package would have made. `endpoint` is the target it is called at.
 * The status is part of the revision, so it must be created with it or written through the status subresource.
 */
export function installedFunction(
  name: string,
  endpoint: string,
  profile: Profile,
  capabilities: readonly string[] = ['composition'],
): readonly KubeObject[] {
  const apiVersion = functionApiVersion(profile);
  const revision = firstRevisionOf(name);
  return [
    {
      apiVersion,
      kind: 'Function',
      metadata: {name},
      spec: {package: `xpkg.example.org/${name}:v1.0.0`},
      status: {currentRevision: revision},
    },
    {
      apiVersion,
      kind: 'FunctionRevision',
      metadata: {name: revision, labels: {[labelPackage]: name}},
      spec: {desiredState: 'Active', image: `xpkg.example.org/${name}:v1.0.0`, revision: 1},
      status: {endpoint, capabilities},
    },
  ];
}

/** The name of the revision of an installed function. */
export function firstRevisionOf(name: string): string {
  return `${name}-000000000001`;
}
