import { sleep } from '@temporalio/workflow';

/** Contradicts every stored history. This is the negative control of the replays. */
export async function provisionInstance(): Promise<void> {
  await sleep('1 hour');
}

/** The child of a run that protects what it made. */
export async function protectIp(): Promise<void> {
  await sleep('1 hour');
}
