import { Option } from 'commander';

import { Operation, operationSchemas } from '../../../contract/index.js';
import { CliError, ExitCode } from '../../cli-error.js';
import { checkInput, readInput } from '../../input/read-input.js';
import { EXAMPLE_FILE } from '../../own-package.js';
import type { Cli } from '../../cli.js';
import type { RunningStack } from '../../services.js';
import { atServer, type Session } from '../../session.js';
import { createHint } from '../../hint.js';
import { temporalUrlOf } from '../../dev-gateway.js';
import { waitForAbort } from '../../cli-io.js';
import { clientOf, compareWithPlain, counted, loseNextAnswer } from './compare.js';
import { provision, provisionWorkflowId, type Provision } from '../provision.js';

const SPEED = 10;

interface DemoOptions {
  keep?: boolean;
  loseAnswer?: boolean;
  compare?: boolean;
}

export function addDemo({ program, services, session }: Cli): void {
  program
    .command('demo')
    .description('create an instance at a simulated API; needs no setup')
    .option('--keep', 'keep everything running afterwards, until Ctrl-C')
    .option('--lose-answer', 'the API creates the instance, but its answer is lost')
    .addOption(
      new Option(
        '--compare',
        'with a lost answer each: a client that sends again, then a run',
      ).conflicts('loseAnswer'),
    )
    .action(async ({ keep = false, ...ways }: DemoOptions) => {
      const current = session();
      const stack = await services.startLocalStack({
        speed: SPEED,
        onProgress: current.progress.notice,
      });
      const interrupted = current.io.interrupted();
      try {
        const workflowId = await wayOf(ways)(stack, current);
        if (keep) await keepRunning(stack, current, workflowId);
      } catch (error) {
        throw interrupted.aborted ? demoStopped() : error;
      } finally {
        await stack.close();
      }
      if (!keep) sayNextSteps(current);
    });
}

function wayOf({ compare = false, loseAnswer = false }: DemoOptions): typeof provisionAt {
  if (compare) return compareAt;
  return loseAnswer ? loseAnswerAt : provisionAt;
}

/** Creates the instance, prints what it is, and returns the id of the run. */
async function provisionAt(stack: RunningStack, session: Session): Promise<string> {
  const request = await newRequest(session);
  await provisionOnce(stack, { ...session, printJson: printSummary(session) }, request);
  return provisionWorkflowId(request);
}

async function compareAt(stack: RunningStack, session: Session): Promise<string> {
  const request = await newRequest(session);
  const quiet = { ...session, printJson: () => undefined };
  await compareWithPlain({
    stack,
    session,
    input: request.input,
    run: () => provisionOnce(stack, quiet, request),
  });
  return provisionWorkflowId(request);
}

async function loseAnswerAt(stack: RunningStack, session: Session): Promise<string> {
  await loseNextAnswer(stack);
  const workflowId = await provisionAt(stack, session);
  const ids = await clientOf(stack, session).instances();
  session.progress.notice(`The answer to the create was lost. There exist: ${counted(ids)}`);
  return workflowId;
}

async function newRequest({ io }: Session): Promise<Provision> {
  const json = await readInput(EXAMPLE_FILE, io);
  const input = checkInput(operationSchemas[Operation.provisionInstance].input, json);
  // Each demo creates a new machine, even on a Temporal server with earlier demos.
  const requestId = `demo-${io.clock.now().toString(36)}`;
  return { input, requestId, wait: true };
}

async function provisionOnce(
  { temporal, uiUrl, stopped }: RunningStack,
  session: Session,
  request: Provision,
): Promise<void> {
  const { progress } = session;
  progress.notice(
    `Creating the instance of examples/provision-instance.json, ${SPEED} times as fast as the real API`,
  );
  if (uiUrl !== undefined) {
    const url = temporalUrlOf(uiUrl, temporal.namespace)(provisionWorkflowId(request));
    progress.notice(`Watch it in the Temporal UI: ${url}`);
  }
  const workerEnded = stopped.then(() => {
    throw new Error('The worker of the demo ended before the run.');
  });
  await Promise.race([provision(atServer(session, temporal), request), workerEnded]);
}

/** The whole result has a ledger of 50 lines. */
function printSummary(session: Session) {
  return (result: unknown): void => {
    const { instanceId, name, status, addresses } =
      operationSchemas.provisionInstance.result.parse(result);
    session.printJson({ instanceId, name, status, address: addresses[0]?.address });
  };
}

async function keepRunning(
  { temporal, stopped }: RunningStack,
  { io, progress }: Session,
  workflowId: string,
): Promise<void> {
  const address = temporal.connectionOptions.address ?? 'localhost:7233';
  const hint = createHint(io, { address, namespace: temporal.namespace ?? 'default' });
  const next = [
    'The instance is verified. Everything keeps running until Ctrl-C. In a second terminal:',
    `  ${hint('explain', workflowId)}`,
    `  ${hint('result', workflowId)}`,
  ];
  for (const line of next) progress.notice(line);
  await Promise.race([waitForAbort(io.interrupted()), stopped]);
  progress.notice('Stopping.');
}

function sayNextSteps({ hint, progress }: Session): void {
  const next = [
    'The instance is verified. The demo has stopped everything, so the link above is dead. Next:',
    `  ${hint('demo', '--keep')}   the same, and the link stays alive until Ctrl-C`,
    `  ${hint('dev')}           for runs of your own, with state that stays`,
  ];
  for (const line of next) progress.notice(line);
}

function demoStopped(): CliError {
  return new CliError({
    type: 'Interrupted',
    message: 'The demo was stopped, together with everything that it had started.',
    advice: 'start it again at any time',
    exitCode: ExitCode.detached,
  });
}
