import { Scope } from '../../tokens/token-file.js';
import { audited } from '../audit.js';
import type { GatewayContext, GatewayParts } from '../gateway-context.js';
import { refuseWithoutScope } from '../middleware.js';
import { badParameters } from '../read-request.js';

/** Whether this reader asks for all of an input, its secrets too. @throws ProblemError (400) */
export function asksForWhole(c: GatewayContext): boolean {
  const given = c.req.queries('whole') ?? [];
  if (given.length === 0) return false;
  if (given.length === 1 && given[0] === 'true') return true;
  throw badParameters([{ path: 'whole', message: 'must be "true", or be left out' }]);
}

export function maySeeWhole(c: GatewayContext): boolean {
  return c.get('caller').scopes.includes(Scope.operate);
}

/** Reads the whole input for whoever may operate the run; the audit log says so, and also who was refused. */
export function readWhole<T>(
  { audit }: Pick<GatewayParts, 'audit'>,
  { c, workflowId }: { c: GatewayContext; workflowId: string },
  read: () => Promise<T>,
): Promise<T> {
  return audited(audit, { c, action: 'whole-input', workflowId }, async () => {
    refuseWithoutScope(c.get('caller'), Scope.operate);
    return read();
  });
}
