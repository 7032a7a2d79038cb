import {createServer} from 'node:net';

/** A free port of this machine. */
export function freePort(): Promise<number> {
  return listening(0, '127.0.0.1');
}

/** True if a program listens at `host:port` already; false for an address that cannot be listened on. */
export async function isPortTaken(address: string): Promise<boolean> {
  const match = /^(?:\[?([^\]]*?)\]?):(\d+)$/.exec(address);
  if (match === null) return false;
  const [, host = '', port = ''] = match;
  try {
    await listening(Number(port), host === '' ? '127.0.0.1' : host);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  }
}

function listening(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}
