import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';

import { WorkflowNotFoundError, type Client } from '@temporalio/client';

import { webhooksIdFor } from '../../../src/engine/core/names.js';
import type { NotifyTarget } from '../../../src/engine/schema/notify.js';
import { CREATE_PATH, provisionInput } from '../inputs/provision-input.js';
import { recordHistory } from '../replay/record-history.js';
import { replayAll } from '../replay/replay-all.js';
import { inScenario, type Scenario, type ScenarioOptions } from '../runs/scenario.js';
import { withReceiver, type Receiver } from './receiver.js';

/** Blocks the first try of a create. */
export const QUOTA = {
  match: { method: 'POST', path: CREATE_PATH },
  action: {
    kind: 'status',
    status: 403,
    body: { exception_class: 'QuotaLimitExceed', message: 'Quota limit exceeded: cpu_count_limit' },
  },
} as const;

export interface Told extends Scenario {
  receiver: Receiver;
  notify: NotifyTarget[];
  input: ReturnType<typeof provisionInput> & { notify: NotifyTarget[] };
}

/** Those that exist: some runs tell nothing. */
async function deliveriesOf(client: Client, ids: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    ids.map(async (id) => {
      try {
        await client.workflow.getHandle(id).describe();
        return [id];
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return [];
        throw error;
      }
    }),
  );
  return found.flat();
}

/** Runs `test` with a worker that sends webhooks. Afterwards it takes all, and replays the deliveries. */
export function whileTold(
  test: (told: Told) => Promise<void>,
  options: Partial<ScenarioOptions> = {},
): Promise<void> {
  return withReceiver((receiver) =>
    inScenario(settingsOf(receiver, options), async (scenario) => {
      const { client } = scenario;
      const notify = [{ url: receiver.url, secretName: 'test' }];
      const ids: string[] = [];
      await test({
        ...scenario,
        receiver,
        notify,
        input: { ...provisionInput(), notify },
        start: async (...request) => {
          const run = await scenario.start(...request);
          ids.push(webhooksIdFor(run.workflowId, await firstRunIdOf(client, run.workflowId)));
          return run;
        },
      });
      receiver.answerWith(204);
      const deliveries = await deliveriesOf(client, ids);
      await Promise.all(deliveries.map((id) => client.workflow.getHandle(id).result()));
      await replayAll(client, deliveries, { codePath: resolve('dist/workflow-bundle.js') });
      const last = deliveries.at(-1);
      if (options.record !== undefined && last)
        recordHistory(`${options.record}-by-webhooks`, last);
    }),
  );
}

/** Run Id of the first history of a run. */
export async function firstRunIdOf(client: Client, workflowId: string): Promise<string> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  return raw.workflowExecutionInfo?.firstRunId ?? '';
}

/** The receiver is told about all runs of the account. */
function settingsOf(
  { settings, url }: Receiver,
  options: Partial<ScenarioOptions>,
): ScenarioOptions {
  const account = `told-${randomUUID().slice(0, 8)}`;
  const notify = { [account]: [{ url, secretName: 'test' }] };
  return { webhooks: { ...settings, notify }, account, ...options };
}
