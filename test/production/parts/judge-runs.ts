import { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { z } from 'zod';

import { existingOf } from '../../support/worlds/marked.js';
import type { Row } from '../report.js';
import { leftOut, reads } from '../supported.js';
import type { Account } from './account.js';
import type { Send } from './gateways.js';
import { CODEC } from './settings.js';

export const PART = 'two accounts, two gateways';

export interface Started {
  account: Account;
  workflowId: string;
  /** A word of its input that stands nowhere else. */
  canary: string;
  /** How often its start was sent. */
  attempts: number;
}

/** Compares what the runs say with what is in the clouds. `ends` are the status codes of their results. */
export async function judgeRuns(
  send: Send,
  { runs, ends }: { runs: readonly Started[]; ends: readonly number[] },
): Promise<Row[]> {
  let [differences, falseSuccess] = [0, 0];
  for (const [index, { account, workflowId }] of runs.entries()) {
    const inventory = account.simulator.inventory();
    const { ledger, existing } = existingOf(await statusOf(send, workflowId), {
      workflowId,
      inventory,
    });
    const differs = existing.filter((id) => !ledger.includes(id)).length;
    const gone = ledger.filter((id) => !existing.includes(id)).length;
    differences += differs + gone;
    const active = inventory.instances.filter(
      ({ id, status }) => existing.includes(id) && status === 'ACTIVE',
    );
    if (ends[index] === 200 && active.length !== 1) falseSuccess += 1;
  }
  const accounts = [...new Set(runs.map(({ account }) => account))];
  const instances = accounts.reduce(
    (sum, { simulator }) => sum + simulator.inventory().instances.length,
    0,
  );
  const most = Math.max(...accounts.map((account) => account.most()));
  const unanswered = accounts
    .flatMap(({ simulator }) => simulator.requests)
    .filter(({ fault }) => fault !== undefined).length;
  const lost = ends.filter((status) => status === 202).length;
  const failed = ends.filter((status) => status !== 200 && status !== 202).length;
  const repeated = runs.filter(({ attempts }) => attempts > 1).length;
  const row = (what: string, result: string, isSound: boolean): Row => ({
    part: PART,
    what,
    result,
    isSound,
  });
  return [
    row(
      'runs started over HTTP',
      `${runs.length}, of them ${repeated} sent more than once`,
      runs.length > 0,
    ),
    row('creates whose answer the API lost', String(unanswered), unanswered > 0),
    row('lost, failed', `${lost}, ${failed}`, lost + failed === 0),
    row(
      'duplicates',
      `${instances} instances, at most ${most} of a run at any time`,
      instances === runs.length && most === 1,
    ),
    row('false success', String(falseSuccess), falseSuccess === 0),
    row('ledger differences', String(differences), differences === 0),
  ];
}

const stepSchema = z.object({
  taskIds: z.array(z.string()),
  resources: z.array(z.object({ id: z.string() })),
});
const statusSchema = z.object({ steps: z.array(stepSchema) });

/** By a gateway, which has the keys of the runs. */
async function statusOf(send: Send, workflowId: string): Promise<z.infer<typeof statusSchema>> {
  const { body } = await send(`/v1/runs/${encodeURIComponent(workflowId)}`);
  return statusSchema.parse(JSON.parse(body));
}

/** Looks for the canary of every run in all that the Temporal server has of it. */
export async function judgeHistories(address: string, runs: readonly Started[]): Promise<Row> {
  const what = 'histories with a word of their input in clear';
  if (!reads(CODEC)) return leftOut(PART, what, CODEC);
  const connection = await Connection.connect({ address });
  let found = 0;
  for (const { workflowId, canary } of runs) {
    const { history } = await connection.workflowService.getWorkflowExecutionHistory({
      namespace: 'default',
      execution: { workflowId },
    });
    const bytes = proto.temporal.api.history.v1.History.encode(history ?? {}).finish();
    if (Buffer.from(bytes).includes(canary)) found += 1;
  }
  await connection.close();
  return { part: PART, what, result: `${found} of ${runs.length}`, isSound: found === 0 };
}
