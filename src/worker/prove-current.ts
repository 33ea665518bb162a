import { Context } from '@temporalio/activity';
import { toPayloads, defaultPayloadConverter } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';

import type { Codec } from '../codec/codec.js';
import { detailsOf } from '../engine/activities/attempt.js';
import { Standing } from '../engine/http/send-in-turn.js';

interface ProveCurrentDeps {
  connection: Pick<NativeConnection, 'workflowService' | 'withDeadline'>;
  namespace: string;
  codec: Codec;
}

/** Below the time for which a proof holds. */
const ANSWER_WITHIN_MS = 2_500;

/**
 * Asks the server whether it still waits for the running attempt of the activity, with a heartbeat that
 * bypasses the SDK: the SDK sends its own later, and answers nothing. The server refuses a heartbeat when
 * the run has ended, and when it has given the attempt up. When it accepts, the attempt has a whole
 * heartbeat timeout again (30 s): it outlasts the exchange that follows (15 s). The answer also says whether
 * the run wants it back.
 *
 * A batch of videos has 10 s for an exchange of 30 s. It heartbeats meanwhile, so it stays current too. If
 * its worker loses the server just then, the server gives it up while the call goes on, for 23 s at most:
 * sent within 3 s, ended 30 s later. The run counts it as unknown and sends nothing again before the grace
 * time is over (2 min by default), and the next run of the request waits for calls of 60 s.
 */
export function createProveCurrent({
  connection,
  namespace,
  codec,
}: ProveCurrentDeps): () => Promise<Standing> {
  return async () => {
    const context = Context.current();
    const { taskToken, workflowExecution } = context.info;
    const owner = { namespace, workflowId: workflowExecution?.workflowId };
    const said = detailsOf(context);
    // Without them the server would forget what the heartbeat before has said.
    const details = said && {
      payloads: await codec.encode(toPayloads(defaultPayloadConverter, said) ?? [], owner),
    };
    try {
      const { cancelRequested } = await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
        connection.workflowService.recordActivityTaskHeartbeat({
          namespace,
          taskToken,
          ...(details && { details }),
        }),
      );
      return cancelRequested ? Standing.cancelled : Standing.current;
    } catch {
      // Also when the server does not answer: then nobody knows, and nothing is sent.
      return Standing.unproven;
    }
  };
}
