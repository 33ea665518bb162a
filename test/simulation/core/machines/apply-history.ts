import proto from '@temporalio/proto';

import {
  idOf,
  initialEventId,
  isCommandEvent,
  isFinalEvent,
  isIgnorable,
  type CompletedAttributes,
} from '../workflow/history-events.js';
import { randomnessSeed } from '../sip-hash.js';
import { initializeWorkflow } from './initialize-workflow.js';
import { or, orNull, type HistoryEvent, type Job } from '../messages.js';
import { applyKnownLocalActivities, applyResponses } from './apply-responses.js';
import { LocalActivityMachine, toResolution } from './local-activity.js';
import { describe, fatal, nondeterminism, type Machine } from './machine.js';
import { isLocalActivityMarker, localActivityOf, patchOf } from './markers.js';
import { CHANGE_VERSION, PatchMachine } from './patch.js';
import { WorkflowTaskMachine } from './recorded.js';
import { messageOfEvent, UpdateMachine, type IncomingMessage } from './update.js';
import type { RunState } from './run-state.js';

const { EventType } = proto.temporal.api.enums.v1;

/**
 * Applies the next workflow task of the history as a whole, and looks ahead to the next one for what lang is to know before
 * it goes on. Says how many events there were.
 */
export function applyNextTask(run: RunState): number {
  if (run.hasSeenEnd) {
    run.isReplaying = false;
    return 0;
  }
  const from = run.currentStartedId;
  const next = run.history.takeNext(from);
  if (next.kind === 'needFetch') {
    throw fatal('Need to fetch history events to continue applying workflow task');
  }
  const isLast = next.kind === 'replayOver' || next.isLast;
  const taken = next.kind === 'task' ? next.events : [];
  const events = taken.filter((event) => idOf(event) > run.lastProcessedEvent);
  peekCompletions(run, events);
  if (events.length === 0) run.isReplaying = false;
  const last = events.at(-1);
  if (last?.eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED)
    run.nextStartedId = idOf(last);
  const admitted = new Map<string, IncomingMessage>();
  applyEvents(run, events, { isLast, admitted });
  lookAhead(run, from, admitted);
  return events.length;
}

/** What the completions of this task and of the next one say of flags and of versions. */
function peekCompletions(run: RunState, events: readonly HistoryEvent[]): void {
  const completions = events.map((event) => event.workflowTaskCompletedEventAttributes);
  const last = events.at(-1);
  if (last !== undefined) completions.push(run.history.peekNextCompleted(idOf(last)));
  for (const completed of completions) {
    if (!completed) continue;
    run.flags.addFromCompleted(completed);
    const version = versionOf(completed);
    if (version.buildId !== '' || version.deploymentName !== '') run.deploymentVersion = version;
  }
}

function versionOf(completed: CompletedAttributes): { buildId: string; deploymentName: string } {
  const { deploymentVersion, workerVersion, workerDeploymentName } = completed;
  return {
    buildId: or(deploymentVersion?.buildId, or(workerVersion?.buildId, '')),
    deploymentName: or(deploymentVersion?.deploymentName, or(workerDeploymentName, '')),
  };
}

interface Applying {
  isLast: boolean;
  /** Updates that the history has admitted and not accepted yet. */
  admitted: Map<string, IncomingMessage>;
}

function applyEvents(
  run: RunState,
  events: readonly HistoryEvent[],
  { isLast, admitted }: Applying,
): void {
  let handles = true;
  for (const [index, event] of events.entries()) {
    const id = idOf(event);
    if (id !== run.lastProcessedEvent + 1) {
      throw fatal(
        `History is out of order. Last processed event: ${run.lastProcessedEvent}, event id: ${id}`,
      );
    }
    if (run.isReplaying && isLast && endsReplay(run, event)) run.isReplaying = false;
    if (event.workflowExecutionUpdateAdmittedEventAttributes) {
      const message = messageOfEvent(event);
      if (run.isReplaying) admitted.set(message.protocolInstanceId, message);
      else run.messages.push(message);
      handles = false;
    }
    handleMessagesBefore(run, id);
    const skipsNext: boolean =
      handles && handleEvent(run, event, { next: events[index + 1], isLast });
    handles = !skipsNext;
    run.lastProcessedEvent = id;
  }
}

