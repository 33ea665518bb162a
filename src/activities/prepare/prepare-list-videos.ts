import { listVideosInputSchema } from '../../contract/operations/list-videos.js';
import type { ListVideosInput } from '../../contract/operations/types.js';
import type { PreparedListVideos } from '../../contract/wire/prepared.js';
import { DEFAULT_VIDEO_FIELDS } from '../../contract/wire/videos.js';
import { checkInput } from './check-input.js';
import { commonDefaults } from './common-defaults.js';
import type { PrepareDeps } from './prepare-deps.js';

export function createPrepareListVideos(deps: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    prepareListVideos(input: unknown): Promise<PreparedListVideos> {
      const value = checkInput<ListVideosInput>(listVideosInputSchema, input, deps);
      const { fields = DEFAULT_VIDEO_FIELDS } = value;
      return Promise.resolve({
        ...commonDefaults(value, deps),
        fields: [...new Set(fields)],
        policy: deps.policy,
      });
    },
  };
}
