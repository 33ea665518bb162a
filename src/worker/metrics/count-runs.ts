import { setTimeout as delay } from 'node:timers/promises';

import { Operation, SearchAttribute } from '../../contract/wire/names.js';
import { Phase } from '../../engine/core/status.js';
import type { CutShortDeps } from '../cut-short.js';

export interface RunCount {
  operation: Operation;
  phase: string;
  runs: number;
}

export interface CountRunsOptions {
  /** How many runs match a query of visibility. */
  count: (query: string) => Promise<number>;
  /** How many processes count. */
  processes: () => number;
  onCounted: (counts: readonly RunCount[]) => void;
  signal: AbortSignal;
  everyMs?: number;
}

const EVERY_MS = 60_000;
/** All processes together begin a round every ten seconds at most: a server allows ten queries a second. */
const APART_MS = 10_000;
const JITTER = 0.2;
const ANSWER_WITHIN_MS = 5_000;

/** Phases in which a run shows by its search attribute; every other open run counts as running. */
const HELD = [Phase.paused, Phase.blocked, Phase.rollingBack] as const;

/** Counts the open runs by operation and phase, again and again until the signal. Never rejects. */
export async function countRunsForEver(options: CountRunsOptions): Promise<void> {
  const { onCounted, processes, signal, everyMs = EVERY_MS } = options;
  while (!signal.aborted) {
    try {
      onCounted(await countRuns(options.count));
    } catch {
      // The next round comes soon, and the time of the last count shows.
    }
    const pauseMs = Math.max(everyMs, processes() * APART_MS) * (1 + Math.random() * JITTER);
    await delay(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}

/**
 * Asked again and again, so by the status, which the databases of the server have an index of. Runs that Temporal itself has paused
 * do not count here.
 */
const RUNNING = "ExecutionStatus = 'Running'";

/**
 * Visibility groups by status only, so each number is a query, one after the other: ten in a healthy
 * namespace, 31 when runs of every operation are held.
 */
export async function countRuns(count: CountRunsOptions['count']): Promise<RunCount[]> {
  const occupied = new Set<string>();
  for (const phase of HELD) {
    if ((await count(`${RUNNING} AND ${SearchAttribute.phase} = '${phase}'`)) > 0)
      occupied.add(phase);
  }
  const counts: RunCount[] = [];
  for (const operation of Object.values(Operation)) {
    const ofOperation = `${RUNNING} AND WorkflowType = '${operation}'`;
    let running = await count(ofOperation);
    for (const phase of HELD) {
      const isWorthIt = running > 0 && occupied.has(phase);
      const query = `${ofOperation} AND ${SearchAttribute.phase} = '${phase}'`;
      const runs = isWorthIt ? await count(query) : 0;
      counts.push({ operation, phase, runs });
      running = Math.max(running - runs, 0);
    }
    counts.push({ operation, phase: Phase.running, runs: running });
  }
  return counts;
}

/** Asks the Temporal server. */
export function countByVisibility({ connection, namespace }: CutShortDeps) {
  return async (query: string): Promise<number> => {
    const { count } = await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      connection.workflowService.countWorkflowExecutions({ namespace, query }),
    );
    return Number(count);
  };
}
