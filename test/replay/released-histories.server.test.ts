import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { corpora, historiesOfRelease } from '../support/replay/corpus.js';
import { HISTORIES } from '../support/replay/record-history.js';
import { replayShipped } from './replay-shipped.js';

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

/** Releases this version into a folder of its own. */
function releaseInto(corpus: string): void {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  execFileSync(process.execPath, [
    'packaging/keep-histories.js',
    ...['--version', version, '--corpus', corpus],
  ]);
}

describe('the histories of released versions', () => {
  it('replay with the bundle that this one ships', async () => {
    for (const corpus of corpora()) {
      const texts = await replayShipped([...historiesOfRelease(corpus)].map(toReplay));

      expect(texts.filter((text) => text !== '')).toEqual([]);
      expect(texts.length).toBe(corpus.histories);
      expect(texts.length).toBeGreaterThan(0);
    }
  });

  it('are the stored ones when it is released', () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'corpus-')), 'corpus');
    releaseInto(folder);
    const [corpus, ...others] = corpora(folder);
    if (corpus === undefined) throw new Error('there is no corpus');

    const kept = historiesOfRelease(corpus, folder);

    expect(others).toEqual([]);
    expect([...kept.keys()].sort()).toEqual(readdirSync(HISTORIES).sort());
    expect(kept.get('created.json')).toEqual(
      JSON.parse(readFileSync(`${HISTORIES}/created.json`, 'utf8')),
    );
  });
});
