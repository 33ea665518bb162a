import type { Client } from '@temporalio/client';

import type { Check } from '../../contract/check.js';
import { plural } from '../../engine/core/plural.js';
import { buildsOf, countPollers, workflowWorkers } from '../pollers.js';
import { checkDeployment } from './check-deployment.js';
import { adviceToServe, withAccountSetting } from '../unserved-account.js';

export interface CheckedCode {
  /** Queue of the workflows. */
  taskQueue: string;
  /**
   * Checksums by which the workers of this version sign their code, one for each variant. Empty or `undefined` when this
   * program does not know them.
   */
  build?: string | readonly string[] | undefined;
}

export async function checkWorkers(
  client: Client,
  { taskQueue, account }: { taskQueue: string; account: string },
): Promise<Omit<Check, 'name'>> {
  const queues = await countPollers(client, taskQueue, account);
  const counts = queues.map((queue) => `${queue.taskQueue}: ${queue.pollers}`).join(', ');
  const idle = queues.filter(({ pollers }) => pollers === 0).map((queue) => queue.taskQueue);
  if (idle.length === 0) return { state: 'ok', text: counts };
  return {
    state: 'fault',
    text: `nobody polls ${idle.join(' and ')}`,
    advice: idle.includes(taskQueue)
      ? `start a worker${withAccountSetting(account)}: gcore-workflows worker`
      : adviceToServe(account),
  };
}

/** Whether all workers run the code of this version. */
export async function checkCode(client: Client, queues: CheckedCode): Promise<Omit<Check, 'name'>> {
  const workers = await workflowWorkers(client, queues.taskQueue);
  const deployment = workers.find(({ version }) => version !== undefined)?.version?.deployment;
  // Versioned workers may run any code: but somebody has to have what is current.
  if (deployment !== undefined) return checkDeployment(client, queues.taskQueue, deployment);
  return checkSameCode(client, queues);
}

async function checkSameCode(
  client: Client,
  { taskQueue, build = [] }: CheckedCode,
): Promise<Omit<Check, 'name'>> {
  const own = [build].flat();
  const { builds, unsigned } = await buildsOf(client, taskQueue);
  const total = builds.length + unsigned;
  if (total === 0) return { state: 'unknown', text: 'cannot be checked: no worker runs' };
  if (own.length === 0 || builds.length === 0) {
    return { state: 'unknown', text: 'cannot be checked: the workers do not say their version' };
  }
  const other = builds.filter((name) => !own.some((one) => name.endsWith(`+${one}`))).length;
  if (other === 0) {
    return {
      state: 'ok',
      text: `${plural(builds.length, 'worker')} with the code of this command`,
    };
  }
  return {
    state: 'fault',
    text: `${other} of ${plural(builds.length, 'worker')} run other code than this command`,
    advice:
      'finish the deployment, or use the command of the version of the workers: all should be of one version',
  };
}
