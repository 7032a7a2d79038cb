// FunctionRunnerService, v1 and v1beta1, over one handler. The messages are the same bytes in both, so the handler takes
// and gives bytes and no gRPC codec ever looks at them.

import {
  status as grpcStatus,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type {Answerer} from './answerer.ts';
import type {Logger} from './log.ts';
import type {Metrics} from './metrics.ts';
import type {RunSummary} from './run-summary.ts';

export const servicePackages = ['apiextensions.fn.proto.v1', 'apiextensions.fn.proto.v1beta1'] as const;

/** The gRPC name of the service in one of the packages. */
export function serviceName(servicePackage: string): string {
  return `${servicePackage}.FunctionRunnerService`;
}

/** A unary or streaming method whose messages stay bytes. */
export function bytesMethod(path: string, stream: {readonly request?: boolean; readonly response?: boolean} = {}) {
  const same = (bytes: Buffer) => bytes;
  return {
    path,
    requestStream: stream.request ?? false,
    responseStream: stream.response ?? false,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
}

export function runService(servicePackage: string): ServiceDefinition {
  return {RunFunction: bytesMethod(`/${serviceName(servicePackage)}/RunFunction`)};
}

/** Answers RunFunction calls. A failure becomes a FATAL result in the response; the call itself fails only if its thread ends. */
export function runHandlers(
  servicePackage: string,
  answerer: Answerer,
  openCalls: {readonly count: number},
  logger: Logger,
  metrics: Metrics,
): UntypedServiceImplementation {
  const service = serviceName(servicePackage);
  return {
    RunFunction(call: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) {
      const started = process.hrtime.bigint();
      const requestBytes = call.request.length;
      answerer.answer(call.request, openCalls.count, (answer) => {
        const seconds = Number(process.hrtime.bigint() - started) / 1e9;
        if (answer.kind === 'thread-ended') {
          metrics.handled(service, 'RunFunction', 'UNAVAILABLE', seconds);
          callback({code: grpcStatus.UNAVAILABLE, details: 'the thread that had this call ended'});
          return;
        }
        const {response, summary} = answer;
        metrics.handled(service, 'RunFunction', 'OK', seconds);
        metrics.ran(summary);
        logRun(logger, summary, {requestBytes, responseBytes: response.length, seconds});
        callback(null, Buffer.from(response.buffer, response.byteOffset, response.length));
      });
    },
  };
}

function logRun(logger: Logger, {tag, xr, outcome}: RunSummary, sizes: {readonly [key: string]: number}): void {
  const fields = {tag, xr, ...sizes};
  if (outcome.kind === 'refused') {
    const {sentence, stack} = outcome;
    logger.log(stack === undefined ? 'warning' : 'error', sentence, stack === undefined ? fields : {...fields, stack});
    return;
  }
  const {condition, transitions} = outcome;
  logger.log('debug', 'ran', {...fields, tethered: condition, transitions});
}
