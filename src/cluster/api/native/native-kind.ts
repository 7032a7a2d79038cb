// The form in which Kubernetes' own kinds are written here.

import type {JsonObject} from '../../json.ts';
import type {KubeObject} from '../../object.ts';
import type {KindDefinition, KindVersion} from '../kinds.ts';

export interface NativeKind extends Omit<KindDefinition, 'versions'> {
  readonly version: string;
  /** The fields beside apiVersion, kind and metadata. */
  readonly fields: JsonObject;
  /** Has the status subresource. Its fields are open: what controllers write there. */
  readonly status?: true;
  readonly check?: NonNullable<KindVersion['check']>;
}

const openStatus: JsonObject = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};

/** A kind of one version, whose updates need no resourceVersion, as those of all kinds that are Go structs. */
export function nativeKind({version, fields, status, check, filled = same, ...rest}: NativeKind): KindDefinition {
  const properties = status === true ? {...fields, status: openStatus} : fields;
  const only: KindVersion = {
    name: version,
    served: true,
    storage: true,
    status: status === true,
    schema: {type: 'object', properties},
    ...(check === undefined ? {} : {check}),
  };
  return {unconditionalUpdate: true, isStruct: true, filled, ...rest, versions: [only]};
}

function same(object: KubeObject): KubeObject {
  return object;
}
