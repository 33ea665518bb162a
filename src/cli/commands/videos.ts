import { randomUUID } from 'node:crypto';

import { Operation, operationSchemas, type ListVideosInput } from '../../contract/index.js';
import type { Cli } from '../cli.js';
import { parseNames, parseSeconds } from '../input/parse-option.js';
import { checkInput } from '../input/read-input.js';
import { watchDeps, type Session } from '../session.js';
import { watchRun } from '../watch/watch-run.js';
import { withGcore } from '../with-gcore.js';

interface VideosOptions {
  fields?: string[];
  account?: string;
  timeout?: number;
}

const EXAMPLES = `
Examples:
  gcore-workflows videos 7017
  gcore-workflows videos "7001-7003 7017" --fields slug,status,hls_url

Ids are numbers and ranges, as in the report of an import; at most 500.`;

export function addVideos({ program, session }: Cli): void {
  program
    .command('videos')
    .description('what the API says of videos: links, status, pictures')
    .argument('<IDS>', 'ids of videos, such as "7001-7003 7017"')
    .option('--fields <NAMES>', 'what to show of each video, such as slug,hls_url', parseNames)
    .option('--account <NAME>', 'which API key of the workers to use')
    .option('--timeout <SECONDS>', 'stop watching then; the run continues', parseSeconds)
    .addHelpText('after', EXAMPLES)
    .action(async (ids: string, { timeout, ...asked }: VideosOptions) => {
      const { input: schema } = operationSchemas[Operation.listVideos];
      await listVideos(session(), checkInput(schema, { ids, ...asked }), timeout);
    });
}

async function listVideos(
  session: Session,
  input: ListVideosInput,
  timeoutMs: number | undefined,
): Promise<void> {
  await withGcore(session, async (gcore) => {
    // Each call is a new request: a repeat wants what is true now.
    const requestId = randomUUID();
    const run = await gcore.start(Operation.listVideos, { requestId, input });
    session.progress.notice(`Run ${run.workflowId}`);
    const { result } = await watchRun({ ...run, timeoutMs }, watchDeps(session, gcore));
    session.printJson(result);
  });
}
