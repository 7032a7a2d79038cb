// Where an XR keeps Crossplane's own fields: `spec.crossplane` since v2, `spec` for legacy XRs and claims.
// crossplane/crossplane-runtime v2.4.0 pkg/resource/unstructured/composite/composite.go.

import {at, type JsonObject, withAt} from '../json.ts';
import type {KubeObject, ResourceRef} from '../object.ts';
import type {XrScope} from './xrd.ts';

export type ComposedRef = ResourceRef & JsonObject;

export type Schema = 'modern' | 'legacy';

export function schemaOf(scope: XrScope): Schema {
  return scope === 'LegacyCluster' ? 'legacy' : 'modern';
}

function machineryPath(schema: Schema, field: string): readonly string[] {
  return schema === 'modern' ? ['spec', 'crossplane', field] : ['spec', field];
}

export class XrFields {
  readonly schema: Schema;

  constructor(schema: Schema) {
    this.schema = schema;
  }

  compositionName(xr: KubeObject): string | undefined {
    return nameIn(this.get(xr, 'compositionRef'));
  }

  revisionName(xr: KubeObject): string | undefined {
    return nameIn(this.get(xr, 'compositionRevisionRef'));
  }

  compositionSelector(xr: KubeObject): {readonly [key: string]: string} | undefined {
    return matchLabelsIn(this.get(xr, 'compositionSelector'));
  }

  revisionSelector(xr: KubeObject): {readonly [key: string]: string} | undefined {
    return matchLabelsIn(this.get(xr, 'compositionRevisionSelector'));
  }

  /** Absent counts as Automatic everywhere but in the choice of revisions by selector. */
  updatePolicy(xr: KubeObject): 'Automatic' | 'Manual' | undefined {
    const policy = this.get(xr, 'compositionUpdatePolicy');
    return policy === 'Automatic' || policy === 'Manual' ? policy : undefined;
  }

  resourceRefs(xr: KubeObject): readonly ComposedRef[] {
    return (this.get(xr, 'resourceRefs') ?? []) as readonly ComposedRef[];
  }

  with<T extends KubeObject>(xr: T, field: string, value: JsonObject | readonly JsonObject[] | undefined): T {
    return withAt(xr, machineryPath(this.schema, field), value);
  }

  private get(xr: KubeObject, field: string) {
    return at(xr, machineryPath(this.schema, field));
  }
}

/** Only legacy XRs are bound to claims. */
export function claimRefOf(xr: KubeObject): ResourceRef | undefined {
  const ref = at(xr, ['spec', 'claimRef']);
  return ref === undefined ? undefined : (ref as unknown as ResourceRef);
}

function nameIn(value: unknown): string | undefined {
  const name = (value as JsonObject | undefined)?.['name'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function matchLabelsIn(value: unknown): {readonly [key: string]: string} | undefined {
  if (value === undefined) return undefined;
  return ((value as JsonObject)['matchLabels'] ?? {}) as {readonly [key: string]: string};
}
