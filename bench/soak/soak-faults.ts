import type { FaultAction, FaultRule } from '../../src/simulator/index.js';

/** What may happen to any call without harm to its run. */
const ACTIONS: readonly FaultAction[] = [
  { kind: 'drop-request' },
  { kind: 'drop-response' },
  { kind: 'status', status: 502, afterProcessing: true },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 429, retryAfter: '1' },
  { kind: 'status', status: 200, afterProcessing: true, body: '{"tasks": ["' },
  {
    kind: 'status',
    status: 502,
    afterProcessing: true,
    body: '<html>Bad gateway</html>',
    contentType: 'text/html',
  },
  { kind: 'delay', ms: 3_000 },
  { kind: 'hang', afterProcessing: true },
];

/** Faults for this share of all requests, each kind in turn. */
export function soakFaults(share: number): FaultRule[] {
  if (share <= 0) return [];
  const every = Math.round(1 / share);
  return ACTIONS.map((action, index) => ({
    match: { nth: every * (index + 1), every: every * ACTIONS.length, times: Infinity },
    action,
  }));
}
