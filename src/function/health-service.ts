// grpc.health.v1.Health (https://github.com/grpc/grpc-proto/blob/master/grpc/health/v1/health.proto), so that kubelet's
// gRPC probes and load balancers can ask. The two messages have one field each, read and written with our own cursor.

import {
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import {cursorOf, expectWire, wholeSlice, wireBytes} from '../wire/cursor.ts';
import {WireError} from '../wire/text.ts';
import {bytesMethod} from './run-service.ts';

const name = 'grpc.health.v1.Health';
const serving = Buffer.from([0x08, 1]);
const notServing = Buffer.from([0x08, 2]);
const serviceUnknown = Buffer.from([0x08, 3]);

export const healthService: ServiceDefinition = {
  Check: bytesMethod(`/${name}/Check`),
  Watch: bytesMethod(`/${name}/Watch`, {response: true}),
};
export const healthServiceName = name;

/** Health of the named services, and of the whole server under ''. Healthy until it drains. */
export class Health {
  private readonly services: ReadonlySet<string>;
  private readonly watchers = new Set<ServerWritableStream<Buffer, Buffer>>();
  private draining = false;

  constructor(services: readonly string[]) {
    this.services = new Set(['', ...services]);
  }

  /** Sends NOT_SERVING to every watch and ends it: an open stream would keep the server from ending. */
  drain(): void {
    this.draining = true;
    for (const watcher of this.watchers) {
      watcher.write(notServing);
      watcher.end();
    }
    this.watchers.clear();
  }

  get handlers(): UntypedServiceImplementation {
    return {
      Check: (call: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) => {
        const service = serviceIn(call.request);
        if (service === undefined) callback({code: status.INVALID_ARGUMENT, details: 'cannot read HealthCheckRequest'});
        else if (this.services.has(service)) callback(null, this.current);
        else callback({code: status.NOT_FOUND, details: `unknown service ${JSON.stringify(service)}`});
      },
      Watch: (call: ServerWritableStream<Buffer, Buffer>) => {
        call.write(this.services.has(serviceIn(call.request) ?? '?') ? this.current : serviceUnknown);
        if (this.draining) {
          call.end();
          return;
        }
        this.watchers.add(call);
        call.on('cancelled', () => this.watchers.delete(call));
      },
    };
  }

  private get current(): Buffer {
    return this.draining ? notServing : serving;
  }
}

function serviceIn(request: Buffer): string | undefined {
  try {
    let service = '';
    const cursor = cursorOf(wholeSlice(request));
    while (!cursor.done) {
      const tag = cursor.tag();
      if (tag >>> 3 !== 1) {
        cursor.skip(tag);
        continue;
      }
      expectWire(tag, wireBytes, 'service');
      service = cursor.text();
    }
    return service;
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}
