import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { importVideosInputSchema } from '../../src/contract/operations/import-videos.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';
import { readList } from '../../src/cli/input/read-list.js';

describe('the examples of an import', () => {
  it('are valid inputs', async () => {
    const json: unknown = JSON.parse(readFileSync('examples/import-videos.json', 'utf8'));
    const noStdin = { readStdin: () => Promise.reject(new Error('no stdin')) };
    const { items: videos } = await readList('examples/videos.jsonl', noStdin);

    expect(parseInput(importVideosInputSchema, json)).toMatchObject({ ok: true });
    expect(parseInput(importVideosInputSchema, { videos })).toMatchObject({ ok: true });
  });
});
