import type { CliIo } from '../cli-io.js';

export interface Stoppable {
  /** Aborted by Ctrl-C, and when the time is over. */
  signal: AbortSignal;
  /** Ends the waiting for that time. */
  end: () => void;
}

/** @param leftMs nothing is left when it is 0 or less; there is no limit when it is missing. */
export function untilStopped(
  { clock, interrupted }: Pick<CliIo, 'clock' | 'interrupted'>,
  leftMs: number | undefined,
): Stoppable {
  const late = new AbortController();
  const ended = new AbortController();
  const stopWhenLate = async (ms: number): Promise<void> => {
    if (ms > 0) await clock.delay(ms, ended.signal);
    if (!ended.signal.aborted) late.abort();
  };
  if (leftMs !== undefined) void stopWhenLate(leftMs);
  return {
    signal: AbortSignal.any([interrupted(), late.signal]),
    end: () => {
      ended.abort();
    },
  };
}
