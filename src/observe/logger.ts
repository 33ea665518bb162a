import type { Logger, LogLevel, LogMetadata } from '@temporalio/common';
import { pino } from 'pino';

import { redactFields, redactText, requestIdIn } from './redact.js';

/** Under this key the SDK gives the time at which something happened, in nanoseconds since the epoch. */
const TIMESTAMP = Symbol.for('log_timestamp');

const PINO_LEVEL = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const satisfies Record<LogLevel, string>;

/**
 * The one logger: worker, gateway, command line, and everything that Temporal's SDK says. Each entry is one
 * line of JSON with `time`, `level`, `message` and facts such as `workflowId`, `runId`, `activityType`,
 * `requestId`. No line holds a secret; see `redact`.
 */
export function createLogger(level: LogLevel, write: (line: string) => void): Logger {
  const output = pino(
    {
      level: PINO_LEVEL[level],
      base: null,
      messageKey: 'message',
      timestamp: false,
      formatters: { level: (label) => ({ level: label.toUpperCase() }) },
    },
    {
      write: (line: string) => {
        write(line.trimEnd());
      },
    },
  );
  const log = (at: LogLevel, message: string, meta?: LogMetadata): void => {
    if (!output.isLevelEnabled(PINO_LEVEL[at])) return;
    output[PINO_LEVEL[at]](toFacts(meta), redactText(message));
  };
  return {
    log,
    trace: (message, meta) => {
      log('TRACE', message, meta);
    },
    debug: (message, meta) => {
      log('DEBUG', message, meta);
    },
    info: (message, meta) => {
      log('INFO', message, meta);
    },
    warn: (message, meta) => {
      log('WARN', message, meta);
    },
    error: (message, meta) => {
      log('ERROR', message, meta);
    },
  };
}

/** Fields of every line. */
const RESERVED = ['time', 'level', 'message'];

function toFacts(meta: LogMetadata = {}): Record<string, unknown> {
  const time = timeOf(meta[TIMESTAMP]);
  try {
    const facts = redactFields(meta);
    for (const name of RESERVED) Reflect.deleteProperty(facts, name);
    const requestId = requestIdIn(facts['error']);
    return { time, ...facts, ...(requestId !== undefined && { requestId }) };
  } catch {
    // Facts that cannot be read, such as a getter that throws: the message is more important.
    return { time };
  }
}

function timeOf(nanos: unknown): string {
  const at = typeof nanos === 'bigint' ? new Date(Number(nanos / 1_000_000n)) : new Date();
  return at.toISOString();
}
