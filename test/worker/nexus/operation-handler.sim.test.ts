import { describe, expect, it } from '@jest/globals';
import { DefaultLogger } from '@temporalio/worker';
import { noopMetricMeter } from '@temporalio/common';
import { asyncLocalStorage } from '@temporalio/nexus/lib/context.js';

import { createGcoreWorkflows } from '../../../src/client/index.js';
import type { NexusRequest } from '../../../src/contract/nexus.js';
import { createOperationHandler } from '../../../src/worker/nexus/operation-handler.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';

/** A call as a worker hands it over. */
async function call(
  { client, taskQueue }: Scenario,
  sent: NexusRequest<'listSshKeys'>,
): Promise<void> {
  const handler = createOperationHandler('listSshKeys', { taskQueue });
  const { namespace } = client.options;
  const log = new DefaultLogger();
  const worker = { client, taskQueue, namespace, log, metrics: noopMetricMeter, endpoint: 'shop' };
  const context = {
    ...{ service: 'gcore-workflows', operation: 'listSshKeys', headers: {}, requestId: 'call-1' },
    ...{ abortSignal: new AbortController().signal, inboundLinks: [], outboundLinks: [] },
  };
  await asyncLocalStorage.run(worker, () => handler.start(context, sent));
}

describe('a run that is started by Nexus', () => {
  it('is found by its labels before a worker has taken it', () =>
    inScenario({}, async (scenario) => {
      const { client, account } = scenario;
      const gcore = createGcoreWorkflows({ client });
      const labels = { group: 'incident-1' };

      await call({ ...scenario, taskQueue: 'nobody' }, { input: { account, labels } });

      await until('the list knows it', async () => (await gcore.list({ labels })).length > 0);
      expect(await gcore.list({ labels })).toMatchObject([{ operation: 'listSshKeys', account }]);
    }));
});
