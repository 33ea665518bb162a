import type { Context } from 'hono';

import { type Effects, newId, type TaskOrigin } from '../state/start-task.js';

/** The data that the fault layer passes to the handlers of a request. */
export interface SimulatorEnv {
  Bindings: { effects: Effects };
}

export function toMutation<Place extends Pick<TaskOrigin, 'projectId' | 'regionId'>>(
  c: Context<SimulatorEnv>,
  scope: Place,
): Place & Omit<TaskOrigin, 'projectId' | 'regionId'> {
  return { ...scope, requestId: newId(), effects: c.env.effects };
}
