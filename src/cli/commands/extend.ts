import { InvalidArgumentError } from 'commander';

import { parseDuration } from '../../engine/core/parse-duration.js';
import type { Cli } from '../cli.js';
import { printStatus } from '../output/print-status.js';
import { RUN_ID, withRun } from '../with-run.js';

export function addExtend({ program, session }: Cli): void {
  program
    .command('extend')
    .description('extend the time for which a run holds its protection')
    .argument(...RUN_ID)
    .requiredOption('--for <TIME>', 'shortest time from now, such as "2 hours"', parseTime)
    .action(async (id: string, options: { for: string }) => {
      const current = session();
      const request = { holdFor: options.for };
      await withRun(current, id, async (gcore, workflowId) => {
        const status = await gcore.extend(workflowId, request);
        current.progress.notice(
          `The run holds the protection at least until ${status.waiting?.nextCheckAt ?? 'then'}.`,
        );
        printStatus(current, workflowId, status);
      });
    });
}

function parseTime(text: string): string {
  const parsed = parseDuration(text);
  if (parsed.ok) return text;
  throw new InvalidArgumentError(`It ${parsed.message}.`);
}