/** Replay is over with the first event of the last task that lang and core have not made. */
function endsReplay(run: RunState, event: HistoryEvent): boolean {
  return (
    idOf(event) > run.history.place.previousStartedId &&
    event.eventType !== EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED &&
    !isCommandEvent(event)
  );
}

function handleMessagesBefore(run: RunState, eventId: number): void {
  if (run.messages.length === 0) return;
  const isDue = ({ eventId: after }: IncomingMessage): boolean =>
    after !== undefined && after <= eventId - 1;
  const due = run.messages.filter(isDue);
  run.messages = run.messages.filter((message) => !isDue(message));
  for (const message of due) handleMessage(run, message);
}

function handleMessage(run: RunState, message: IncomingMessage): void {
  const machine = new UpdateMachine(message);
  run.machinesByInstance.set(message.protocolInstanceId, machine);
  applyResponses(run, machine, [machine.begin(run.isReplaying)]);
}

interface Around {
  next: HistoryEvent | undefined;
  isLast: boolean;
}

/** True if the next event is to be skipped. */
function handleEvent(run: RunState, event: HistoryEvent, around: Around): boolean {
  if (isFinalEvent(event)) run.hasSeenEnd = true;
  if (isIgnorable(event)) return false;
  if (ENDED_FROM_OUTSIDE.has(event.eventType ?? 0)) {
    if (around.next === undefined && around.isLast) return false;
    throw fatal(
      'Machines were fed a history which has an event after workflow execution was terminated!',
    );
  }
  if (isCommandEvent(event)) return handleCommandEvent(run, event, around);
  const started = event.workflowTaskStartedEventAttributes;
  if (started) run.taskStarted = started;
  const initial = initialEventId(event);
  if (initial === undefined) {
    handleOtherEvent(run, event);
    return false;
  }
  const machine = run.machinesByEventId.get(initial);
  if (machine === undefined) {
    throw nondeterminism(
      `During event handling, this event had an initial command ID but we could not find a matching command for it: ${describe(event)}`,
    );
  }
  applyResponses(run, machine, machine.handleEvent(event, around.isLast));
  return false;
}

const ENDED_FROM_OUTSIDE: ReadonlySet<number> = new Set([
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT,
]);

/** The event of a command is of the next command that lang has given. */
function handleCommandEvent(run: RunState, event: HistoryEvent, around: Around): boolean {
  if (isLocalActivityMarker(event) && handleKnownMarker(run, event, around)) return false;
  for (;;) {
    const [first] = run.commands;
    const handling = patchHandling(event, first?.machine, around.next);
    if (handling === 'skipCommand') {
      run.commands.shift();
      continue;
    }
    if (handling !== 'normal') return handling === 'skipTwoEvents';
    run.commands.shift();
    if (first === undefined)
      throw nondeterminism(`No command scheduled for event ${describe(event)}`);
    if (first.machine.wasCancelledBeforeSent()) continue;
    const { machine } = first;
    applyResponses(run, machine, machine.handleEvent(event, around.isLast));
    if (!machine.isFinal()) run.machinesByEventId.set(idOf(event), machine);
    return false;
  }
}

/** The marker of a local activity that was resolved when core looked ahead has no command any more. */
function handleKnownMarker(run: RunState, event: HistoryEvent, around: Around): boolean {
  const marker = localActivityOf(event);
  if (marker === undefined) throw fatal(`Local activity marker was unparsable: ${describe(event)}`);
  const machine = run.numbered('local', marker.seq);
  if (!(machine instanceof LocalActivityMachine)) {
    throw fatal(
      `Encountered local activity marker but the associated machine was of the wrong type! ${describe(event)}`,
    );
  }
  if (!machine.isMarkerSpecial()) return false;
  applyResponses(run, machine, machine.handleEvent(event, around.isLast));
  return true;
}

