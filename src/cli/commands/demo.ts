import { Operation, operationSchemas } from '../../contract/index.js';
import type { LocalStack } from '../../dev/local-stack.js';
import { CliError } from '../cli-error.js';
import { EXAMPLE_FILE } from '../input/example-file.js';
import { ExitCode } from '../exit-code.js';
import { checkInput, readInput } from '../input/read-input.js';
import type { Cli } from '../cli.js';
import { atServer, type Session } from '../session.js';
import { provision, provisionWorkflowId, type Provision } from './provision.js';

const SPEED = 3;

export function addDemo({ program, services, session }: Cli): void {
  program
    .command('demo')
    .description('create an instance at a simulated API; needs no setup')
    .action(async () => {
      const current = session();
      const stack = await services.startLocalStack({
        speed: SPEED,
        onProgress: current.progress.notice,
      });
      const interrupted = current.io.interrupted();
      try {
        await provisionAt(stack, current);
      } catch (error) {
        throw interrupted.aborted ? demoStopped() : error;
      } finally {
        await stack.close();
      }
    });
}

async function provisionAt(stack: LocalStack, session: Session): Promise<void> {
  const { temporal, uiUrl } = stack;
  const { io, progress } = session;
  const json = await readInput(EXAMPLE_FILE, io);
  const input = checkInput(operationSchemas[Operation.provisionInstance].input, json);
  // Each demo creates a new machine, even on a Temporal server with earlier demos.
  const requestId = `demo-${io.clock.now().toString(36)}`;
  const request: Provision = { input, requestId, wait: true };
  progress.notice(
    `Creating the instance of examples/provision-instance.json, ${SPEED} times as fast as the real API`,
  );
  if (uiUrl !== undefined) {
    const id = encodeURIComponent(provisionWorkflowId(request));
    progress.notice(
      `Watch it in the Temporal UI: ${uiUrl}/namespaces/${temporal.namespace ?? 'default'}/workflows/${id}`,
    );
  }
  const workerEnded = stack.stopped.then(() => {
    throw new Error('The worker of the demo ended before the run.');
  });
  await Promise.race([provision(atServer(session, temporal), request), workerEnded]);
}

function demoStopped(): CliError {
  return new CliError({
    type: 'Interrupted',
    message: 'The demo was stopped, together with everything that it had started.',
    advice: 'start it again at any time',
    exitCode: ExitCode.detached,
  });
}
