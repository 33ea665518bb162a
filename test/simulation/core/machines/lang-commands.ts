import proto from '@temporalio/proto';
import type { coresdk } from '@temporalio/proto';

import { or, orNull, type Annotations, type Command, type LangCommand } from '../messages.js';
import { ActivityMachine, scheduleActivityCommand } from './activity.js';
import { applyResponses } from './apply-responses.js';
import { ChildWorkflowMachine } from './child-workflow.js';
import { CancelExternalMachine, signalExternalCommand, SignalExternalMachine } from './external.js';
import { LocalActivityMachine } from './local-activity.js';
import { fatal, nondeterminism, type Machine, type Response, type Table } from './machine.js';
import { CHANGE_VERSION, patchCommand, PatchMachine, upsertOfPatch } from './patch.js';
import {
  CANCEL_WORKFLOW,
  cancelWorkflowCommand,
  COMPLETE_WORKFLOW,
  completeWorkflowCommand,
  CONTINUE_AS_NEW,
  continueAsNewCommand,
  FAIL_WORKFLOW,
  failWorkflowCommand,
  MODIFY_PROPERTIES,
  RecordedMachine,
  startChildCommand,
  UPSERT_SEARCH_ATTRIBUTES,
} from './recorded.js';
import { readLocalActivity } from './schedule-local-activity.js';
import { startTimerCommand, TimerMachine } from './timer.js';
import type { RunState } from './run-state.js';

const { CommandType } = proto.temporal.api.enums.v1;
const { VersioningIntent } = proto.coresdk.common;

/** What is done with one kind of command. */
type Handler<K extends keyof LangCommand> = (
  run: RunState,
  asked: NonNullable<LangCommand[K]>,
  annotations: Annotations,
) => void;

/** Does it, if the command is of this kind. */
type Step = (run: RunState, command: LangCommand, annotations: Annotations) => boolean;

function on<K extends keyof LangCommand>(name: K, act: Handler<K>): Step {
  return (run, command, annotations) => {
    const asked = command[name];
    if (!asked) return false;
    act(run, asked, annotations);
    return true;
  };
}

