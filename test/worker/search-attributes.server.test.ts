import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { NativeConnection } from '@temporalio/worker';

import { hasSearchAttributes } from '../../src/worker/search-attributes.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { inScenario } from '../support/runs/scenario.js';
import { until } from '../support/timing/until.js';
const address = process.env['TEMPORAL_ADDRESS'] ?? '';

describe('search attributes', () => {
  it('are reported as missing in a namespace without them', async () => {
    const native = await NativeConnection.connect({ address });
    const connection = await Connection.connect({ address });
    const namespace = `bare-${randomUUID().slice(0, 8)}`;
    try {
      await connection.workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: msToTs('1 day'),
      });

      expect(await hasSearchAttributes(native, 'default')).toBe(true);
      expect(await hasSearchAttributes(native, namespace)).toBe(false);
    } finally {
      await native.close();
      await connection.close();
    }
  });

  it('show the phase of a run, its account, its resources and the address of its instance', () =>
    inScenario({}, async ({ start, account, client }) => {
      const run = await start('provisionInstance', provisionInput());
      const { instanceId, addresses } = await run.result();

      const query = [
        `GcorePhase = "succeeded" AND GcoreAccount = "${account}"`,
        ...[instanceId, addresses[0]?.address].map((known) => `GcoreResourceId = "${known}"`),
      ].join(' AND ');
      // Visibility shows changes a little later.
      await until('the run is found by its attributes', async () => {
        for await (const { workflowId } of client.workflow.list({ query })) {
          return workflowId === run.workflowId;
        }
        return false;
      });
    }));

  it('are optional: a run without them succeeds', () =>
    inScenario({ policy: { searchAttributes: false } }, async ({ start }) => {
      const run = await start('provisionInstance', provisionInput());

      expect((await run.result()).status).toBe('ACTIVE');
    }));
});
