// FunctionRunnerService, v1 and v1beta1, over one handler. The messages are the same bytes in both, so the handler takes
// and gives bytes and no gRPC codec ever looks at them.

import type {ServerUnaryCall, ServiceDefinition, sendUnaryData, UntypedServiceImplementation} from '@grpc/grpc-js';
import type {Logger} from './log.ts';
import type {Metrics} from './metrics.ts';
import {type RunOptions, type RunReport, runWithReport} from './run.ts';

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

/** The service of one package. */
export function runService(servicePackage: string): ServiceDefinition {
  return {RunFunction: bytesMethod(`/${serviceName(servicePackage)}/RunFunction`)};
}

/** Answers RunFunction calls. Never fails a call: what goes wrong is a FATAL result in the response. */
export function runHandlers(
  servicePackage: string,
  options: RunOptions,
  logger: Logger,
  metrics: Metrics,
): UntypedServiceImplementation {
  const service = serviceName(servicePackage);
  return {
    RunFunction(call: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) {
      const started = process.hrtime.bigint();
      const {response, report} = runWithReport(call.request, options);
      const seconds = Number(process.hrtime.bigint() - started) / 1e9;
      metrics.handled(service, 'RunFunction', 'OK', seconds);
      metrics.ran(report);
      logRun(logger, report, {requestBytes: call.request.length, responseBytes: response.length, seconds});
      callback(null, Buffer.from(response.buffer, response.byteOffset, response.length));
    },
  };
}

function logRun(logger: Logger, report: RunReport, sizes: {readonly [key: string]: number}): void {
  const fields = {tag: report.tag, xr: report.xr, ...sizes};
  if (report.outcome.kind === 'refused') {
    const {sentence, stack} = report.outcome;
    logger.log(stack === undefined ? 'warning' : 'error', sentence, stack === undefined ? fields : {...fields, stack});
    return;
  }
  const {condition, transitions} = report.outcome.plan;
  const {status, reason} = condition;
  logger.log('debug', 'ran', {...fields, tethered: {status, reason}, transitions});
}