const STEPS: readonly Step[] = [
  on('startTimer', (run, asked, annotations) => {
    const machine = new TimerMachine(asked.seq ?? 0, annotations);
    const command = startTimerCommand(asked);
    run.addCommand({ command, machine }, annotations, ['timer', asked.seq ?? 0]);
  }),
  on('cancelTimer', (run, asked, annotations) => {
    cancel(run, run.numbered('timer', asked.seq ?? 0), (machine) =>
      machine instanceof TimerMachine ? machine.cancel(annotations) : undefined,
    );
  }),
  on('scheduleActivity', (run, asked, annotations) => {
    const isCompatible = staysInVersion(run, asked.versioningIntent, asked.taskQueue);
    const machine = new ActivityMachine(asked, run.flags, annotations);
    const command = scheduleActivityCommand(asked, isCompatible);
    run.addCommand({ command, machine }, annotations, ['activity', asked.seq ?? 0]);
  }),
  on('requestCancelActivity', (run, asked, annotations) => {
    cancel(run, run.numbered('activity', asked.seq ?? 0), (machine) =>
      machine instanceof ActivityMachine ? machine.cancel(annotations) : undefined,
    );
  }),
  on('scheduleLocalActivity', (run, asked, annotations) => {
    const activity = readLocalActivity(asked, annotations, run.basics.now());
    const machine = new LocalActivityMachine(activity, {
      isReplaying: run.isReplaying,
      workflowTime: run.time,
      flags: run.flags,
    });
    run.addLocalMachine(machine);
    applyResponses(run, machine, machine.begin());
  }),
  on('requestCancelLocalActivity', (run, asked) => {
    cancel(run, run.numbered('local', asked.seq ?? 0), (machine) =>
      machine instanceof LocalActivityMachine ? machine.cancel() : undefined,
    );
  }),
  on('startChildWorkflowExecution', (run, asked, annotations) => {
    const isCompatible = staysInVersion(run, asked.versioningIntent, asked.taskQueue);
    const machine = new ChildWorkflowMachine(asked, run.flags, annotations);
    const command = startChildCommand(asked, isCompatible);
    run.addCommand({ command, machine }, annotations, ['child', asked.seq ?? 0]);
  }),
  on('cancelChildWorkflowExecution', (run, asked, annotations) => {
    cancel(run, run.numbered('child', asked.childWorkflowSeq ?? 0), (machine) =>
      machine instanceof ChildWorkflowMachine
        ? machine.cancel(asked.reason ?? '', annotations)
        : undefined,
    );
  }),
  on('requestCancelExternalWorkflowExecution', (run, asked, annotations) => {
    const target = asked.workflowExecution;
    if (target === null || target === undefined) {
      throw fatal('Cancel external workflow command had no workflow_execution field');
    }
    const command: Command = {
      commandType: CommandType.COMMAND_TYPE_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION,
      requestCancelExternalWorkflowExecutionCommandAttributes: {
        namespace: target.namespace ?? '',
        workflowId: target.workflowId ?? '',
        runId: target.runId ?? '',
        childWorkflowOnly: false,
        reason: `Cancel requested by workflow with run id ${run.runId} with reason: ${asked.reason ?? ''}`,
      },
    };
    const machine = new CancelExternalMachine(asked.seq ?? 0);
    run.addCommand({ command, machine }, annotations, ['cancel', asked.seq ?? 0]);
  }),
  on('signalExternalWorkflowExecution', (run, asked, annotations) => {
    const machine = new SignalExternalMachine(asked.seq ?? 0);
    const command = signalExternalCommand(asked, run.basics.namespace);
    run.addCommand({ command, machine }, annotations, ['signal', asked.seq ?? 0]);
  }),
  on('cancelSignalWorkflow', (run, asked) => {
    cancel(run, run.numbered('signal', asked.seq ?? 0), (machine) =>
      machine instanceof SignalExternalMachine ? machine.cancel() : undefined,
    );
  }),
  on('setPatchMarker', (run, asked, annotations) => {
    setPatchMarker(run, asked, annotations);
  }),
  on('upsertWorkflowSearchAttributes', (run, asked, annotations) => {
    const fields = asked.searchAttributes?.indexedFields ?? {};
    Object.assign(run.searchAttributes, fields);
    const mayUse = run.flags.tryUse('upsertOnPatch', !run.isReplaying);
    const isReserved = mayUse && fields[CHANGE_VERSION] !== undefined;
    const command: Command = {
      commandType: CommandType.COMMAND_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
      upsertWorkflowSearchAttributesCommandAttributes: {
        searchAttributes: { indexedFields: isReserved ? {} : fields },
      },
    };
    run.addCommand(
      { command, machine: new RecordedMachine(UPSERT_SEARCH_ATTRIBUTES) },
      annotations,
    );
  }),
  on('modifyWorkflowProperties', (run, asked, annotations) => {
    const command: Command = {
      commandType: CommandType.COMMAND_TYPE_MODIFY_WORKFLOW_PROPERTIES,
      modifyWorkflowPropertiesCommandAttributes: { upsertedMemo: asked.upsertedMemo ?? null },
    };
    run.addCommand({ command, machine: new RecordedMachine(MODIFY_PROPERTIES) }, annotations);
  }),
  on('completeWorkflowExecution', (run, asked, annotations) => {
    finish(run, { command: completeWorkflowCommand(asked), table: COMPLETE_WORKFLOW }, annotations);
  }),
  on('failWorkflowExecution', (run, asked, annotations) => {
    finish(run, { command: failWorkflowCommand(asked), table: FAIL_WORKFLOW }, annotations);
  }),
  on('cancelWorkflowExecution', (run, asked, annotations) => {
    finish(run, { command: cancelWorkflowCommand(asked), table: CANCEL_WORKFLOW }, annotations);
  }),
  on('continueAsNewWorkflowExecution', (run, asked, annotations) => {
    const isCompatible = staysInVersion(run, asked.versioningIntent, asked.taskQueue);
    const command = continueAsNewCommand(withCurrentValues(run, asked), isCompatible);
    finish(run, { command, table: CONTINUE_AS_NEW }, annotations);
  }),
  on('updateResponse', (run, asked) => {
    const machine = run.updateMachine(asked.protocolInstanceId ?? '');
    applyResponses(run, machine, machine.handleAnswer(asked));
  }),
];

