import type { Context } from 'hono';

import type { Scope } from '../state/scope.js';
import { type Effects, type Mutation, newId } from '../state/start-task.js';

/** What the fault layer hands to the handlers of a request. */
export interface SimulatorEnv {
  Bindings: { effects: Effects };
}

export function toMutation(c: Context<SimulatorEnv>, scope: Scope): Mutation {
  return { ...scope, requestId: newId(), effects: c.env.effects };
}
