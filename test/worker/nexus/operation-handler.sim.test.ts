import { describe, expect, it } from '@jest/globals';
import { DefaultLogger } from '@temporalio/worker';
import { noopMetricMeter } from '@temporalio/common';
import { asyncLocalStorage } from '@temporalio/nexus/lib/context.js';

import type { WorkflowHandle } from '@temporalio/client';

import { createGcoreWorkflows } from '../../../src/client/index.js';
import type { NexusRequest } from '../../../src/contract/nexus.js';
import { workflowIdFor } from '../../../src/contract/wire/names.js';
import { cancelReason } from '../../../src/engine/core/identity.js';
import { createOperationHandler } from '../../../src/worker/nexus/operation-handler.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';

/** Calls as a worker hands them over. */
function callsIn({ client, taskQueue }: Scenario) {
  const handler = createOperationHandler('listSshKeys', { taskQueue });
  const { namespace } = client.options;
  const log = new DefaultLogger();
  const worker = { client, taskQueue, namespace, log, metrics: noopMetricMeter, endpoint: 'shop' };
  const context = {
    ...{ service: 'gcore-workflows', operation: 'listSshKeys', headers: {}, requestId: 'call-1' },
    ...{ abortSignal: new AbortController().signal, inboundLinks: [], outboundLinks: [] },
  };
  return {
    async start(sent: NexusRequest<'listSshKeys'>): Promise<string> {
      const started = await asyncLocalStorage.run(worker, () => handler.start(context, sent));
      if (!started.isAsync) throw new Error('no run reports its end');
      return started.token;
    },
    cancel: (token: string) => asyncLocalStorage.run(worker, () => handler.cancel(context, token)),
  };
}

describe('a run that is started by Nexus', () => {
  it('is found by its labels before a worker has taken it', () =>
    inScenario({}, async (scenario) => {
      const { client, account } = scenario;
      const gcore = createGcoreWorkflows({ client });
      const labels = { group: 'incident-1' };

      await callsIn({ ...scenario, taskQueue: 'nobody' }).start({ input: { account, labels } });

      await until('the list knows it', async () => (await gcore.list({ labels })).length > 0);
      expect(await gcore.list({ labels })).toMatchObject([{ operation: 'listSshKeys', account }]);
    }));
});

describe('a cancel by Nexus', () => {
  const REQUEST = { requestId: 'nightly' };

  it('ends the run that the call has started, and says who asks', () =>
    inScenario({}, async (scenario) => {
      const { client, account } = scenario;
      const calls = callsIn({ ...scenario, taskQueue: 'nobody' });
      const token = await calls.start({ ...REQUEST, input: { account } });

      await calls.cancel(token);

      const run = client.workflow.getHandle(workflowIdFor('listSshKeys', account, 'nightly'));
      expect(await reasonOfCancel(run)).toBe(cancelReason('nexus'));
      await run.terminate();
      await calls.cancel(token);
    }));

  it('ends no run that somebody has started for the same request since', () =>
    inScenario({}, async (scenario) => {
      const { client, account } = scenario;
      const calls = callsIn({ ...scenario, taskQueue: 'nobody' });
      const token = await calls.start({ ...REQUEST, input: { account } });
      const run = client.workflow.getHandle(workflowIdFor('listSshKeys', account, 'nightly'));
      await run.terminate();
      const gcore = createGcoreWorkflows({ client, taskQueue: 'nobody' });
      await gcore.start('listSshKeys', { ...REQUEST, input: { account } });

      await calls.cancel(token);

      expect(await reasonOfCancel(run)).toBeUndefined();
      await run.terminate();
    }));
});

async function reasonOfCancel(run: WorkflowHandle): Promise<string | null | undefined> {
  const { events = [] } = await run.fetchHistory();
  return events
    ?.map((event) => event.workflowExecutionCancelRequestedEventAttributes)
    .find((asked) => asked)?.cause;
}
