import { resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';

import { createPrepareActivities, type PrepareDeps } from '../../../src/activities/prepare.js';
import type {
  ImportVideosInput,
  ImportVideosResult,
} from '../../../src/contract/operations/types.js';
import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../../../src/engine/core/run-policy.js';
import { createCodec } from '../../../src/codec/codec.js';
import { createEarlierRuns } from '../../../src/worker/earlier-runs.js';
import { statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario, type Scenario } from '../../support/runs/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { manyVideos, NOTHING_WRONG, wrongly } from '../../support/worlds/videos.js';
type Videos = NonNullable<ImportVideosInput['videos']>;

const POLICY = {
  reconcileGraceMs: 500,
  poll: scalePollPolicy(DEFAULT_POLL_POLICY, 0.01),
  searchAttributes: true,
};
/** The server answers each list of runs of it with an error. */
const NO_NAMESPACE = 'no-such-namespace';

type ImportRun = WorkflowHandle<(input: ImportVideosInput) => Promise<ImportVideosResult>>;

/** The earlier runs of an import, as a worker learns of them. */
type EarlierRunsOf = NonNullable<PrepareDeps['earlierRuns']>;

/** Their retention is over. */
const FORGOTTEN: EarlierRunsOf = () => Promise.resolve({ digests: [] });

/** Runs an import on a worker whose Temporal server cannot list runs, unless the test says what it lists. */
async function withUnlisted(
  { connectNative, client, account }: Scenario,
  {
    videos,
    workflowId,
    earlierRuns,
  }: { videos: Videos; workflowId: string; earlierRuns?: EarlierRunsOf },
  act: (run: ImportRun) => Promise<void>,
): Promise<void> {
  const taskQueue = `unlisted-${account}`;
  const connection = await connectNative();
  const worker = await Worker.create({
    connection,
    namespace: 'default',
    taskQueue,
    workflowBundle: { codePath: resolve('dist/workflow-bundle.js') },
    activities: createPrepareActivities({
      namespaceId: () => Promise.resolve('namespace'),
      defaults: {},
      policy: POLICY,
      earlierRuns:
        earlierRuns ??
        createEarlierRuns({
          connection,
          namespace: NO_NAMESPACE,
          codec: createCodec(undefined),
          runsBefore: () => Promise.resolve([]),
        }),
    }),
  });
  await worker.runUntil(async () => {
    const args: [ImportVideosInput] = [{ account, videos, waitFor: 'created' }];
    const run: ImportRun = await client.workflow.start('importVideos', {
      workflowId,
      taskQueue,
      args,
    });
    await act(run);
  });
}

const batches = ({ simulator }: Scenario) =>
  simulator.mutations().filter(({ path }) => path === '/streaming/videos/batch').length;

const OTHERS: [string, (video: Videos[number]) => Videos[number]][] = [
  ['names', (video) => ({ ...video, name: `x ${video.name}` })],
  ['origins', (video) => ({ ...video, origin_url: 'https://example.com/x.mp4' })],
];

describe('an import that begins while the Temporal server cannot list runs', () => {
  it('makes its videos', () =>
    inScenario({}, async (scenario) => {
      const videos = manyVideos(3);
      const workflowId = `alone-${scenario.account}`;

      await withUnlisted(scenario, { videos, workflowId }, async (run) => {
        await run.result();
      });

      expect(wrongly(scenario.simulator, videos)).toEqual(NOTHING_WRONG);
    }));

  it('takes the videos of an earlier run of the same list', () =>
    inScenario({}, async (scenario) => {
      const videos = manyVideos(3);
      const workflowId = `again-${scenario.account}`;
      await (await scenario.start('importVideos', { videos }, workflowId)).result();

      await withUnlisted(scenario, { videos, workflowId }, async (run) => {
        await run.result();
      });

      expect(wrongly(scenario.simulator, videos)).toEqual(NOTHING_WRONG);
      expect(batches(scenario)).toBe(1);
    }));

  it.each(OTHERS)('blocks when it finds videos of a list with other %s', (_, other) =>
    inScenario({}, async (scenario) => {
      const videos = manyVideos(3);
      const workflowId = `other-${scenario.account}`;
      await (await scenario.start('importVideos', { videos }, workflowId)).result();

      await withUnlisted(scenario, { videos: videos.map(other), workflowId }, async (run) => {
        await untilBlocked(run, 'OutcomeUnknown');
        const { blocked } = await run.query(statusQuery);
        await run.terminate('seen');

        expect(blocked?.message).toContain('cannot say');
      });

      expect(batches(scenario)).toBe(1);
    }),
  );
});

describe('an import whose earlier run the Temporal server has forgotten', () => {
  it('takes the videos of the same list', () =>
    inScenario({}, async (scenario) => {
      const videos = manyVideos(3);
      const workflowId = `kept-${scenario.account}`;
      await (await scenario.start('importVideos', { videos }, workflowId)).result();

      const again = { videos, workflowId, earlierRuns: FORGOTTEN };
      await withUnlisted(scenario, again, async (run) => {
        await run.result();
      });

      expect(wrongly(scenario.simulator, videos)).toEqual(NOTHING_WRONG);
      expect(batches(scenario)).toBe(1);
    }));

  it.each(OTHERS)('does not report videos of a list with other %s as its own', (_, other) =>
    inScenario({}, async (scenario) => {
      const videos = manyVideos(3);
      const workflowId = `weekly-${scenario.account}`;
      await (await scenario.start('importVideos', { videos }, workflowId)).result();

      const next = { videos: videos.map(other), workflowId, earlierRuns: FORGOTTEN };
      await withUnlisted(scenario, next, async (run) => {
        await untilBlocked(run, 'OutcomeUnknown');
        const { blocked } = await run.query(statusQuery);
        await run.terminate('seen');

        expect(blocked?.message).toContain('knows no earlier run');
      });
    }),
  );
});
