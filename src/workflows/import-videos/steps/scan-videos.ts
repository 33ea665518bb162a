import { proxyActivities } from '@temporalio/workflow';

import type { ScanActivities } from '../../../activities/scan-videos.js';

/** On the queue of the workflows themselves: it costs no request. */
export const { scanVideos, surveyVideos } = proxyActivities<ScanActivities>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});
