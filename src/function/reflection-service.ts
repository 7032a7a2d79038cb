// grpc.reflection.v1 and v1alpha ServerReflection (https://github.com/grpc/grpc/blob/master/doc/server-reflection.md),
// so that tools such as grpcurl can list and call this server without our .proto files. Go functions serve it as well.
//
// Not served: extensions, of which proto3 files have none.

import {
  type ServerDuplexStream,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import {cursorOf, wholeSlice, wireBytes} from '../wire/cursor.ts';
import {Sink} from '../wire/sink.ts';
import {WireError} from '../wire/text.ts';
import {descriptors} from './descriptors.ts';
import {bytesMethod} from './run-service.ts';

export const reflectionServiceNames = [
  'grpc.reflection.v1.ServerReflection',
  'grpc.reflection.v1alpha.ServerReflection',
] as const;

interface DescribedFile {
  /** The FileDescriptorProto. */
  readonly bytes: Uint8Array;
  /** The import path. */
  readonly name: string;
  /** Import paths of the files it needs. */
  readonly imports: readonly string[];
  /** Full names of its messages, enums and services. */
  readonly symbols: readonly string[];
}

const describedFiles = descriptors.map((base64) => describedFile(Buffer.from(base64, 'base64')));

const fileByName = 3;
const fileContainingSymbol = 4;
const listServices = 7;

/** The service under one of its names. */
export function reflectionService(name: string): ServiceDefinition {
  return {ServerReflectionInfo: bytesMethod(`/${name}/ServerReflectionInfo`, {request: true, response: true})};
}

/** Describes the named services. */
export class Reflection {
  private readonly services: readonly string[];
  private readonly streams = new Set<ServerDuplexStream<Buffer, Buffer>>();

  constructor(services: readonly string[]) {
    this.services = services;
  }

  get handlers(): UntypedServiceImplementation {
    return {
      ServerReflectionInfo: (stream: ServerDuplexStream<Buffer, Buffer>) => {
        this.streams.add(stream);
        stream.on('data', (request: Buffer) => stream.write(Buffer.from(this.answer(request))));
        stream.on('end', () => stream.end());
        for (const event of ['end', 'cancelled', 'error']) stream.on(event, () => this.streams.delete(stream));
      },
    };
  }

  /** Ends the streams: an open one would keep the server from ending. */
  drain(): void {
    for (const stream of this.streams) stream.end();
    this.streams.clear();
  }

  private answer(request: Buffer): Uint8Array {
    const sink = new Sink(16_384);
    try {
      const {field, text} = questionIn(request);
      if (field === listServices) writeServices(sink, this.services);
      else if (field === fileByName) writeFiles(sink, fileNamed(text), text);
      else if (field === fileContainingSymbol) writeFiles(sink, fileOf(text), text);
      else writeError(sink, status.UNIMPLEMENTED, 'only files, symbols and services are described');
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      writeError(sink, status.INVALID_ARGUMENT, `cannot read ServerReflectionRequest: ${error.message}`);
    }
    sink.copy(2, request, 0, request.length);
    return sink.finish();
  }
}

function questionIn(request: Buffer): {readonly field: number; readonly text: string} {
  let question = {field: 0, text: ''};
  const cursor = cursorOf(wholeSlice(request));
  while (!cursor.done) {
    const tag = cursor.tag();
    const field = tag >>> 3;
    if ((tag & 7) === wireBytes && (field === fileByName || field === fileContainingSymbol || field === listServices)) {
      question = {field, text: cursor.text()};
    } else {
      cursor.skip(tag);
      if (field > 1) question = {field, text: ''};
    }
  }
  return question;
}

/** Reads a FileDescriptorProto, each of whose types begins with its name. */
function describedFile(bytes: Uint8Array): DescribedFile {
  const texts = new Map<number, string[]>();
  const cursor = cursorOf(wholeSlice(bytes));
  while (!cursor.done) {
    const field = cursor.tag() >>> 3;
    const isType = field >= 4 && field <= 6;
    const holder = isType ? cursorOf(cursor.slice()) : cursor;
    if (isType) holder.tag();
    texts.set(field, [...(texts.get(field) ?? []), holder.text()]);
  }
  const [name = '', space = ''] = [1, 2].flatMap((field) => texts.get(field) ?? []);
  const types = [4, 5, 6].flatMap((field) => texts.get(field) ?? []);
  return {bytes, name, imports: texts.get(3) ?? [], symbols: types.map((type) => `${space}.${type}`)};
}

function fileNamed(path: string): DescribedFile | undefined {
  return describedFiles.find(({name}) => name === path);
}

// The file of a message, enum or service, or of a member of one.
function fileOf(symbol: string): DescribedFile | undefined {
  return describedFiles.find(({symbols}) => symbols.some((each) => `${symbol}.`.startsWith(`${each}.`)));
}

function writeServices(sink: Sink, services: readonly string[]): void {
  const sizeBefore = sink.size;
  for (const service of services.toReversed()) {
    const serviceBefore = sink.size;
    sink.text(1, service);
    sink.message(1, serviceBefore);
  }
  sink.message(6, sizeBefore);
}

// The file and those it needs: some clients do not ask for these one by one.
function writeFiles(sink: Sink, file: DescribedFile | undefined, asked: string): void {
  if (file === undefined) {
    writeError(sink, status.NOT_FOUND, `${JSON.stringify(asked)} is not described here`);
    return;
  }
  const needed = describedFiles.filter(({name}) => file.imports.includes(name));
  const sizeBefore = sink.size;
  for (const each of [file, ...needed].toReversed()) {
    sink.copy(1, each.bytes, 0, each.bytes.length);
  }
  sink.message(4, sizeBefore);
}

function writeError(sink: Sink, code: status, message: string): void {
  const sizeBefore = sink.size;
  sink.text(2, message);
  sink.uint(1, code);
  sink.message(7, sizeBefore);
}
