// Requests of a provider to the cloud and their replies, by HTTP code. `id` is the cloud's own identifier of an external resource,
// the value that providers keep as external-name.

import type {JsonObject} from '../json.ts';

export interface CloudRequest extends JsonObject {
  readonly op: string;
}

export interface CreateRequest extends CloudRequest {
  readonly op: 'create';
  /** The cloud's kind of thing; providers send the kind of the managed resource. */
  readonly type: string;
  /** The managed resource it is made for: for reports only, the cloud does not look at it. */
  readonly owner: string;
  readonly fields: JsonObject;
  /** Absent if the cloud chooses the identifier. */
  readonly asked?: AskedId;
}

/** The identifier that a client chooses. With `unlessChosen` the cloud makes another one if it could have chosen that id itself. */
export interface AskedId extends JsonObject {
  readonly id: string;
  readonly unlessChosen?: boolean;
}

export interface GetRequest extends CloudRequest {
  readonly op: 'get';
  readonly type: string;
  readonly id: string;
}

export interface UpdateRequest extends CloudRequest {
  readonly op: 'update';
  readonly type: string;
  /** Empty where the provider lost the name: answered 404. */
  readonly id: string;
  readonly fields: JsonObject;
}

export interface DeleteRequest extends CloudRequest {
  readonly op: 'delete';
  readonly type: string;
  readonly id: string;
}

export type ExternalRequest = CreateRequest | GetRequest | UpdateRequest | DeleteRequest;

/** An external resource as the cloud shows it. */
export interface ExternalView extends JsonObject {
  readonly id: string;
  readonly fields: JsonObject;
  /** Attributes that the cloud computes and no client can set: an ARN, an endpoint. */
  readonly attributes: {readonly [name: string]: string};
  readonly state: 'creating' | 'available';
  /** The whole status that a provider shows, if the resource was put there with one. */
  readonly shown?: JsonObject;
}

export interface ExternalReply extends JsonObject {
  readonly code: 200 | 201 | 404 | 409 | 500;
  /** Absent where nothing is shown: an error, or a delete. */
  readonly external?: ExternalView;
  readonly error?: string;
  /** Only for a create that was carried out: when the resource came into being, be the answer an error or not. */
  readonly committedAtMs?: number;
  readonly committedId?: string;
}

export const externalRequest = {
  create: (type: string, owner: string, fields: JsonObject, asked?: AskedId): CreateRequest =>
    asked === undefined ? {op: 'create', type, owner, fields} : {op: 'create', type, owner, fields, asked},
  get: (type: string, id: string): GetRequest => ({op: 'get', type, id}),
  update: (type: string, id: string, fields: JsonObject): UpdateRequest => ({op: 'update', type, id, fields}),
  delete: (type: string, id: string): DeleteRequest => ({op: 'delete', type, id}),
};
