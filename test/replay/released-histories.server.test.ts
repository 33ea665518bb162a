import { describe, expect, it } from '@jest/globals';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { z } from 'zod';

import { corpora, historiesOfRelease } from '../support/replay/corpus.js';

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
      Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) });
      const workflowBundle = { codePath: 'dist/workflow-bundle.js' };
      const histories = [...historiesOfRelease(corpus)].map(toReplay);
      const broken: string[] = [];
      let at = 0;
      for await (const { error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
        if (error) broken.push(`${histories[at]?.name ?? ''}: ${error.message}`);
        at += 1;
      }

      expect(broken).toEqual([]);
      expect(at).toBe(corpus.histories);
      expect(at).toBeGreaterThan(0);
    },
  );
});
