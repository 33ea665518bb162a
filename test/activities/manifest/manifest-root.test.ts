import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';

import {
  createManifestReader,
  type ManifestReader,
} from '../../../src/activities/manifest/create-manifest-reader.js';
import { createManifestRoot } from '../../support/worlds/manifests.js';
import { thrownBy } from '../../support/http/in-activity.js';

const schema = z.object({ name: z.string() });
const signal = new AbortController().signal;
const limits = { maxItems: 3, maxBytes: 1_000, maxLines: 1_000 };
const items = (count: number) => Array.from({ length: count }, () => ({ name: 'a' }));
const scan = (reader: ManifestReader) =>
  reader.scan({ url: 'file:a.jsonl' }, { schema, limits, signal });

async function failureOf(act: () => Promise<unknown>): Promise<ApplicationFailure> {
  const error = await thrownBy(act);
  if (error instanceof ApplicationFailure) return error;
  throw new Error('no ApplicationFailure', { cause: error });
}

describe('the files of the worker', () => {
  it('are not read without a root', async () => {
    const failure = await failureOf(() => scan(createManifestReader({})));

    expect(failure.type).toBe('ManifestUnreadable');
    expect(failure.message).toContain('GCORE_MANIFEST_ROOT');
  });

  it.each([
    [
      'a link out of the root',
      (root: string, outside: string) => {
        symlinkSync(join(outside, 'b.jsonl'), join(root, 'a.jsonl'));
      },
    ],
    [
      'a directory that is a link out of the root',
      (root: string, outside: string) => {
        symlinkSync(outside, join(root, 'dir'));
      },
    ],
    [
      'a directory',
      (root: string) => {
        mkdirSync(join(root, 'a.jsonl'));
      },
    ],
    [
      'a named pipe',
      (root: string) => {
        execFileSync('mkfifo', [join(root, 'a.jsonl')]);
      },
    ],
    ['a file that does not exist', () => undefined],
  ])('are not read through %s', async (what, arrange) => {
    const outside = createManifestRoot({ 'b.jsonl': items(1) });
    const root = createManifestRoot();
    arrange(root, outside);
    const url = what.startsWith('a directory that') ? 'file:dir/b.jsonl' : 'file:a.jsonl';
    const reader = createManifestReader({ root });

    const failure = await failureOf(() => reader.scan({ url }, { schema, limits, signal }));

    expect(failure.type).toBe('ManifestUnreadable');
  });

  it('are read below the root, also through links inside it', async () => {
    const root = createManifestRoot({ 'b.jsonl': items(2) });
    symlinkSync(join(root, 'b.jsonl'), join(root, 'a.jsonl'));

    expect((await scan(createManifestReader({ root }))).lines).toBe(2);
  });
});
