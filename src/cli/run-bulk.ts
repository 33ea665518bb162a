import type { GcoreWorkflows, RunName, StartedRun } from '../client/index.js';
import type { Operation, Operations } from '../contract/index.js';
import { digestOfManifest } from '../contract/manifest.js';
import { countRanges } from '../engine/core/number-ranges.js';
import { plural } from '../engine/core/text.js';
import { CliError, ExitCode } from './cli-error.js';
import { writeResults, type Lines } from './output/results-file.js';
import { toProblem } from './output/to-problem.js';
import { requestIdFromInput } from './input/request-id.js';
import { watchDeps, type Session } from './session.js';
import { printStarted, startRun, type Start } from './start-run.js';
import { untilStopped } from './watch/until-stopped.js';
import { watchRun } from './watch/watch-run.js';
import { withGcore } from './with-gcore.js';

/** Operations whose results count items, and whose reports name each. */
type BulkOperation = typeof Operation.importVideos | typeof Operation.runBatch;

/** The lines of a report. @param stop ends whatever takes long: the lines are written all the same. */
export type LinesOf = (
  gcore: GcoreWorkflows,
  run: RunName,
  stop: AbortSignal,
) => Promise<Lines> | Lines;

interface Following {
  wait: boolean;
  timeout?: number | undefined;
  /** Where the report goes; nowhere when left out. */
  results?: string | undefined;
  /** The report has all lines that are there already. */
  holdsEarlier?: boolean;
  linesOf: LinesOf;
}

/** Starts a run, or joins the one that the request has, and prints its counts. */
export async function runBulk<O extends BulkOperation>(
  session: Session,
  start: Start<O>,
  { wait, timeout, results, holdsEarlier = false, linesOf }: Following,
): Promise<void> {
  const since = session.io.clock.now();
  await withGcore(session, async (gcore) => {
    const run = await startRun(session, gcore, start);
    if (!wait) {
      printStarted(session, run);
      return;
    }
    const writeReport = async (): Promise<void> => {
      if (results === undefined) return;
      const leftMs = timeout && since + timeout - session.io.clock.now();
      const { signal, end } = untilStopped(session.io, leftMs);
      const lines = async () => linesOf(gcore, run, signal);
      await writeLines(session, { results, holdsEarlier, lines }).finally(end);
    };
    try {
      await followBulk(session, gcore, { start, run, timeout });
    } catch (error) {
      // Partial results of a run that failed, was cancelled or continues are useful. That they are missing hides no end.
      await writeReport().catch((fault: unknown) => {
        const { message, faults = [] } = toProblem(fault, session.hint);
        const named = faults.map(({ path, message: why }) => ` ${path} ${why}.`).join('');
        session.progress.notice(`The results are not written: ${message}${named}`);
      });
      throw error;
    }
    await writeReport();
  });
}

interface BulkRun<O extends BulkOperation> {
  start: Start<O>;
  run: StartedRun;
  timeout: number | undefined;
}

/** Follows the run to its end, and prints its counts. */
async function followBulk<O extends BulkOperation>(
  session: Session,
  gcore: GcoreWorkflows,
  { start, run, timeout }: BulkRun<O>,
): Promise<void> {
  const { workflowId, outcome } = run;
  if (outcome !== 'succeeded-before') {
    await watchRun({ ...run, timeoutMs: timeout }, watchDeps(session, gcore));
  }
  const { counts, report } = await gcore.result(start.operation, run);
  const before = 'before' in report ? countRanges(report.before) : 0;
  if (before > 0) {
    session.progress.notice(
      `${plural(before, 'item')} had succeeded before: nothing was done for them now.`,
    );
  }
  session.printJson({ workflowId, counts });
}

interface ToWrite {
  results: string;
  holdsEarlier: boolean;
  lines: () => Promise<Lines>;
}

async function writeLines(
  { progress }: Session,
  { results, holdsEarlier, lines }: ToWrite,
): Promise<void> {
  const written = await writeResults(results, await lines(), { holdsEarlier });
  progress.notice(`Wrote ${plural(written.count, 'result')} to ${results}`);
  if (written.kept !== undefined) {
    progress.notice(`The earlier ${results} is now ${written.kept}`);
  }
}

/** The request id of a list. A file name alone is none: the file may hold another list next month. */
export function requestIdOfList<O extends BulkOperation>(
  session: Session,
  operation: O,
  input: Operations[O]['input'],
): string {
  const { manifest } = input;
  if (manifest === undefined || digestOfManifest(manifest) !== undefined) {
    return requestIdFromInput(session, operation, input);
  }
  throw new CliError({
    type: 'Usage',
    message: 'A manifest that the worker reads needs a request id.',
    advice: 'Add --request-id ID, or --sha256 HEX of the whole file.',
    exitCode: ExitCode.badInput,
  });
}
