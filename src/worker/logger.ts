import { DefaultLogger, type LogEntry, type Logger, type LogLevel } from '@temporalio/worker';

/** Log attributes that work like credentials or carry payloads. */
const HIDDEN = /authorization|api.?key|token|password|user_data|secret/i;

/** JSON lines on stderr, one an entry, without anything secret. */
export function createLogger(level: LogLevel, write: (line: string) => void): Logger {
  return new DefaultLogger(level, (entry) => {
    write(toLine(entry));
  });
}

export function toLine({ level, timestampNanos, message, meta }: LogEntry): string {
  const time = new Date(Number(timestampNanos / 1_000_000n)).toISOString();
  return JSON.stringify({ time, level, message, ...meta }, hide);
}

function hide(key: string, value: unknown): unknown {
  if (HIDDEN.test(key)) return undefined;
  if (typeof value === 'bigint') return value.toString();
  // An error's own fields hold causes and details of libraries; its words are enough here.
  if (value instanceof Error) return { name: value.name, message: value.message };
  return value;
}
