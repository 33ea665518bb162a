import { describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter } from '@temporalio/common';
import { loadDataConverter } from '@temporalio/common/lib/internal-non-workflow/index.js';
import proto from '@temporalio/proto';

import { readAsked } from '../../../src/client/explain/asked.js';
import { toExplanation } from '../../../src/client/explain/explain-run.js';
import { closedFacts } from './run-facts.js';

const { HistoryEvent } = proto.temporal.api.history.v1;

/** An accepted update, as the server stores it. */
function update(name: string, request: unknown, more: object = {}) {
  const input = { name, args: { payloads: [defaultPayloadConverter.toPayload(request)] } };
  const meta = { identity: '7@laptop' };
  return HistoryEvent.fromObject({
    eventTime: { seconds: 9 },
    ...more,
    workflowExecutionUpdateAcceptedEventAttributes: { acceptedRequest: { input, meta } },
  });
}

const read = (...events: ReturnType<typeof update>[]) => readAsked(events, loadDataConverter());

describe('who asked, by the history of a run,', () => {
  it('has the name that came with the request, and the client that sent it', async () => {
    expect(await read(update('pause', { by: 'anna' }))).toEqual([
      { for: 'pause', by: 'anna', at: '1970-01-01T00:00:09.000Z', sentBy: '7@laptop' },
    ]);
  });

  it('has the client alone where no name came, and nothing of an update that changes nothing', async () => {
    const asked = await read(update('resume', {}), update('join', { by: 'monitor' }));

    expect(asked).toEqual([{ for: 'resume', by: '7@laptop', at: '1970-01-01T00:00:09.000Z' }]);
  });

  it('has how the sender signed in, where the Temporal server records it', async () => {
    const principal = { type: 'jwt', name: 'eve@example.com\u001b[2J' };
    const asked = await read(update('abort', { by: 'anna' }, { principal }));
    const facts = closedFacts('COMPLETED', { ending: { kind: 'succeeded', resources: [] } });

    const { paragraph } = toExplanation({ ...facts, past: { ...facts.past, asked } }, String);

    expect(paragraph).toContain(
      'It was aborted by anna (sent by 7@laptop, signed in at the Temporal server as jwt eve@example.com__2J) at',
    );
  });

  it('names the newest five', async () => {
    const events = Array.from({ length: 7 }, (_, at) => update('pause', { by: `caller-${at}` }));

    const asked = await read(...events);

    // The events come newest first.
    expect(asked.map(({ by }) => by)).toEqual([4, 3, 2, 1, 0].map((at) => `caller-${at}`));
  });
});
