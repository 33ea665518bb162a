/** One request as it left the worker, even if it never arrived. */
export interface RecordedCall {
  /** Milliseconds since the epoch. */
  atMs: number;
  method: string;
  path: string;
  /** The run that sent it; missing for the watcher. */
  workflowId: string | undefined;
  /** Missing until the answer. */
  status?: number;
}

/** A `fetch` that records every request when it is sent. */
export function createCallRecorder() {
  const calls: RecordedCall[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { method, url, headers } = new Request(input, init);
    const [, runId] = /\((.+)\)$/.exec(headers.get('user-agent') ?? '') ?? [];
    const call: RecordedCall = {
      atMs: Date.now(),
      method,
      path: new URL(url).pathname,
      workflowId: runId === undefined ? undefined : decodeURI(runId),
    };
    calls.push(call);
    const response = await globalThis.fetch(input, init);
    call.status = response.status;
    return response;
  };
  return { calls, fetch };
}

/** For each run: when it sent its first successful call after `sinceMs`. */
export function firstSuccesses(
  calls: readonly RecordedCall[],
  sinceMs: number,
): Map<string, number> {
  const times = new Map<string, number>();
  for (const { atMs, workflowId, status = 0 } of calls) {
    const isFirst = workflowId !== undefined && !times.has(workflowId);
    if (isFirst && atMs >= sinceMs && status >= 200 && status < 300) times.set(workflowId, atMs);
  }
  return times;
}
