import proto from '@temporalio/proto';

import { randomnessSeed } from '../sip-hash.js';
import type { Command } from '../messages.js';
import { CancelExternalMachine } from './external.js';
import { EMPTY_CANCEL, LocalActivityMachine } from './local-activity.js';
import { annotate, fatal, nondeterminism, type Machine, type Response } from './machine.js';
import { RecordedMachine, UPSERT_SEARCH_ATTRIBUTES } from './recorded.js';
import type { RunState } from './run-state.js';

const { CommandType } = proto.temporal.api.enums.v1;

/** Does what a machine wants. */
export function applyResponses(
  run: RunState,
  machine: Machine,
  responses: readonly Response[],
): void {
  for (const response of responses) applyResponse(run, machine, response);
}

function applyResponse(run: RunState, machine: Machine, response: Response): void {
  switch (response.kind) {
    case 'job':
      if (!run.ownMachines.has(machine)) run.jobs.push(response.job);
      return;
    case 'command':
      run.newCommands.push({ command: response.command, machine });
      return;
    case 'message':
      run.say(response.message);
      return;
    case 'coreCommand':
      addCoreCommand(run, response);
      return;
    case 'taskStarted':
      taskStarted(run, response);
      return;
    case 'reset':
      run.jobs.push({ updateRandomSeed: { randomnessSeed: randomnessSeed(response.runId) } });
      return;
    case 'time':
      run.moveTime(response.time);
      return;
    case 'queueLocalActivity':
    case 'cancelLocalActivity':
    case 'abandonLocalActivity':
      applyLocal(run, machine, response);
  }
}

function addCoreCommand(
  run: RunState,
  { command, annotations }: Extract<Response, { kind: 'coreCommand' }>,
): void {
  const machine = machineFor(command);
  if (machine instanceof CancelExternalMachine) run.ownMachines.add(machine);
  run.newCommands.push({ command: annotate(command, annotations), machine });
}

type LocalResponse = Extract<
  Response,
  { kind: 'queueLocalActivity' | 'cancelLocalActivity' | 'abandonLocalActivity' }
>;

function applyLocal(run: RunState, machine: Machine, response: LocalResponse): void {
  if (response.kind === 'queueLocalActivity') run.localActivities.enqueue(response.activity);
  else if (response.kind === 'abandonLocalActivity') run.localActivities.done(response.seq);
  else cancelLocalActivity(run, machine, response.seq);
}

/** Its end may be known already, or it may not have begun yet. Else the manager is asked. */
function cancelLocalActivity(run: RunState, machine: Machine, seq: number): void {
  if (!(machine instanceof LocalActivityMachine)) {
    throw fatal('A non local-activity machine returned a request cancel LA response');
  }
  const known = run.localActivities.takeKnown(seq);
  if (known !== undefined) {
    applyResponses(run, machine, machine.resolveKnown(known));
    return;
  }
  const queued = run.localActivities.takeRequest(seq);
  if (queued === undefined) {
    run.localActivities.enqueueCancel(seq);
    return;
  }
  const { attempt, originalScheduleTime } = queued;
  const resolution = { result: EMPTY_CANCEL, attempt, backoffMs: undefined, originalScheduleTime };
  applyResponses(run, machine, machine.resolve(resolution, 0));
}

function machineFor(command: Command): Machine {
  if (command.commandType === CommandType.COMMAND_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES) {
    return new RecordedMachine(UPSERT_SEARCH_ATTRIBUTES);
  }
  return new CancelExternalMachine(0);
}

function taskStarted(
  run: RunState,
  { eventId, time }: Extract<Response, { kind: 'taskStarted' }>,
): void {
  run.currentStartedId = eventId;
  run.moveTime(time);
  if (run.isReplaying) return;
  // What still waits for a marker will get none: it runs now.
  const starts = run.localMachines.map(
    (machine) => [machine, machine.encounteredNonReplayTask()] as const,
  );
  for (const [machine, responses] of starts) applyResponses(run, machine, responses);
}

/** Ends that the history has, until one of an activity that lang has not asked for yet. */
export function applyKnownLocalActivities(run: RunState): void {
  for (;;) {
    const seq = run.localActivities.nextKnown();
    if (seq === undefined) return;
    const machine = run.findNumbered('local', seq);
    if (machine === undefined) return;
    const resolution = run.localActivities.takeKnown(seq);
    if (!(machine instanceof LocalActivityMachine) || resolution === undefined) {
      throw nondeterminism(
        'Peeked local activity marker but the associated machine was of the wrong type',
      );
    }
    applyResponses(run, machine, machine.resolveKnown(resolution));
  }
}
