import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';

interface NamedHistory {
  name: string;
  workflowId: string;
  history: unknown;
}

/** Replays with the bundle that is shipped. One text for each history: empty, or why it does not replay. */
export async function replayShipped(histories: readonly NamedHistory[]): Promise<string[]> {
  Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) });
  const workflowBundle = { codePath: 'dist/workflow-bundle.js' };
  const texts: string[] = [];
  for await (const { error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
    texts.push(error === undefined ? '' : `${histories[texts.length]?.name}: ${error.message}`);
  }
  return texts;
}
