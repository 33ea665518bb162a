import type { Client } from '@temporalio/client';

import type { Check } from '../contract/check.js';
import { CREATE_SEARCH_ATTRIBUTES } from '../contract/create-search-attributes.js';
import { SearchAttribute } from '../contract/wire/names.js';
import { plural } from '../engine/core/text.js';
import { checkDeployment } from './check-deployment.js';
import { formatDuration } from './format-duration.js';
import { GrpcCode, grpcCodeOf, withDeadline } from './server-calls.js';
import {
  buildsOf,
  countPollers,
  workflowWorkers,
  adviceToServe,
  withAccountSetting,
} from './pollers.js';

const ANSWER_WITHIN_MS = 5_000;

/** What runs need of the Temporal server and of the workers. Every check is made, whatever the others say. */
export function checkTemporal(
  client: Client,
  queues: CheckedCode & { accounts: readonly string[] },
): Promise<Check[]> {
  return withDeadline(client, ANSWER_WITHIN_MS, () =>
    Promise.all([
      made('Temporal', () => checkServer(client)),
      made('namespace', () => checkNamespace(client)),
      made('search attributes', () => checkAttributes(client)),
      ...queues.accounts.map((account) =>
        made(queues.accounts.length === 1 ? 'workers' : `${account}: workers`, () =>
          checkWorkers(client, { ...queues, account }),
        ),
      ),
      made('version', () => checkCode(client, queues)),
    ]),
  );
}

/** A check that cannot be made says so. */
async function made(name: string, check: () => Promise<Omit<Check, 'name'>>): Promise<Check> {
  try {
    return { name, ...(await check()) };
  } catch (error) {
    return { name, ...whyNot(error) };
  }
}

function whyNot(error: unknown): Omit<Check, 'name'> {
  const code = grpcCodeOf(error);
  if (code === GrpcCode.permissionDenied || code === GrpcCode.unauthenticated) {
    return {
      state: 'unknown',
      text: 'cannot be checked: the Temporal server does not allow it to this client',
    };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { state: 'unknown', text: `cannot be checked: ${reason}` };
}

async function checkServer({ workflowService }: Client): Promise<Omit<Check, 'name'>> {
  const { serverVersion } = await workflowService.getSystemInfo({});
  return { state: 'ok', text: `answers, version ${serverVersion}` };
}

async function checkNamespace({ workflowService, options }: Client): Promise<Omit<Check, 'name'>> {
  const { namespace } = options;
  try {
    const { config } = await workflowService.describeNamespace({ namespace });
    const seconds = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0);
    const kept = formatDuration(seconds * 1_000);
    return { state: 'ok', text: `"${namespace}" exists; ended runs are kept for ${kept}` };
  } catch (error) {
    if (grpcCodeOf(error) !== GrpcCode.notFound) throw error;
    return {
      state: 'fault',
      text: `"${namespace}" does not exist on this server`,
      advice: `name another (--namespace, TEMPORAL_NAMESPACE), or create it: temporal operator namespace create --namespace ${namespace}`,
    };
  }
}

async function checkAttributes(client: Client): Promise<Omit<Check, 'name'>> {
  const { namespace } = client.options;
  const { operatorService } = client.connection;
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const names = Object.values(SearchAttribute);
  const missing = names.filter((name) => !(name in customAttributes));
  if (missing.length === 0) return { state: 'ok', text: names.join(', ') };
  return {
    state: 'fault',
    text: `missing: ${missing.join(', ')}. Runs work, but nobody can search them by phase, account or resource`,
    advice: `create them, then start the workers again: ${CREATE_SEARCH_ATTRIBUTES} --namespace ${namespace}`,
  };
}

interface CheckedCode {
  /** Queue of the workflows. */
  taskQueue: string;
  /**
   * Checksums by which the workers of this version sign their code, one for each variant. Empty or `undefined` when this
   * program does not know them.
   */
  build?: string | readonly string[] | undefined;
}

async function checkWorkers(
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
async function checkCode(client: Client, queues: CheckedCode): Promise<Omit<Check, 'name'>> {
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
