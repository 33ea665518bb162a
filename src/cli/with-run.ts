import { RunNotFoundError, type GcoreWorkflows } from '../client/index.js';
import { DEFAULT_ACCOUNT, Operation, workflowIdFor } from '../contract/index.js';
import { quoteValue } from '../engine/core/text.js';
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
  return withGcore(session, async (gcore) => use(gcore, await createFinder(gcore)(id)));
}

/** Whichever run has the Workflow Id now, and none that comes later: one that is asked, and followed to its end. */
export async function runNow(
  gcore: GcoreWorkflows,
  workflowId: string,
): Promise<{ workflowId: string; runId: string }> {
  const { runId } = await gcore.summary(workflowId);
  return { workflowId, runId };
}

type Finds = Pick<GcoreWorkflows, 'operationOf' | 'list'>;

/**
 * Finds the Workflow Id for an id that a person types: `order-4711` means `provision-instance/default/order-4711` if
 * that is the only such run of any account. Asks for the runs of the account `default` by their ids, because a list
 * does not know a run that has just started. Finds out once which other accounts there are.
 * @throws RunNotFoundError, or a `CliError` when several runs have the request id
 */
export function createFinder(gcore: Finds): (id: string) => Promise<string> {
  let others: Promise<readonly string[]> | undefined;
  return async (id) => {
    if (id.includes('/')) return id;
    others ??= otherAccounts(gcore);
    const ids = [id, ...idsIn(DEFAULT_ACCOUNT, id)];
    const [found, elsewhere] = await Promise.all([
      Promise.all(ids.map((workflowId) => exists(gcore, workflowId))),
      others.then((accounts) => findIn(gcore, accounts, id)),
    ]);
    const known = [...ids.filter((_, index) => found[index] === true), ...elsewhere];
    const [first, ...more] = known;
    if (first === undefined) throw new RunNotFoundError(id);
    if (first === id || more.length === 0) return first;
    throw ambiguous(id, known);
  };
}

function idsIn(account: string, requestId: string): string[] {
  return Object.values(Operation).map((name) => workflowIdFor(name, account, requestId));
}

/** Open runs first, then the last to end: these tell which accounts there are. */
const RUNS_LOOKED_AT = 1_000;
const MOST_ACCOUNTS = 20;

async function otherAccounts(gcore: Finds): Promise<readonly string[]> {
  const runs = await gcore.list({ limit: RUNS_LOOKED_AT });
  const accounts = new Set(runs.map(({ account }) => account));
  accounts.delete(DEFAULT_ACCOUNT);
  return [...accounts].slice(0, MOST_ACCOUNTS);
}

/** Runs with this request id in these accounts. */
async function findIn(gcore: Finds, accounts: readonly string[], id: string): Promise<string[]> {
  const searched = accounts.map(async (account) => {
    const query = `WorkflowId IN (${idsIn(account, id).map(quoteValue).join(', ')})`;
    return (await gcore.list({ query })).map(({ workflowId }) => workflowId);
  });
  return [...new Set((await Promise.all(searched)).flat())];
}

async function exists(gcore: Finds, workflowId: string): Promise<boolean> {
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
