import type { VideoItem } from '../../contract/api/streaming.js';
import { chunksOf } from '../../engine/core/chunks.js';
import { plannedIdOf } from '../../engine/core/names.js';
import { toRanges, fromRanges } from '../../engine/core/number-ranges.js';
import { importVideosInputSchema } from '../../contract/operations/import-videos.js';
import type { ImportVideosInput } from '../../contract/operations/types.js';
import { DEFAULT_VIDEO_FIELDS } from '../../contract/wire/videos.js';
import { BATCH_LIMITS, digestOf } from '../scan-videos.js';
import { checkInput, earlierCutShort, resetSince, runBefore } from './check-input.js';
import { invalidInput, wasReset } from '../../engine/activities/run-of-activity.js';
import type { FirstEvent } from '../../engine/core/prepared-run.js';
import { commonDefaults } from './common-defaults.js';
import type { EarlierRuns, PreparedImportVideos } from '../../contract/wire/prepared.js';
import type { PrepareDeps } from './prepare-deps.js';
import { thisMaker, thisRun } from './this-run.js';

export function createPrepareImportVideos(deps: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    async prepareImportVideos(input: unknown, first?: FirstEvent): Promise<PreparedImportVideos> {
      const value = checkInput<ImportVideosInput>(importVideosInputSchema, input, deps);
      const { waitFor, tolerate, canary, fields = DEFAULT_VIDEO_FIELDS } = value;
      const { marker, workflowId } = thisRun();
      const inline = toInline(value);
      // Each may take as long as the activity has, almost.
      const [cutShort, earlier] = await Promise.all([
        earlierCutShort(deps, first),
        // A plan looks at the runs of its request.
        deps.earlierRuns?.(plannedIdOf(workflowId) ?? workflowId, runBefore(first), {
          wasReset: wasReset(first?.runId),
        }),
      ]);
      return {
        ...commonDefaults(value, deps),
        // Created videos always stay: nobody takes an imported library back.
        onFailure: 'keep',
        waitFor: waitFor ?? 'viewable',
        fields: [...new Set(fields)],
        tolerate: tolerate ?? { count: 0 },
        ...(canary === undefined ? {} : { canary }),
        ...(inline && { inline }),
        ...cutShort,
        earlier: withReset(earlier, resetSince(first)),
        marker,
        ...(await thisMaker(deps)),
        policy: deps.policy,
      };
    },
  };
}

/** The list of runs may not show yet that a reset has ended one. */
function withReset(
  { since, digests }: EarlierRuns = { digests: [] },
  resetAt: number | undefined,
): EarlierRuns {
  const times = [since, resetAt].filter((time) => time !== undefined);
  return { ...(times.length > 0 && { since: Math.min(...times) }), digests };
}

function toInline({ videos, lines, canary }: ImportVideosInput): PreparedImportVideos['inline'] {
  if (videos === undefined) return undefined;
  const all = videos.map((_, at) => at + 1);
  const asked = lines === undefined ? all : [...fromRanges(lines)];
  const beyond = asked.find((line) => line > videos.length);
  if (beyond !== undefined) {
    const message = `names line ${beyond}, but the last line is ${videos.length}`;
    throw invalidInput([{ path: 'lines', message }]);
  }
  const first = canary === undefined ? [] : asked.slice(0, canary);
  const rest = asked.slice(first.length);
  const { maxItems } = BATCH_LIMITS;
  // By number alone: all inline videos together are smaller than the byte limit of a batch.
  const batches = [...chunksOf(first, maxItems), ...chunksOf(rest, maxItems)].map((batch) => ({
    lines: toRanges(batch),
  }));
  return { batches, digest: digestOf([videos satisfies VideoItem[], lines, canary]) };
}
