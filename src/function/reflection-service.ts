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
import {WireError} from '../wire/wire-error.ts';
import {type DescribedFile, describedFiles} from './descriptors.ts';
import {bytesMethod} from './run-service.ts';

export const reflectionServiceNames = [
  'grpc.reflection.v1.ServerReflection',
  'grpc.reflection.v1alpha.ServerReflection',
] as const;

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
      else if (field === fileByName)
        writeFiles(
          sink,
          describedFiles.find((file) => file.name === text),
          text,
        );
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

// The file of a message, enum or service, or of a member of one.
function fileOf(symbol: string): DescribedFile | undefined {
  return describedFiles.find(({symbols}) => symbols.split(' ').some((each) => `${symbol}.`.startsWith(`${each}.`)));
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
    const bytes = Buffer.from(each.base64, 'base64');
    sink.copy(1, bytes, 0, bytes.length);
  }
  sink.message(4, sizeBefore);
}

function writeError(sink: Sink, code: status, message: string): void {
  const sizeBefore = sink.size;
  sink.text(2, message);
  sink.uint(1, code);
  sink.message(7, sizeBefore);
}
