import { randomBytes } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { Context } from '@temporalio/activity';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';

import { attemptOf } from '../../src/engine/activities/attempt.js';
import { openCodec } from '../../src/codec/open-codec.js';
import { createEarlierRuns } from '../../src/worker/earlier-runs.js';
import { createProveCurrent } from '../../src/worker/prove-current.js';
import { createActivityEnvironment, inActivity } from '../support/http/in-activity.js';

const newCodec = (id = 'k') =>
  openCodec({ current: id, keys: { [id]: randomBytes(32).toString('base64') } });

/** A Temporal server that answers each call with this. */
function serverOf(call: string, answer: (request: object) => unknown) {
  const workflowService = { [call]: (request: object) => Promise.resolve(answer(request)) };
  const connection = { workflowService, withDeadline: (_: number, ask: () => unknown) => ask() };
  const isConnection = (value: object): value is NativeConnection => value === connection;
  if (!isConnection(connection)) throw new Error('never');
  return { connection, namespace: 'default' };
}

describe('with a codec', () => {
  it('the digests of earlier imports are read from their encrypted memos, and from plain ones', async () => {
    const codec = await newCodec();
    const workflowId = 'import-videos/default/x';
    const [encrypted] = await codec.encode([defaultPayloadConverter.toPayload('digest-1')], {
      namespace: 'default',
      workflowId,
    });
    const plain = defaultPayloadConverter.toPayload('digest-2');
    const executions = [encrypted, plain].map((listDigest) => ({
      memo: { fields: { listDigest } },
    }));
    const server = serverOf('listWorkflowExecutions', () => ({
      executions,
      nextPageToken: new Uint8Array(),
    }));

    const runsBefore = () => Promise.resolve([]);
    const earlier = await createEarlierRuns({ ...server, codec, runsBefore })(workflowId);

    expect(earlier).toEqual({ digests: ['digest-1', 'digest-2'] });
    const other = createEarlierRuns({
      ...server,
      codec: await newCodec('other'),
      runsBefore,
    });
    await expect(other(workflowId)).rejects.toThrow('the key "k"');
  });

  it('a heartbeat that bypasses the SDK is encrypted too', async () => {
    const codec = await newCodec();
    const sent: Payload[] = [];
    const server = serverOf('recordActivityTaskHeartbeat', (request) => {
      const { details } = { details: { payloads: [] }, ...request };
      sent.push(...details.payloads);
      return { cancelRequested: false };
    });

    await inActivity(
      async () => {
        attemptOf(Context.current()).progress = () => ({ reached: 'canary' });
        await createProveCurrent({ ...server, codec })();
      },
      createActivityEnvironment({ workflowExecution: { workflowId: 'run-1', runId: 'r' } }),
    );

    expect(Buffer.from(sent[0]?.data ?? []).toString('latin1')).not.toContain('canary');
    // The run reads it in its next attempt.
    const reader = { namespace: server.namespace, workflowId: 'run-1' };
    const [details = {}] = await codec.decode(sent, reader);
    expect(defaultPayloadConverter.fromPayload(details)).toEqual({
      progress: { reached: 'canary' },
    });
  });
});
