// Structured logs: one JSON object a line, with names, counts and our own sentences. Never logged: requests, inputs, credentials
// and connection details.

type LogLevel = 'debug' | 'info' | 'warning' | 'error';

export interface Logger {
  log(level: LogLevel, message: string, fields?: {readonly [key: string]: unknown}): void;
}

/** A logger that hands finished lines to `write`. Debug lines are dropped unless `debug`. */
export function jsonLogger(write: (line: string) => void, debug: boolean): Logger {
  return {
    log(level, message, fields = {}) {
      if (level === 'debug' && !debug) return;
      write(`${JSON.stringify({time: new Date().toISOString(), level, message, ...fields})}\n`);
    },
  };
}
