import { videoIds } from '../../../src/contract/wire/messages.js';
import * as guards from '../../../src/engine/core/guards/message-guards.js';
import type { Guard } from '../../../src/engine/core/guards/guard.js';

export interface MessageSample {
  name: string;
  guard: Guard<unknown>;
  /** What its sender sends. */
  sound: unknown;
}

const TIME = '2026-01-01T00:00:00.000Z';
const UNDELIVERED = {
  id: 'msg_1',
  type: 'run.failed',
  sequence: 1,
  host: 'hooks.example.com',
  at: TIME,
  reason: 'nobody was there',
};
export const ORDER = {
  event: {
    id: 'msg_1',
    body: {
      type: 'run.failed',
      timestamp: TIME,
      data: {
        workflowId: 'some-run',
        runId: 'run-1',
        operation: 'protectIp',
        account: 'default',
        sequence: 1,
        resources: [],
      },
    },
  },
  targets: [{ url: 'https://hooks.example.com/', secretName: 'orders', events: ['run.failed'] }],
};

/** No resource and no run of these names is there: a sound message changes nothing either. */
export const SIGNALS: readonly MessageSample[] = [
  { name: 'turnWanted', guard: guards.turnWish, sound: { waiter: 'no-run', behind: ['nor-this'] } },
  { name: 'turnEnded', guard: guards.turnEnd, sound: { lock: 'no-lock', keptUntil: 1 } },
  {
    name: 'turnAsked',
    guard: guards.turnQuestion,
    sound: { resource: 'none/1', lock: { workflowId: 'no-lock', runId: 'no-run' } },
  },
  {
    name: 'turnTaken',
    guard: guards.turnTaken,
    sound: { resource: 'none/1', lock: 'no-lock', holder: 'no-run', since: TIME },
  },
  {
    name: 'turnFree',
    guard: guards.turnFree,
    sound: { resource: 'none/1', behind: ['no-run'], isCutShort: true },
  },
  { name: 'videosChanged', guard: videoIds, sound: [1, 2] },
  { name: 'keyReplaced', guard: guards.anything, sound: null },
  { name: 'newVersion', guard: guards.anything, sound: null },
  { name: 'webhookOrdered', guard: guards.webhookOrder, sound: ORDER },
  {
    name: 'webhookGivenUp',
    guard: guards.webhookGivenUp,
    sound: { runId: 'another', undelivered: UNDELIVERED },
  },
];

export const UPDATES: readonly MessageSample[] = [
  { name: 'pause', guard: guards.askedBy, sound: { by: 'anna' } },
  { name: 'resume', guard: guards.resumeRequest, sound: { by: 'anna', input: {} } },
  { name: 'abort', guard: guards.abortRequest, sound: { by: 'anna', reason: 'why' } },
  { name: 'extend', guard: guards.extendRequest, sound: { by: 'anna', holdFor: '1 hour' } },
  { name: 'restore', guard: guards.askedBy, sound: { by: 'anna' } },
  { name: 'join', guard: guards.joinRequest, sound: { by: 'anna', holdFor: '1 hour' } },
];
