import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { corpora, historiesOfRelease } from '../support/replay/corpus.js';
import { replayShipped } from '../support/replay/replay-shipped.js';

const startSchema = z.object({
  events: z.tuple(
    [z.object({ workflowExecutionStartedEventAttributes: z.object({ workflowId: z.string() }) })],
    z.unknown(),
  ),
});

function toReplay([name, history]: [string, unknown]) {
  const [{ workflowExecutionStartedEventAttributes: started }] = startSchema.parse(history).events;
  return { name, workflowId: started.workflowId, history };
}

describe('the histories of released versions', () => {
  it.each(corpora().map((corpus) => [corpus.version, corpus] as const))(
    'of %s replay with the bundle that this one ships',
    async (_, corpus) => {
      const texts = await replayShipped([...historiesOfRelease(corpus)].map(toReplay));

      expect(texts.filter((text) => text !== '')).toEqual([]);
      expect(texts.length).toBe(corpus.histories);
      expect(texts.length).toBeGreaterThan(0);
    },
  );
});
