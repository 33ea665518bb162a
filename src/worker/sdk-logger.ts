import { SdkComponent } from '@temporalio/common';
import { DefaultLogger, LogTimestamp, type LogEntry, type Logger } from '@temporalio/worker';

import { WORKFLOW_TASK_QUEUE } from '../contract/wire/names.js';

const WINDOW_MS = 10_000;

/** The SDK says this for every worker that runs activities only, and has no option to be quiet. */
const NO_WORKFLOWS = 'No workflows registered, not polling for workflow tasks';
/** The workers of the accounts have no Nexus services, nor has any where the server has no Nexus. */
const NO_NEXUS = 'No Nexus services registered, not polling for Nexus tasks';

/**
 * The logger for the SDK. It writes to `logger`, but leaves out remarks that are true by design. In an
 * outage every poller repeats the same warning: of these it writes the first one, and then one every
 * ten seconds with `repeated`, the number of entries that it stands for.
 */
export function createSdkLogger(logger: Logger, windowMs = WINDOW_MS): Logger {
  const thin = createThinning((entry) => {
    write(logger, entry);
  }, windowMs);
  return new DefaultLogger('TRACE', (entry) => {
    if (isExpected(entry)) return;
    if (entry.meta?.['sdkComponent'] === SdkComponent.core) thin(entry);
    else write(logger, entry);
  });
}

function isExpected({ message, meta }: LogEntry): boolean {
  if (message === NO_NEXUS) return true;
  return message === NO_WORKFLOWS && meta?.['taskQueue'] !== WORKFLOW_TASK_QUEUE;
}

function write(logger: Logger, { level, message, meta, timestampNanos }: LogEntry): void {
  logger.log(level, message, { ...meta, [LogTimestamp]: timestampNanos });
}

interface Repeats {
  last: LogEntry;
  count: number;
}

/** Passes the first entry of a kind, and at the end of each window the last one of its repeats. */
function createThinning(pass: (entry: LogEntry) => void, windowMs: number) {
  const repeats = new Map<string, Repeats | undefined>();
  const openWindow = (kind: string): void => {
    repeats.set(kind, undefined);
    // `unref`: a pending window must not keep a stopped worker alive.
    setTimeout(() => {
      const repeated = repeats.get(kind);
      repeats.delete(kind);
      if (repeated === undefined) return;
      const { last, count } = repeated;
      pass({ ...last, meta: { ...last.meta, repeated: count } });
      openWindow(kind);
    }, windowMs).unref();
  };
  return (entry: LogEntry): void => {
    const kind = kindOf(entry);
    if (!repeats.has(kind)) {
      pass(entry);
      openWindow(kind);
      return;
    }
    const count = (repeats.get(kind)?.count ?? 0) + 1;
    repeats.set(kind, { last: entry, count });
  };
}

/** Counters in a message, such as "retried 7 times", make it no other message. */
function kindOf({ level, message }: LogEntry): string {
  return `${level} ${message.replaceAll(/\d+/g, '#')}`;
}
