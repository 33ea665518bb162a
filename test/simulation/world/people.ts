import type { GcoreWorkflows } from '../../../src/client/gcore-workflows.js';
import { parseOperationInput } from '../../../src/gateway/read-request.js';
import type { Clock } from '../time/clock.js';
import type { Draw } from '../time/draw.js';
import { runCommand } from './command-line.js';
import type { AskRecord } from './records.js';
import type { Request } from './requests.js';
import type { Story } from './story.js';

type Ask = AskRecord['what'];

export interface PeopleOptions {
  clock: Clock;
  story: Story;
  gcore: GcoreWorkflows;
  /** Below the product: what an administrator of Temporal does. */
  admin: {
    cancel: (workflowId: string) => Promise<void>;
    terminate: (workflowId: string) => Promise<void>;
    delete: (workflowId: string) => Promise<void>;
    /** @param at of the events to which a run can be reset, as a share of them */
    reset: (workflowId: string, at: number) => Promise<void>;
  };
}

export interface People {
  readonly asks: readonly AskRecord[];
  /** Somebody asks all open runs of a group, by the command of the product. */
  askGroup(what: 'pause' | 'resume' | 'abort' | 'cancel', group: string): Promise<void>;
  /** Somebody asks something of this run. Never rejects: a refusal is an answer. */
  ask(what: Ask, workflowId: string, draw: Draw): Promise<void>;
  /** Somebody cancels a run where Temporal shows it. */
  cancelPast(workflowId: string): Promise<void>;
  /** Somebody resumes a run with another input. */
  correct(workflowId: string, request: Request): Promise<void>;
}

/** What people do with runs, as the commands of the product and of Temporal do it. */
export function createPeople({ clock, story, gcore, admin }: PeopleOptions): People {
  const asks: AskRecord[] = [];
  const acts: Record<Ask, (workflowId: string, draw: Draw) => Promise<unknown>> = {
    pause: (id) => gcore.pause(id),
    resume: (id) => gcore.resume(id),
    abort: (id) => gcore.abort(id),
    cancel: (id) => gcore.cancel(id),
    extend: (id) => gcore.extend(id, { holdFor: '20 minutes' }),
    restore: (id) => gcore.restore(id),
    retry: (id) => gcore.retry(id),
    terminate: admin.terminate,
    delete: admin.delete,
    reset: (id, draw) => admin.reset(id, draw.fraction()),
  };
  const note = async (
    what: Ask,
    workflowId: string,
    act: () => Promise<unknown>,
  ): Promise<void> => {
    const record: AskRecord = { at: clock.now(), what, workflowId, isTaken: true };
    asks.push(record);
    story.tell('operator', `${what} ${workflowId}`);
    try {
      await act();
    } catch (error) {
      record.isTaken = isUnknown(error);
      story.tell('operator', `${what} ${workflowId}: ${messageOf(error)}`);
    }
  };
  return {
    asks,
    async askGroup(what, group) {
      const record: AskRecord = {
        at: clock.now(),
        what,
        workflowId: `--group ${group}`,
        isTaken: false,
      };
      asks.push(record);
      story.tell('operator', `${what} --group ${group}`);
      const { exitCode, stdout, stderr } = await runCommand(what, '--group', group, '--yes');
      record.isTaken = exitCode === 0;
      record.endedAt = clock.now();
      story.tell(
        'operator',
        `${what} --group ${group}: exit code ${exitCode}, ${stdout.replaceAll('\n', '; ')} ${exitCode === 0 ? '' : stderr}`,
      );
    },
    ask: (what, workflowId, draw) => note(what, workflowId, () => acts[what](workflowId, draw)),
    cancelPast: (workflowId) => note('cancel', workflowId, () => admin.cancel(workflowId)),
    correct: (workflowId, { operation, input }) =>
      note('resume', workflowId, () =>
        gcore.resume(workflowId, { operation, input: parseOperationInput(operation, input) }),
      ),
  };
}

/**
 * Nobody knows whether the run has taken what it did not answer to. A call whose answer was lost is repeated, and meets a run
 * that has ended by it.
 */
function isUnknown(error: unknown): boolean {
  return error instanceof Error && UNKNOWN.has(error.name);
}

const UNKNOWN: ReadonlySet<string> = new Set(['NoAnswerError', 'WorkflowNotFoundError']);

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message.slice(0, 160)}` : String(error);
}

const OFTEN: readonly Ask[] = [
  'pause',
  'resume',
  'abort',
  'cancel',
  'cancel',
  'retry',
  'reset',
  'terminate',
  'delete',
];
const OF_HOLDS: readonly Ask[] = ['extend', 'restore', 'extend', 'restore'];

/** What somebody asks at one moment. Who has paused a run resumes it later. */
export function drawAsk(draw: Draw, { operation, input }: Request): Ask {
  const holds = operation === 'protectIp' && 'holdFor' in input;
  return draw.pick(holds ? [...OFTEN, ...OF_HOLDS] : OFTEN);
}

export function drawAskOfPart(draw: Draw): Ask {
  return draw.pick(OFTEN);
}
