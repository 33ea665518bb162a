import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import type { Logger, NativeConnection } from '@temporalio/worker';

import { keyReplacedSignal } from '../engine/core/messages.js';
import { SearchAttribute } from '../contract/wire/names.js';
import { Phase } from '../engine/core/status.js';
import { IS_OPEN, quoteValue } from '../engine/core/text.js';
import { isNotFound } from './is-not-found.js';

export interface WakeBlockedDeps {
  connection: Pick<NativeConnection, 'workflowService'>;
  namespace: string;
  logger: Logger;
  /** When to look for blocked runs, counted from the replacement. */
  afterMs?: readonly number[];
}

/**
 * The list of the server is a moment behind, and a call that was sent with the former key may last 15 s. A run
 * that is blocked later has met the new key.
 */
const AFTER_MS = [500, 4_000, 20_000];
const PAGE_SIZE = 200;
const NOT_TOLD =
  'Blocked runs of the account could not be told that its key was replaced; each tries again by itself';

export interface KeyWaker {
  /** Tells the blocked runs of the account to try again. Nobody waits for it. */
  wake: (account: string) => void;
  close: () => void;
}

/**
 * A run that is blocked as `Unauthorized` tries again after a minute, and later more rarely. When the key was replaced,
 * it need not wait. The server knows that a run is blocked, but not why: a run with another problem ignores the signal.
 */
export function createKeyWaker(deps: WakeBlockedDeps): KeyWaker {
  const { logger, afterMs = AFTER_MS } = deps;
  const underWay = new Map<string, AbortController>();
  const wakeAll = async (account: string, stop: AbortSignal): Promise<void> => {
    const told = new Set<string>();
    const startedAt = performance.now();
    for (const ms of afterMs) {
      const leftMs = Math.max(startedAt + ms - performance.now(), 0);
      await delay(leftMs, undefined, { ref: false, signal: stop });
      await tellBlocked(deps, { account, told, stop });
    }
  };
  return {
    wake: (account) => {
      underWay.get(account)?.abort();
      const stop = new AbortController();
      underWay.set(account, stop);
      wakeAll(account, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) logger.warn(NOT_TOLD, { account, error });
      });
    },
    close: () => {
      for (const stop of underWay.values()) stop.abort();
    },
  };
}

interface Round {
  account: string;
  /** Runs that were told already, by Run Id. */
  told: Set<string>;
  stop: AbortSignal;
}

async function tellBlocked(
  { connection: { workflowService }, namespace }: WakeBlockedDeps,
  { account, told, stop }: Round,
): Promise<void> {
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await workflowService.listWorkflowExecutions({
      namespace,
      pageSize: PAGE_SIZE,
      nextPageToken,
      query: blockedOf(account),
    });
    for (const { execution } of page.executions) {
      stop.throwIfAborted();
      const runId = execution?.runId ?? '';
      if (told.has(runId)) continue;
      told.add(runId);
      await workflowService
        .signalWorkflowExecution({
          namespace,
          workflowExecution: execution ?? null,
          requestId: randomUUID(),
          signalName: keyReplacedSignal.name,
          identity: 'gcore-workflows: key replaced',
        })
        .catch(ignoreEnded);
    }
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
}

function blockedOf(account: string): string {
  const { phase, account: name } = SearchAttribute;
  return `${phase} = ${quoteValue(Phase.blocked)} AND ${name} = ${quoteValue(account)} AND ${IS_OPEN}`;
}

/** It has ended since the server listed it. */
function ignoreEnded(error: unknown): void {
  if (isNotFound(error)) return;
  throw error;
}
