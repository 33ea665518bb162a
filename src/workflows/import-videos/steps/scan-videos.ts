import { proxyActivities } from '@temporalio/workflow';

import type { ScanActivities } from '../../../activities/scan-videos.js';

/** These run on the task queue of the workflows, because they send no request to the API. */
export const { scanVideos, surveyVideos } = proxyActivities<ScanActivities>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});
