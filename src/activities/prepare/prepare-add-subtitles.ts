import type { FirstEvent } from '../../engine/core/prepared-run.js';
import { operationSchemas, OPERATIONS } from '../../contract/operations/index.js';
import type { AddSubtitlesInput } from '../../contract/operations/types.js';
import type { PreparedAddSubtitles } from '../../contract/wire/prepared.js';
import { subtitleDigest } from '../subtitles.js';
import { createPrepareChange } from './prepare-change.js';
import type { PrepareDeps } from './prepare-deps.js';

export function createPrepareAddSubtitles(deps: PrepareDeps) {
  const { input: schema } = operationSchemas.addSubtitles;
  const { foundBy } = OPERATIONS.addSubtitles;
  const prepare = createPrepareChange<AddSubtitlesInput>(
    { schema, isPlaced: false, foundBy },
    deps,
  );
  return {
    /** The same as of other steps, with the digest of the text. */
    async prepareAddSubtitles(input: unknown, first?: FirstEvent): Promise<PreparedAddSubtitles> {
      const prepared = await prepare(input, first);
      return { ...prepared, digest: subtitleDigest(schema.parse(input).vtt) };
    },
  };
}
