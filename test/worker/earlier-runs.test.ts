import { describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter } from '@temporalio/common';
import proto from '@temporalio/proto';

import { createCodec } from '../../src/codec/codec.js';
import type { CutShortDeps } from '../../src/worker/cut-short.js';
import { createEarlierRuns } from '../../src/worker/earlier-runs.js';

const { WORKFLOW_EXECUTION_STATUS_TERMINATED: TERMINATED } =
  proto.temporal.api.enums.v1.WorkflowExecutionStatus;
const NOT_FOUND = Object.assign(new Error('not found'), { code: 5 });
const OLDER = { startTime: { seconds: 1_600_000_000 }, execution: { runId: 'older' } };
const RUN = {
  startTime: { seconds: 1_700_000_000 },
  execution: { runId: 'before' },
  memo: { fields: { listDigest: defaultPayloadConverter.toPayload('its list') } },
};

/** Earlier runs as a server tells whose lists show these, one after the other. */
function earlierOf(lists: readonly (readonly object[])[], isKnown: boolean) {
  let at = 0;
  const workflowService = {
    listWorkflowExecutions: () =>
      Promise.resolve({ executions: lists[Math.min(at++, lists.length - 1)] }),
    describeWorkflowExecution: () =>
      isKnown
        ? Promise.resolve({ workflowExecutionInfo: { status: TERMINATED } })
        : Promise.reject(NOT_FOUND),
  };
  const connection = { workflowService, withDeadline: (_: number, ask: () => unknown) => ask() };
  const deps: object = { connection, namespace: 'default' };
  if (!isDeps(deps)) throw new TypeError('no connection');
  return createEarlierRuns({ ...deps, codec: createCodec(undefined) })('w', 'before');
}

const isDeps = (value: object): value is CutShortDeps => 'connection' in value;

describe('the earlier runs of a request', () => {
  it('are asked for again while a list lacks the one before, which the server knows', async () => {
    expect(await earlierOf([[], [RUN]], true)).toEqual({
      since: 1_700_000_000_000,
      digests: ['its list'],
    });
  });

  it('are asked for again also while a list shows only those before that one', async () => {
    expect(await earlierOf([[OLDER], [RUN, OLDER]], true)).toEqual({
      since: 1_600_000_000_000,
      digests: ['its list'],
    });
  });

  it('are none where the history of the one before is gone: no list will ever show it', async () => {
    expect(await earlierOf([[]], false)).toEqual({ digests: [] });
  });
});
