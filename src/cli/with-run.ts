import { RunNotFoundError, type GcoreWorkflows } from '../client/index.js';
import { DEFAULT_ACCOUNT, Operation, workflowIdFor } from '../contract/index.js';
import { CliError, ExitCode } from './cli-error.js';
import type { Session } from './session.js';
import { withGcore } from './with-gcore.js';

/** The argument of every command for one run. */
export const RUN_ID = ['<ID>', 'request id or workflow id of the run'] as const;

/** Opens a connection, finds the run that a person names, and runs `use` with both. */
export function withRun<T>(
  session: Session,
  id: string,
  use: (gcore: GcoreWorkflows, workflowId: string) => Promise<T>,
): Promise<T> {
  return withGcore(session, async (gcore) => use(gcore, await findWorkflowId(gcore, id)));
}

/**
 * The Workflow Id for an id that a person types: `order-4711` means
 * `provision-instance/default/order-4711` if that is the only such run. Asks for the runs by their
 * ids, because a visibility query does not know a run that has just started.
 * @throws RunNotFoundError, or a `CliError` when several operations have used the request id
 */
export async function findWorkflowId(
  gcore: Pick<GcoreWorkflows, 'operationOf'>,
  id: string,
): Promise<string> {
  if (id.includes('/')) return id;
  const operations = Object.values(Operation);
  const ids = [id, ...operations.map((name) => workflowIdFor(name, DEFAULT_ACCOUNT, id))];
  const found = await Promise.all(ids.map((workflowId) => exists(gcore, workflowId)));
  const [first, ...others] = ids.filter((_, index) => found[index] === true);
  if (first === undefined) throw new RunNotFoundError(id);
  if (first === id || others.length === 0) return first;
  throw ambiguous(id, [first, ...others]);
}

async function exists(
  gcore: Pick<GcoreWorkflows, 'operationOf'>,
  workflowId: string,
): Promise<boolean> {
  try {
    await gcore.operationOf(workflowId);
    return true;
  } catch (error) {
    if (error instanceof RunNotFoundError) return false;
    throw error;
  }
}

function ambiguous(id: string, workflowIds: readonly string[]): CliError {
  return new CliError({
    type: 'AmbiguousId',
    message: `${workflowIds.length} runs have the request id "${id}".`,
    advice: `Give the workflow id of one of them: ${workflowIds.join(', ')}`,
    exitCode: ExitCode.badInput,
  });
}
