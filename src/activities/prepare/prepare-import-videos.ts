import type { VideoItem } from '../../contract/api/video-item.js';
import { plannedIdOf } from '../../contract/names.js';
import { toRanges, fromRanges } from '../../contract/number-ranges.js';
import {
  importVideosInputSchema,
  type ImportVideosInput,
} from '../../contract/operations/import-videos.js';
import { BATCH_LIMITS, digestOf } from '../scan-videos.js';
import { checkInput, earlierCutShort } from './check-input.js';
import { commonDefaults } from './common-defaults.js';
import { invalidInput } from './invalid-input.js';
import type { PreparedImportVideos } from '../../contract/prepared/import-videos.js';
import type { PrepareDeps } from './prepare-deps.js';
import { thisRun } from './this-run.js';

export function createPrepareImportVideos(deps: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    async prepareImportVideos(input: unknown): Promise<PreparedImportVideos> {
      const value = checkInput<ImportVideosInput>(importVideosInputSchema, input);
      const { waitFor, tolerate, canary } = value;
      const { marker, workflowId } = thisRun();
      const inline = toInline(value);
      return {
        ...commonDefaults(value),
        // What was made is kept, always: a library that was imported is not taken back.
        onFailure: 'keep',
        waitFor: waitFor ?? 'viewable',
        tolerate: tolerate ?? { count: 0 },
        ...(canary === undefined ? {} : { canary }),
        ...(inline && { inline }),
        ...(await earlierCutShort(deps)),
        // A plan is about the runs of the request that it is for.
        earlier: (await deps.earlierRuns?.(plannedIdOf(workflowId) ?? workflowId)) ?? {
          digests: [],
        },
        marker,
        policy: deps.policy,
      };
    },
  };
}

function toInline({ videos, lines, canary }: ImportVideosInput): PreparedImportVideos['inline'] {
  if (videos === undefined) return undefined;
  const all = videos.map((_, at) => at + 1);
  const asked = lines === undefined ? all : [...fromRanges(lines)];
  const beyond = asked.find((line) => line > videos.length);
  if (beyond !== undefined) {
    const message = `has ${beyond}, of ${videos.length} videos`;
    throw invalidInput([{ path: 'lines', message }]);
  }
  const first = canary === undefined ? [] : asked.slice(0, canary);
  const rest = asked.slice(first.length);
  const batches = [...inBatches(first), ...inBatches(rest)].map((batch) => ({
    lines: toRanges(batch),
  }));
  return { batches, digest: digestOf([videos satisfies VideoItem[], lines, canary]) };
}

/** By number alone: all inline videos together are smaller than one batch may be. */
function inBatches(lines: readonly number[]): number[][] {
  const { mostItems } = BATCH_LIMITS;
  const count = Math.ceil(lines.length / mostItems);
  return Array.from({ length: count }, (_, at) =>
    lines.slice(at * mostItems, (at + 1) * mostItems),
  );
}
