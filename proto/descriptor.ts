// google.protobuf.FileDescriptorProto from a .proto file: what protoc would make of it, without protoc. Made for files
// like ours: proto3, one package each, no extensions.

import protobuf from 'protobufjs';
import {Sink} from '../src/wire/sink.ts';

/** `name` is the file's import path; `imports` those of the files whose types it uses. */
export interface ProtoFile {
  readonly name: string;
  readonly package: string;
  readonly imports: readonly string[];
  readonly types: readonly protobuf.ReflectionObject[];
}

/** The bytes of the file's FileDescriptorProto. */
export function describeFile(file: ProtoFile): Uint8Array {
  const sink = new Sink(8192);
  sink.text(12, 'proto3');
  const fields = [
    ...file.imports.map((path) => () => sink.text(3, path)),
    ...file.types.flatMap((type) =>
      type instanceof protobuf.Type ? [() => inField(sink, 4, () => message(sink, type))] : [],
    ),
    ...file.types.flatMap((type) =>
      type instanceof protobuf.Enum ? [() => inField(sink, 5, () => enumeration(sink, type))] : [],
    ),
    ...file.types.flatMap((type) =>
      type instanceof protobuf.Service ? [() => inField(sink, 6, () => service(sink, type))] : [],
    ),
  ];
  for (const write of fields.toReversed()) write();
  sink.text(2, file.package);
  sink.text(1, file.name);
  return sink.finish();
}

function message(sink: Sink, type: protobuf.Type): void {
  // A proto3 optional field is the only member of a oneof of its own, listed after those that are written as such.
  const written = type.oneofsArray.filter((oneof) => !oneof.isProto3Optional);
  const oneofs = [...written, ...type.oneofsArray.filter((oneof) => oneof.isProto3Optional)];
  for (const oneof of oneofs.toReversed()) inField(sink, 8, () => sink.text(1, oneof.name));
  const nested = type.nestedArray.toReversed();
  for (const each of nested) if (each instanceof protobuf.Enum) inField(sink, 4, () => enumeration(sink, each));
  for (const field of type.fieldsArray.toReversed()) {
    if (field instanceof protobuf.MapField) inField(sink, 3, () => mapEntry(sink, field));
  }
  for (const each of nested) if (each instanceof protobuf.Type) inField(sink, 3, () => message(sink, each));
  for (const field of type.fieldsArray.toReversed()) inField(sink, 2, () => fieldOf(sink, field, oneofs));
  sink.text(1, type.name);
}

function fieldOf(sink: Sink, field: protobuf.Field, oneofs: readonly protobuf.OneOf[]): void {
  const isMap = field instanceof protobuf.MapField;
  const oneof = field.partOf === null ? -1 : oneofs.indexOf(field.partOf);
  if (field.partOf?.isProto3Optional) sink.uint(17, 1);
  sink.text(10, jsonName(field.name));
  if (oneof >= 0) sink.uint(9, oneof, true);
  if (field.options?.['deprecated']) inField(sink, 8, () => sink.uint(3, 1));
  if (isMap) sink.text(6, `${fullName(field.parent)}.${entryName(field)}`);
  else if (field.resolvedType !== null) sink.text(6, fullName(field.resolvedType));
  sink.uint(5, isMap ? typeNumbers.message : typeNumber(field));
  sink.uint(4, isMap || field.repeated ? 3 : 1);
  sink.uint(3, field.id);
  sink.text(1, field.name);
}

// The message that a map field is a list of.
function mapEntry(sink: Sink, field: protobuf.MapField): void {
  inField(sink, 7, () => sink.uint(7, 1));
  inField(sink, 2, () => {
    sink.text(10, 'value');
    if (field.resolvedType !== null) sink.text(6, fullName(field.resolvedType));
    sink.uint(5, typeNumber(field));
    sink.uint(4, 1);
    sink.uint(3, 2);
    sink.text(1, 'value');
  });
  inField(sink, 2, () => {
    sink.text(10, 'key');
    sink.uint(5, typeNumbers.string);
    sink.uint(4, 1);
    sink.uint(3, 1);
    sink.text(1, 'key');
  });
  sink.text(1, entryName(field));
}

function enumeration(sink: Sink, type: protobuf.Enum): void {
  for (const [name, number] of Object.entries(type.values).toReversed()) {
    inField(sink, 2, () => {
      sink.uint(2, number, true);
      sink.text(1, name);
    });
  }
  sink.text(1, type.name);
}

function service(sink: Sink, type: protobuf.Service): void {
  for (const method of type.methodsArray.toReversed()) {
    inField(sink, 2, () => {
      sink.uint(6, method.responseStream ? 1 : 0);
      sink.uint(5, method.requestStream ? 1 : 0);
      method.resolve();
      sink.text(3, fullName(method.resolvedResponseType));
      sink.text(2, fullName(method.resolvedRequestType));
      sink.text(1, method.name);
    });
  }
  sink.text(1, type.name);
}

// What a plain field and a map field have in common.
type Described = Pick<protobuf.FieldBase, 'resolve' | 'resolvedType' | 'type' | 'fullName'>;

const typeNumbers = {double: 1, int64: 3, int32: 5, bool: 8, string: 9, message: 11, bytes: 12, enum: 14} as const;

function typeNumber(field: Described): number {
  field.resolve();
  if (field.resolvedType instanceof protobuf.Type) return typeNumbers.message;
  if (field.resolvedType instanceof protobuf.Enum) return typeNumbers.enum;
  const number = typeNumbers[field.type as keyof typeof typeNumbers];
  if (number === undefined) throw new Error(`cannot describe field ${field.fullName}: unknown type ${field.type}`);
  return number;
}

function inField(sink: Sink, field: number, write: () => void): void {
  const sizeBefore = sink.size;
  write();
  sink.message(field, sizeBefore);
}

function fullName(object: protobuf.ReflectionObject | null): string {
  if (object === null) throw new Error('cannot describe a type that was not resolved');
  return object.fullName;
}

function entryName(field: Pick<protobuf.FieldBase, 'name'>): string {
  const camel = jsonName(field.name);
  return `${camel.charAt(0).toUpperCase()}${camel.slice(1)}Entry`;
}

function jsonName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