/** Makes the machines of what lang asks for, or tells those that there are. */
export function applyLangCommands(run: RunState, commands: readonly LangCommand[]): void {
  for (const command of commands) {
    const { userMetadata, eventGroupMarkers } = command;
    const annotations = { userMetadata, eventGroupMarkers };
    if (STEPS.some((step) => step(run, command, annotations))) continue;
    throw fatal(`The simulation knows no command such as ${Object.keys(command).join()}`);
  }
}

function cancel(
  run: RunState,
  machine: Machine,
  act: (machine: Machine) => Response[] | undefined,
): void {
  const responses = act(machine);
  if (responses === undefined) {
    throw nondeterminism(
      `Machine was not what it should have been during cancellation: ${machine.name}`,
    );
  }
  applyResponses(run, machine, responses);
}

function finish(
  run: RunState,
  { command, table }: { command: Command; table: Table },
  annotations: Annotations,
): void {
  run.addCommand({ command, machine: new RecordedMachine(table) }, annotations);
  run.isFinished = true;
  run.localActivities.terminate();
}

/** Whether what is begun here stays with workers of the same version. */
function staysInVersion(
  run: RunState,
  intent: coresdk.common.VersioningIntent | null | undefined,
  taskQueue: string | null | undefined,
): boolean {
  if (intent === VersioningIntent.COMPATIBLE) return true;
  if (intent === VersioningIntent.DEFAULT) return false;
  const queue = taskQueue ?? '';
  return queue === '' || queue === run.basics.taskQueue;
}

type ContinueAsNew = coresdk.workflow_commands.IContinueAsNewWorkflowExecution;

/** The next run goes on with what this one has, where lang says nothing else. */
function withCurrentValues(run: RunState, asked: ContinueAsNew): ContinueAsNew {
  const started = or(run.started, {});
  const isBare = Object.keys(or(asked.memo, {})).length === 0;
  const fields = { ...started.searchAttributes?.indexedFields, ...run.searchAttributes };
  const inherited = Object.keys(fields).length === 0 ? null : { indexedFields: fields };
  return {
    ...asked,
    memo: isBare ? orNull(started.memo?.fields) : orNull(asked.memo),
    retryPolicy: or(asked.retryPolicy, orNull(started.retryPolicy)),
    searchAttributes: or(asked.searchAttributes, inherited),
  };
}

function setPatchMarker(
  run: RunState,
  asked: coresdk.workflow_commands.ISetPatchMarker,
  annotations: Annotations,
): void {
  const id = asked.patchId ?? '';
  const known = run.patches.get(id);
  if (known?.hasCommand === true) return;
  const others = [...run.patches]
    .filter(([, { hasCommand }]) => hasCommand)
    .map(([other]) => other);
  const upsert = upsertOfPatch({
    id,
    isReplaying: run.isReplaying,
    isSeen: known !== undefined,
    others,
    flags: run.flags,
    annotations,
  });
  const machine = new PatchMachine(id);
  const command = patchCommand(id, asked.deprecated ?? false);
  run.addCommand({ command, machine }, annotations);
  applyResponses(run, machine, upsert);
  run.patches.set(id, { hasCommand: true });
}
