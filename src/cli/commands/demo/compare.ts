import type { ProvisionInstanceInput } from '../../../contract/index.js';
import { createPlainClient, type PlainClient } from '../../../dev/plain-client.js';
import { FaultName } from '../../../contract/wire/fault-names.js';
import type { RunningStack } from '../../services.js';
import type { Session } from '../../session.js';

interface Compared {
  stack: RunningStack;
  session: Session;
  input: ProvisionInstanceInput;
  /** Creates the instance by a run. */
  run: () => Promise<void>;
}

/** Creates an instance twice at the same simulated API, each time with one lost answer, and prints what exists. */
export async function compareWithPlain({ stack, session, input, run }: Compared): Promise<void> {
  const { progress } = session;
  const plain = clientOf(stack, session);
  progress.notice('First by a client that sends again when no answer comes:');
  await loseNextAnswer(stack);
  await plain.create(input.instance);
  const byPlain = await plain.instances();
  progress.notice('Now by a run:');
  await loseNextAnswer(stack);
  await run();
  const byRun = (await plain.instances()).filter((id) => !byPlain.includes(id));
  session.print({ plain: byPlain, provisionInstance: byRun }, [
    'After one lost answer to "create instance" there exist',
    `  by a client that sends again:  ${counted(byPlain)}`,
    `  by provisionInstance:          ${counted(byRun)}`,
  ]);
}

/** A client of the simulated API. */
export function clientOf(
  { simulatorUrl, apiKey, place }: RunningStack,
  session: Session,
): PlainClient {
  const { io, progress } = session;
  return createPlainClient({
    url: simulatorUrl,
    apiKey,
    ...place,
    signal: io.interrupted(),
    say: (message) => {
      progress.notice(`  ${message}`);
    },
  });
}

/** Of the creates of instances. */
export async function loseNextAnswer({ simulatorUrl }: RunningStack): Promise<void> {
  const path = `/simulator/faults/${FaultName.lostCreate}`;
  await fetch(simulatorUrl + path, { method: 'PUT' });
}

export function counted(ids: readonly string[]): string {
  return `${ids.length} ${ids.length === 1 ? 'instance' : 'instances'} (${ids.join(', ')})`;
}
