import { describe, expect, it } from '@jest/globals';
import proto from '@temporalio/proto';

import { createCodec } from '../../src/codec/codec.js';
import type { CutShortDeps } from '../../src/worker/cut-short.js';
import { createMakerOf } from '../../src/worker/maker-of.js';

const { HistoryEventFilterType, WorkflowExecutionStatus } = proto.temporal.api.enums.v1;
const COMPLETED = WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED;
const FAILED = WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED;
const MADE = { instanceId: 'i', projectId: 1, regionId: 2 };

function payloads(value: unknown) {
  const data = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return { payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data }] };
}

interface Known {
  type?: string;
  status?: number;
  input?: unknown;
  result?: unknown;
}

/** The few calls of a connection that it makes, to a server that knows one run. */
function serverWith({
  type = 'provisionInstance',
  status = COMPLETED,
  input = {},
  result = MADE,
}: Known): CutShortDeps {
  const execution = { workflowId: 'w', runId: 'r' };
  const first = { workflowExecutionStartedEventAttributes: { input: payloads(input) } };
  const last = { workflowExecutionCompletedEventAttributes: { result: payloads(result) } };
  const workflowService = {
    describeWorkflowExecution: () =>
      Promise.resolve({ workflowExecutionInfo: { type: { name: type }, status, execution } }),
    getWorkflowExecutionHistory: ({ historyEventFilterType: filter }: Asked) => {
      const isEnd = filter === HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;
      return Promise.resolve({ history: { events: [isEnd ? last : first] } });
    },
  };
  return fake({ connection: { workflowService }, namespace: 'default' });
}

interface Asked {
  historyEventFilterType?: number;
}

function fake(parts: object): CutShortDeps {
  const isDeps = (value: object): value is CutShortDeps => 'connection' in value;
  if (!isDeps(parts)) throw new TypeError('no connection');
  return parts;
}

const makerIn = (known: Known) =>
  createMakerOf({ ...serverWith(known), codec: createCodec(undefined) })('w');

describe('the run that has made an instance', () => {
  it.each([
    ['of the account that its input names', { account: 'blue' }, 'blue'],
    ['of the default account', {}, 'default'],
  ])('says where: %s', async (_, input, account) => {
    expect(await makerIn({ input })).toEqual({
      type: 'provisionInstance',
      madeAt: { account, projectId: 1, regionId: 2 },
    });
  });

  it.each<[string, Known]>([
    ['has not succeeded', { status: FAILED }],
    ['is of another operation', { type: 'createVolume' }],
    ['does not say the place', { result: { instanceId: 'i', regionId: 2 } }],
    ['has only planned', { result: { plan: {} } }],
    ['has a result that nobody can read', { result: '{' }],
    ['has an input of another form', { input: { account: 7 } }],
  ])('says nothing where it %s', async (_, known) => {
    expect(await makerIn(known)).toEqual({ type: known.type ?? 'provisionInstance' });
  });
});
