import type { Context } from 'hono';

import type { Scope } from './scope.js';
import { type Effects, type Mutation, newId } from '../state/start-task.js';

/** The data that the fault layer passes to the handlers of a request. */
export interface SimulatorEnv {
  Bindings: { effects: Effects };
}

export function toMutation(c: Context<SimulatorEnv>, scope: Scope): Mutation {
  return { ...scope, requestId: newId(), effects: c.env.effects };
}
