import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { WorkflowUpdateFailedError, type WorkflowHandle } from '@temporalio/client';

import { restoreUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { protectInput } from '../../support/inputs/protect-input.js';
import { SIGNALS, UPDATES } from '../messages/message-samples.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
function payload(encoding: string, data: string) {
  return { metadata: { encoding: Buffer.from(encoding) }, data: Buffer.from(data) };
}

/** What the SDK cannot turn into a value: the message of another SDK, of another codec, and broken JSON. */
const PROTOBUF = payload('json/protobuf', '{}');
const UNDECODABLE = [PROTOBUF, payload('binary/encrypted', 'abc'), payload('json/plain', '{')];
const ARGUMENTS = [...UNDECODABLE.map((one) => [one]), [payload('json/plain', '1'), PROTOBUF]];

async function holding(scenario: Scenario): Promise<WorkflowHandle> {
  const run = await scenario.start('protectIp', protectInput({ holdFor: '1 hour' }));
  await until('it holds', async () => {
    const { waiting } = await run.query(statusQuery);
    return waiting?.for === 'the end of the hold';
  });
  return run;
}

function addressed({ workflowId }: WorkflowHandle) {
  return { namespace: 'default', workflowExecution: { workflowId }, requestId: randomUUID() };
}

async function restoredAndEnded(run: WorkflowHandle): Promise<void> {
  await run.executeUpdate(restoreUpdate);
  await run.result();
}

describe('an argument that cannot be decoded', () => {
  it('of any signal leaves a run as it was', () =>
    inScenario({}, async (scenario) => {
      const { workflowService } = scenario.client;
      const run = await holding(scenario);
      const before = await run.query(statusQuery);

      for (const { name: signalName } of SIGNALS) {
        for (const payloads of ARGUMENTS) {
          const sent = { ...addressed(run), signalName, input: { payloads } };
          await workflowService.signalWorkflowExecution(sent);
        }
      }

      expect(await run.query(statusQuery)).toEqual(before);
      await restoredAndEnded(run);
    }));

  it('of any update is refused, and says why', () =>
    inScenario({}, async (scenario) => {
      const { workflowService } = scenario.client;
      const run = await holding(scenario);
      const refusals: unknown[] = [];

      for (const { name } of UPDATES) {
        for (const encoded of UNDECODABLE) {
          const { outcome } = await workflowService.updateWorkflowExecution({
            ...addressed(run),
            request: {
              meta: { updateId: randomUUID() },
              input: { name, args: { payloads: [encoded] } },
            },
            waitPolicy: { lifecycleStage: 3 },
          });
          refusals.push(outcome?.failure?.message);
        }
      }

      expect(refusals).toEqual(
        refusals.map(() => expect.stringContaining('(argument) cannot be decoded')),
      );
      await restoredAndEnded(run);
    }));

  it('of a query is ignored', () =>
    inScenario({}, async (scenario) => {
      const { workflowService } = scenario.client;
      const run = await holding(scenario);
      const { workflowId } = run;

      const { queryResult } = await workflowService.queryWorkflow({
        namespace: 'default',
        execution: { workflowId },
        query: { queryType: statusQuery.name, queryArgs: { payloads: [PROTOBUF] } },
      });

      expect(queryResult?.payloads).toHaveLength(1);
      await restoredAndEnded(run);
    }));
});

describe('an argument of almost 2 MB', () => {
  it('of an update is refused, and the run goes on', () =>
    inScenario({}, async (scenario) => {
      const run = await holding(scenario);
      const sent = run.executeUpdate('pause', { args: [{ ['x'.repeat(1_900_000)]: 1 }] });

      await expect(sent).rejects.toThrow(WorkflowUpdateFailedError);

      await restoredAndEnded(run);
    }));
});
