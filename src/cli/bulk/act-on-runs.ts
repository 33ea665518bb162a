import type { GcoreWorkflows } from '../../client/index.js';
import { plural } from '../../engine/core/plural.js';
import { CliError, type Problem } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import { align } from '../output/align.js';
import { toProblem } from '../output/to-problem.js';
import type { Session } from '../session.js';

/** What a command asks of each run. */
export interface BulkAction {
  /** `cancel` */
  verb: string;
  act: (gcore: GcoreWorkflows, workflowId: string) => Promise<unknown>;
}

interface ActedOn {
  workflowId: string;
  /** `asked`: the run has taken it. */
  outcome: 'asked' | 'failed';
  error?: Pick<Problem, 'type' | 'message' | 'advice'>;
}

const AT_ONCE = 10;

/** Asks exactly these runs, all of them, and prints what became of each. Fails when one did not take it. */
export async function actOnRuns(
  { session, gcore }: { session: Session; gcore: GcoreWorkflows },
  { verb, act }: BulkAction,
  workflowIds: readonly string[],
): Promise<void> {
  const results: ActedOn[] = [];
  const ask = async (workflowId: string): Promise<ActedOn> => {
    try {
      await act(gcore, workflowId);
      return { workflowId, outcome: 'asked' };
    } catch (error) {
      const { type, message, advice } = toProblem(error, session.hint);
      return { workflowId, outcome: 'failed', error: { type, message, advice } };
    }
  };
  for (let first = 0; first < workflowIds.length; first += AT_ONCE) {
    const some = workflowIds.slice(first, first + AT_ONCE);
    results.push(...(await Promise.all(some.map(ask))));
  }
  const rows = results.map(({ workflowId, outcome }) => [outcome, workflowId]);
  session.print(results, align(rows));
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  if (failed.length > 0) throw notAll(verb, failed, results.length);
}

function notAll(verb: string, failed: readonly ActedOn[], all: number): CliError {
  return new CliError({
    type: 'SomeFailed',
    message: `${failed.length} of ${plural(all, 'run')} did not take "${verb}".`,
    advice: 'The others did. See what each of these says, and repeat the command for them.',
    exitCode: failed.length === all ? ExitCode.failed : ExitCode.someItemsFailed,
    faults: failed.map(({ workflowId, error }) => ({
      path: workflowId,
      message: error?.message ?? '',
    })),
  });
}
