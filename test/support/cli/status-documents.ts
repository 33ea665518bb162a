import type { StatusDocument } from '../../../src/contract/index.js';

export const START = Date.parse('2026-05-04T03:02:00Z');
export const TASK = '3f2a91c0-1c3c-47bb-a833-9b8925998e89';
export const INSTANCE = '8942f0cf-b297-4fc5-8bf7-02c5f5d920fa';

/** `seconds` after the start, as the status document writes it. */
export function at(seconds: number): string {
  return new Date(START + seconds * 1000).toISOString();
}

/** The create task runs. */
export const waiting: StatusDocument = {
  version: 1,
  operation: 'provisionInstance',
  phase: 'waiting',
  steps: [
    { name: 'create instance', state: 'waiting', startedAt: at(0), taskIds: [TASK], resources: [] },
    { name: 'verify instance', state: 'planned', taskIds: [], resources: [] },
  ],
  waiting: {
    for: `task ${TASK}`,
    state: 'RUNNING',
    since: at(1),
    typicalSeconds: 30,
    nextCheckAt: at(46),
  },
};

/** An address is protected for two hours, as far as a person wants it to be. */
export const holding = (holds: string): StatusDocument => ({
  version: 1,
  operation: 'protectIp',
  phase: 'waiting',
  steps: [
    {
      ...{ name: 'activate profile', state: 'verified', taskIds: [], resources: [] },
      ...{ startedAt: at(0), endedAt: at(5) },
    },
    { name: 'hold protection', state: 'waiting', startedAt: at(5), taskIds: [], resources: [] },
  ],
  waiting: { for: 'the end of the hold', holds, since: at(5), nextCheckAt: at(7_205) },
});

/** The create was refused for a quota; tried again after a minute. */
export const blocked = {
  version: 1,
  operation: 'provisionInstance',
  phase: 'blocked',
  steps: [
    { name: 'create instance', state: 'failed', startedAt: at(0), taskIds: [], resources: [] },
    { name: 'verify instance', state: 'planned', taskIds: [], resources: [] },
  ],
  blocked: {
    type: 'QuotaExceeded',
    message: 'The quota of 10 instances is used up.',
    advice: 'Ask for more.',
    since: at(2),
    nextCheckAt: at(62),
  },
} satisfies StatusDocument;

/** An operator paused it while the create task ran. */
export const paused: StatusDocument = { ...waiting, phase: 'paused' };

/** The instance is there and verified. */
export const succeeded: StatusDocument = {
  version: 1,
  operation: 'provisionInstance',
  phase: 'succeeded',
  steps: [
    {
      name: 'create instance',
      state: 'verified',
      startedAt: at(0),
      endedAt: at(50),
      taskIds: [TASK],
      resources: [{ kind: 'instance', id: INSTANCE }],
    },
    {
      name: 'verify instance',
      state: 'verified',
      startedAt: at(50),
      endedAt: at(53),
      taskIds: [],
      resources: [],
      note: 'status ACTIVE',
    },
  ],
};
