import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { TRACE_HEADER } from '../../src/engine/core/trace-span.js';
import { HISTORIES } from '../support/replay/record-history.js';
import { replayShipped } from './replay-shipped.js';

const stored = readdirSync(HISTORIES)
  .filter((name) => name.endsWith('.json'))
  .sort();

const historySchema = z.looseObject({
  events: z.array(
    z.looseObject({
      workflowExecutionStartedEventAttributes: z.looseObject({ workflowId: z.string() }).optional(),
    }),
  ),
});

const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** The history as it would be if a caller with tracing had started the run. */
function tracedHistoryOf(name: string) {
  const history = historySchema.parse(JSON.parse(readFileSync(`${HISTORIES}/${name}`, 'utf8')));
  const started = history.events[0]?.workflowExecutionStartedEventAttributes;
  if (started === undefined) throw new Error(`${name} has no start`);
  const payload = {
    metadata: { encoding: toBase64('json/plain') },
    data: toBase64(JSON.stringify({ traceparent: TRACEPARENT })),
  };
  Object.assign(started, { header: { fields: { [TRACE_HEADER]: payload } } });
  return { name, workflowId: started.workflowId, history };
}

describe('tracing that is switched while runs are open', () => {
  it('changes no decision of any stored history', async () => {
    const texts = await replayShipped(stored.map(tracedHistoryOf));

    expect(texts.filter((text) => text !== '')).toEqual([]);
  });
});