type PatchHandling = 'normal' | 'skipCommand' | 'skipEvent' | 'skipTwoEvents';

/** Markers of patches that the code no longer has may be passed over, if they are deprecated. */
function patchHandling(
  event: HistoryEvent,
  machine: Machine | undefined,
  next: HistoryEvent | undefined,
): PatchHandling {
  const patch = patchOf(event);
  const isPatchMachine = machine instanceof PatchMachine;
  if (patch === undefined) return isPatchMachine ? 'skipCommand' : 'normal';
  if (isPatchMachine && (!patch.deprecated || machine.patchId === patch.id)) return 'normal';
  if (!patch.deprecated) {
    throw nondeterminism(
      `Non-deprecated patch marker encountered for change ${patch.id}, but there is no corresponding change command!`,
    );
  }
  const fields =
    next?.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes?.indexedFields;
  return fields?.[CHANGE_VERSION] === undefined ? 'skipEvent' : 'skipTwoEvents';
}

function handleOtherEvent(run: RunState, event: HistoryEvent): void {
  const { workflowExecutionStartedEventAttributes: started } = event;
  if (started) {
    run.handleStarted(event, started);
    const seed = randomnessSeed(or(started.originalExecutionRunId, ''));
    const job = initializeWorkflow(event, { workflowId: run.workflowId, seed });
    run.jobs.push({ initializeWorkflow: job });
  } else if (event.eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED) {
    const machine = new WorkflowTaskMachine(run.nextStartedId);
    applyResponses(run, machine, machine.handleEvent(event, false));
    run.machinesByEventId.set(idOf(event), machine);
  } else run.jobs.push(jobOf(event));
}

/** What came to the run from outside. */
function jobOf(event: HistoryEvent): Job {
  const { workflowExecutionSignaledEventAttributes: signaled } = event;
  const { workflowExecutionCancelRequestedEventAttributes: asked } = event;
  if (asked) return { cancelWorkflow: { reason: or(asked.cause, '') } };
  if (!signaled) {
    throw fatal(
      `The event is not a non-stateful event, but we tried to handle it as one: ${describe(event)}`,
    );
  }
  return {
    signalWorkflow: {
      signalName: or(signaled.signalName, ''),
      input: or(signaled.input?.payloads, []),
      identity: or(signaled.identity, ''),
      headers: or(signaled.header?.fields, {}),
      originatingEventId: orNull(event.eventId),
    },
  };
}

/**
 * Patches, local activities and updates of the commands that follow this task were known to lang when it handled the task, so
 * it gets them now.
 */
function lookAhead(run: RunState, from: number, admitted: Map<string, IncomingMessage>): void {
  const later: (() => void)[] = [];
  for (const event of run.history.peekNext(from)) {
    const patch = patchOf(event);
    if (patch !== undefined) {
      run.patches.set(patch.id, { hasCommand: false });
      run.jobs.push({ notifyHasPatch: { patchId: patch.id } });
    } else if (isLocalActivityMarker(event)) {
      later.push(() => {
        addKnownMarker(run, event);
      });
    } else if (event.workflowExecutionUpdateAcceptedEventAttributes) {
      const { protocolInstanceId } = event.workflowExecutionUpdateAcceptedEventAttributes;
      const message = admitted.get(protocolInstanceId ?? '') ?? messageOfEvent(event);
      admitted.delete(protocolInstanceId ?? '');
      later.push(() => {
        handleMessage(run, message);
      });
    }
  }
  for (const act of later) act();
}

function addKnownMarker(run: RunState, event: HistoryEvent): void {
  const marker = localActivityOf(event);
  if (marker === undefined) throw fatal(`Local activity marker was unparsable: ${describe(event)}`);
  const machine = run.findNumbered('local', marker.seq);
  const accepts =
    machine === undefined || (machine instanceof LocalActivityMachine && machine.acceptsMarker());
  if (!accepts) return;
  run.localActivities.addKnown(marker.seq, toResolution(marker));
  applyKnownLocalActivities(run);
}
