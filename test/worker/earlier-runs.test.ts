import { describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter } from '@temporalio/common';

import { createCodec } from '../../src/codec/codec.js';
import type { CutShortDeps } from '../../src/worker/cut-short.js';
import { createEarlierRuns } from '../../src/worker/earlier-runs.js';
import type { RunsBefore } from '../../src/worker/runs-before.js';

/** The run before, as it is described. */
const BEFORE = {
  runId: 'before',
  startTime: new Date(1_700_000_000_000),
  closeTime: new Date(1_700_000_100_000),
  memo: { listDigest: 'its list' },
};
const OLDER = { startTime: { seconds: 1_600_000_000 }, execution: { runId: 'older' } };
const memoOf = (digest: string) => ({
  fields: { listDigest: defaultPayloadConverter.toPayload(digest) },
});
const RUN = {
  startTime: { seconds: 1_700_000_000 },
  execution: { runId: 'before' },
  memo: memoOf('its list'),
};

/** Nobody names the run that another client has started meanwhile. */
const UNNAMED = { ...RUN, execution: { runId: 'unnamed' }, memo: memoOf('of another') };

/** Earlier runs as a server tells whose lists show these, one after the other. */
function earlierOf(
  lists: readonly (readonly object[])[],
  ...known: [named: Awaited<ReturnType<RunsBefore>>, options?: { wasReset: boolean }]
) {
  const answers = lists.map((executions) => ({ executions }));
  return earlierIn(answers, ...known);
}

const LAST = new Uint8Array();

/** The same by the answers of the server. */
function earlierIn(
  answers: readonly object[],
  named: Awaited<ReturnType<RunsBefore>>,
  options?: { wasReset: boolean },
) {
  let at = 0;
  const workflowService = {
    listWorkflowExecutions: () =>
      Promise.resolve({ nextPageToken: LAST, ...answers[Math.min(at++, answers.length - 1)] }),
  };
  const connection = { workflowService, withDeadline: (_: number, ask: () => unknown) => ask() };
  const deps: object = { connection, namespace: 'default' };
  if (!isDeps(deps)) throw new TypeError('no connection');
  return createEarlierRuns({
    ...deps,
    codec: createCodec(undefined),
    runsBefore: () => Promise.resolve(named),
  })('w', 'before', options);
}

const isDeps = (value: object): value is CutShortDeps => 'connection' in value;

describe('the earlier runs of a request', () => {
  it('are asked for again while a list lacks the one before, which the server knows', async () => {
    expect(await earlierOf([[], [RUN]], [BEFORE])).toEqual({
      since: 1_700_000_000_000,
      digests: ['its list'],
    });
  });

  it('are asked for again also while a list shows only those before that one', async () => {
    expect(await earlierOf([[OLDER], [RUN, UNNAMED, OLDER]], [BEFORE])).toEqual({
      since: 1_600_000_000_000,
      digests: ['its list', 'of another'],
    });
  });

  it('are also those that a reset has ended before, and that no list shows yet', async () => {
    const startTime = new Date(1_650_000_000_000);
    const reset = { ...BEFORE, runId: 'reset', startTime, memo: { listDigest: 'an older list' } };

    expect(await earlierOf([[RUN]], [BEFORE, reset])).toEqual({
      since: 1_650_000_000_000,
      digests: ['its list', 'an older list'],
    });
  });

  it('are known of a run that was reset, although no list shows yet what it was before', async () => {
    expect(await earlierOf([[OLDER]], [BEFORE], { wasReset: true })).toEqual({
      since: 1_600_000_000_000,
      digests: ['its list'],
    });
  });

  it('are also those on later pages: what is refused again and again makes many', async () => {
    const nextPageToken = new Uint8Array([1]);
    const pages = [{ executions: [RUN], nextPageToken }, { executions: [UNNAMED, OLDER] }];

    expect(await earlierIn(pages, [BEFORE])).toEqual({
      since: 1_600_000_000_000,
      digests: ['its list', 'of another'],
    });
  });

  it('are none where the history of the one before is gone: no list will ever show it', async () => {
    expect(await earlierOf([[]], [])).toEqual({ digests: [] });
  });
});
