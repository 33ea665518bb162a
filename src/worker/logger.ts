import { types } from 'node:util';

import { DefaultLogger, type LogEntry, type Logger, type LogLevel } from '@temporalio/worker';

/** Names of log attributes that hold credentials or payloads. */
const HIDDEN = /authorization|api.?key|token|password|user_data|secret/i;

/** Writes one JSON line per entry, without secrets. */
export function createLogger(level: LogLevel, write: (line: string) => void): Logger {
  return new DefaultLogger(level, (entry) => {
    write(toLine(entry));
  });
}

export function toLine({ level, timestampNanos, message, meta }: LogEntry): string {
  const time = new Date(Number(timestampNanos / 1_000_000n)).toISOString();
  try {
    return JSON.stringify({ ...meta, time, level, message }, hide);
  } catch {
    // Attributes with a circular reference: the message is more important.
    return JSON.stringify({ time, level, message });
  }
}

function hide(key: string, value: unknown): unknown {
  if (HIDDEN.test(key)) return undefined;
  if (typeof value === 'bigint') return value.toString();
  // The fields of an error hold causes and details of libraries; its message is enough here.
  // Errors of workflows come from another realm, where `instanceof` does not know them.
  if (types.isNativeError(value)) return { name: value.name, message: value.message };
  return value;
}
