import { loadAccountNames } from '../../config.js';
import type { Cli } from '../cli.js';
import { CliError, ExitCode } from '../cli-error.js';
import type { Session } from '../session.js';
import { withGcore } from '../with-gcore.js';

export function addWorker({ program, services, session }: Cli): void {
  program
    .command('worker')
    .description('run the worker until Ctrl-C or SIGTERM; its log goes to stderr')
    .option('--check', 'only check that a worker polls every queue')
    .action(async ({ check = false }: { check?: boolean }) => {
      const current = session();
      if (check) {
        await checkWorkers(current);
        return;
      }
      const { io, temporal } = current;
      const signal = io.interrupted();
      const writeLog = (line: string): void => {
        io.stderr.write(`${line}\n`);
      };
      try {
        await services.runWorker({ temporal: temporal(), writeLog, signal });
      } catch (error) {
        // Ctrl-C stopped it while it was still connecting: that is no failure.
        if (!signal.aborted) throw error;
      }
    });
}

async function checkWorkers(session: Session): Promise<void> {
  const accounts = loadAccountNames();
  const found = await withGcore(session, (gcore) =>
    Promise.all(accounts.map((account) => gcore.pollers(account))),
  );
  // Each answer has the queue of the workflows.
  const byName = new Map(found.flat().map((queue) => [queue.taskQueue, queue]));
  const queues = [...byName.values()];
  const idle = queues.filter(({ pollers }) => pollers === 0).map(({ taskQueue }) => taskQueue);
  if (idle.length > 0) {
    throw new CliError({
      type: 'NoWorker',
      message: `No worker polls ${idle.join(' and ')}.`,
      advice: `start one: ${session.hint('worker')}`,
      exitCode: ExitCode.failed,
    });
  }
  const lines = queues.map(({ taskQueue, pollers }) => `${taskQueue}: ${pollers} polling`);
  session.print(queues, lines);
}
