// Defaults and schema of an XR by its XRD. crossplane/cli 3d72f9316 pkg/xr/xrd.go (ApplyXRDDefaults); crossplane/crossplane
// 2d040d2da internal/render/composite/render.go (selectSchema).

import {withDefaults} from '../../cluster/api/coerce.ts';
import type {Profile} from '../../cluster/crossplane/profile.ts';
import {type Schema, schemaOf} from '../../cluster/crossplane/xr.ts';
import {xrCrd} from '../../cluster/crossplane/xr-crd.ts';
import {writtenScope} from '../../cluster/crossplane/xrd.ts';
import {versionsOf} from '../../cluster/defined-kinds.ts';
import {at, type JsonObject} from '../../cluster/json.ts';
import {groupOf, type KubeObject} from '../../cluster/object.ts';
import {structuralOf} from '../../cluster/schema/structural.ts';
import {InputError} from '../input/input-error.ts';
import {loadObject} from './render-files.ts';

export interface DefinedXr {
  readonly xr: KubeObject;
  readonly schema: Schema;
}

/** A CompositeResourceDefinition and where it was read. */
export interface Definition {
  readonly xrd: KubeObject;
  readonly place: string;
}

export function loadDefinition(file: string): Definition {
  return {xrd: loadObject(file, 'a CompositeResourceDefinition'), place: file};
}

/** The XR with the defaults of its definition. Throws InputError where the definition is of another kind or version. */
export function defineXr(xr: KubeObject, {xrd, place: file}: Definition, profile: Profile): DefinedXr {
  if (xrd.kind !== 'CompositeResourceDefinition') {
    throw new InputError(`must hold a CompositeResourceDefinition, got ${xrd.kind}`, {place: file});
  }
  const group = String(xrd.spec?.['group']);
  const kind = String(at(xrd.spec, ['names', 'kind']));
  if (group !== groupOf(xr.apiVersion) || kind !== xr.kind) {
    throw new InputError(`must define ${xr.kind} of group ${groupOf(xr.apiVersion)}, got ${kind} of group ${group}`, {
      place: file,
    });
  }
  const crd = xrCrd(xrd, profile);
  const versions = versionsOf(crd);
  const version = versions.find(({name}) => `${group}/${String(name)}` === xr.apiVersion);
  if (version === undefined) {
    const names = versions.map(({name}) => String(name)).join(', ');
    throw new InputError(`must define the XR's version ${xr.apiVersion}, got ${names}`, {place: file});
  }
  const schema = at(version, ['schema', 'openAPIV3Schema']) as JsonObject;
  return {xr: withDefaults(xr, structuralOf(schema)) as KubeObject, schema: schemaOf(writtenScope(xrd))};
}
