import type {
  Client,
  WorkflowExecutionDescription,
  WorkflowExecutionInfo,
} from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import proto from '@temporalio/proto';

import { isoOf } from '../engine/core/iso-of.js';
import {
  accountOfQueue,
  apiTaskQueue,
  SearchAttribute,
  urgentTaskQueue,
} from '../contract/wire/names.js';
import { DEFAULT_ACCOUNT } from '../engine/core/names.js';
import type { UnservedAccount } from '../engine/schema/status-document.js';
import { accountOf } from './account-of.js';
import { toMs } from './explain/timestamp.js';
import { countPollers } from './pollers.js';

const { PENDING_ACTIVITY_STATE_SCHEDULED } = proto.temporal.api.enums.v1.PendingActivityState;
const ACCOUNT = defineSearchAttributeKey(SearchAttribute.account, SearchAttributeType.KEYWORD);

/** The account of a run, by its search attribute or else by its Workflow Id. */
export function accountOfRun(
  run: Pick<WorkflowExecutionInfo, 'typedSearchAttributes' | 'workflowId'>,
): string {
  return run.typedSearchAttributes.get(ACCOUNT) ?? accountOf(run.workflowId);
}

/** The account that no worker serves, when a call of the run has waited for a worker for this time. */
export async function findUnservedAccount(
  client: Client,
  run: WorkflowExecutionDescription,
  afterMs: number,
): Promise<UnservedAccount | undefined> {
  const waiting = (run.raw.pendingActivities ?? [])
    .filter(({ state }) => state === PENDING_ACTIVITY_STATE_SCHEDULED)
    .map(({ scheduledTime, activityOptions }) => ({
      since: toMs(scheduledTime),
      queue: activityOptions?.taskQueue?.name ?? '',
    }))
    // The time of a call that Temporal repeats later lies ahead.
    .filter(({ since }) => Date.now() - since >= afterMs)
    .sort((a, b) => a.since - b.since);
  const [oldest] = waiting;
  if (oldest === undefined) return undefined;
  const account = accountOfQueue(oldest.queue) ?? accountOfRun(run);
  const queues = await countPollers(client, run.taskQueue, account);
  const idle = queues.filter(({ pollers }) => pollers === 0).map(({ taskQueue }) => taskQueue);
  if (!isUnserved(account, idle)) return undefined;
  const advice = `${capitalized(adviceToServe(account))}.`;
  return { account, since: isoOf(oldest.since), advice };
}

/** Whether workers run the workflows, but none makes the calls of this account. */
export function isUnserved(account: string, idleQueues: readonly string[]): boolean {
  const queues = [apiTaskQueue(account), urgentTaskQueue(account)];
  return idleQueues.length === queues.length && queues.every((name) => idleQueues.includes(name));
}

/** What to do when no worker serves an account. */
export function adviceToServe(account: string, command = 'gcore-workflows worker'): string {
  return `start a worker with ${settingOf(account)} and the API key of this account (${command}), or add the account to the file that GCORE_ACCOUNTS_FILE names and restart a worker; or end the run and start it with an account that a worker serves`;
}

/** ` with GCORE_ACCOUNT=blue`, or nothing for the default account. */
export function withAccountSetting(account: string): string {
  return account === DEFAULT_ACCOUNT ? '' : ` with ${settingOf(account)}`;
}

function settingOf(account: string): string {
  return `GCORE_ACCOUNT=${account}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
