// Plain HTTP for Prometheus: GET /metrics and nothing else.

import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {splitAddress} from './serve-args.ts';

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on host:port. Rejects with Node's error if it cannot. */
export async function startMetricsServer(
  address: string,
  metrics: {readonly render: () => string},
): Promise<MetricsServer> {
  const {host, port} = splitAddress(address) ?? {host: '', port: 0};
  const server = createServer((request, response) => {
    const found = request.method === 'GET' && request.url === '/metrics';
    response.writeHead(found ? 200 : 404, {'content-type': 'text/plain; version=0.0.4; charset=utf-8'});
    response.end(found ? metrics.render() : 'only GET /metrics is here\n');
  });
  server.listen(host === '' ? {port} : {host, port});
  await once(server, 'listening');
  const closed = once(server, 'close').then(() => undefined);
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
      return closed;
    },
  };
}
