import { requestIdFrom } from '../../../src/client/operations.js';
import { parseOperationInput } from '../../../src/gateway/read-request.js';
import { pass, type Clock } from '../time/clock.js';
import type { Draw } from '../time/draw.js';
import type { Gathering } from './gathering.js';
import type { Request } from './requests.js';
import type { Story } from './story.js';
import type { World } from './world.js';

interface ScheduleOptions {
  world: Pick<World, 'gcore' | 'server'>;
  clock: Clock;
  story: Story;
  gathering: Pick<Gathering, 'started'>;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * Somebody has Temporal start a request again and again, triggers it by hand too, and deletes the schedule in the end. Never
 * rejects: a refusal is an answer.
 */
export async function runOnSchedule(
  options: ScheduleOptions,
  request: Request,
  draw: Draw,
): Promise<void> {
  const { world, clock, story } = options;
  const { operation, input } = request;
  const parsed = parseOperationInput(operation, input);
  const scheduleId = requestIdFrom(operation, parsed) ?? request.requestId ?? 'nightly';
  const { schedules } = world.gcore;
  const say = (what: string): void => {
    story.tell('caller', `schedule ${scheduleId}: ${what}`);
  };
  try {
    // One that cancels would do so for nobody who could be named.
    const overlap = draw.pick(['skip', 'wait', 'wait-all', 'allow'] as const);
    await schedules.create(operation, { scheduleId, input: parsed, every: '10 minutes', overlap });
    say(`${operation} every 10 minutes, overlap ${overlap}`);
    const triggers = Array.from({ length: draw.number(1, 3) }, async () => {
      await pass(clock, draw.number(0, 1_500));
      say(`triggered: ${JSON.stringify(await schedules.trigger(scheduleId))}`);
    });
    await Promise.all(triggers);
    await pass(clock, draw.pick([0, 12, 25]) * MINUTE);
    await schedules.delete(scheduleId);
    say('deleted');
    // What waited for its turn is not started any more.
    await pass(clock, 5 * SECOND);
  } catch (error) {
    say(`refused: ${String(error).slice(0, 200)}`);
  }
  noteRuns(options, request, scheduleId);
}

/** Whose runs these are: each is a request of its own. */
function noteRuns({ world, gathering }: ScheduleOptions, request: Request, scheduleId: string) {
  for (const { workflowId, runId, type } of world.server.executions()) {
    if (type !== request.operation || !workflowId.includes(`/${scheduleId}-20`)) continue;
    gathering.started({ ...request }, { workflowId, runId, outcome: 'started' });
  }
}
