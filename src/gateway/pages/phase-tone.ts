import { Phase } from '../../engine/core/status.js';

/** How a phase looks. The word itself says everything. */
export const TONE: Partial<Record<string, 'good' | 'bad' | 'busy'>> = {
  [Phase.running]: 'busy',
  [Phase.waiting]: 'busy',
  [Phase.paused]: 'busy',
  [Phase.blocked]: 'bad',
  [Phase.rollingBack]: 'bad',
  [Phase.succeeded]: 'good',
  [Phase.failed]: 'bad',
  [Phase.cancelled]: 'bad',
};
