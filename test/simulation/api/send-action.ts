import { DEFAULT_API_KEY, type Simulator } from '../../../src/simulator/index.js';
import type { Clock } from '../time/clock.js';
import type { CallRecord } from '../world/records.js';
import type { Story } from '../world/story.js';
import { parse } from './api-answer.js';
import type { Action } from './scene.js';

interface SendOptions {
  simulator: Simulator;
  clock: Clock;
  story: Story;
  /** Who acts, such as `console`. */
  actor: string;
  apiKey?: string;
  onCall?: (record: CallRecord) => void;
}

/** Somebody else does something: at once, and past everything that can happen to a call. Gives the status. */
export async function sendAction(options: SendOptions, action: Action): Promise<number> {
  const { simulator, clock, story, actor, apiKey = DEFAULT_API_KEY, onCall } = options;
  const { says, method, path, body } = action;
  const cloudBefore = simulator.snapshot();
  const response = await simulator.fetch(`http://api.example${path}`, {
    method,
    headers: {
      authorization: `apikey ${apiKey}`,
      'user-agent': `Mozilla/5.0 ${actor}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { status } = response;
  const answer = parse(await response.text());
  story.tell(actor, `${says} (${method} ${path} ${status})`);
  const seen = { cloudBefore, cloudAfter: simulator.snapshot() };
  const at = clock.now();
  onCall?.({ at, method, path, body, status, answer, workflowId: undefined, actor, ...seen });
  return status;
}
