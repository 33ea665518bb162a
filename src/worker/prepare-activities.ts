import { getClient } from '@temporalio/activity';

import { createPrepareActivities, type PrepareSettings } from '../activities/index.js';
import type { Codec } from '../codec/codec.js';
import { createAskedBefore } from './asked-before.js';
import { createArrivedInClear } from './arrived-in-clear.js';
import { createCutShort, type CutShortDeps } from './cut-short.js';
import { createEarlierRuns } from './earlier-runs.js';
import { createEndedWithoutSuccess } from './ended-without-success.js';
import { createLeftBefore } from './left-before.js';
import { createMakerOf } from './maker-of.js';
import { createNamespaceId } from './namespace-id.js';
import { createRunsBefore } from './runs-before.js';

/** The activities that prepare a run, with what they ask the Temporal server. */
export function prepareActivities(prepare: PrepareSettings, deps: CutShortDeps & { codec: Codec }) {
  return createPrepareActivities({
    ...prepare,
    cutShortAt: createCutShort(deps),
    earlierRuns: createEarlierRuns({ ...deps, runsBefore: createRunsBefore(getClient) }),
    endedWithoutSuccess: createEndedWithoutSuccess(deps),
    leftBefore: createLeftBefore(getClient),
    askedBefore: createAskedBefore(getClient),
    makerOf: createMakerOf(deps),
    namespaceId: createNamespaceId(deps),
    arrivedInClear: createArrivedInClear(deps),
  });
}
