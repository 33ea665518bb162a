import type { coresdk, temporal } from '@temporalio/proto';

import { InternalFlags, type SdkVersion } from '../workflow/internal-flags.js';
import { HistoryUpdate } from '../workflow/history-update.js';
import { isBefore, type Timestamp } from '../timestamps.js';
import {
  type Activation,
  type Annotations,
  type Command,
  type CompletedMetadata,
  type HistoryEvent,
  type Job,
  type LangCommand,
  type Message,
  type Payload,
} from '../messages.js';
import { applyLangCommands } from './lang-commands.js';
import { applyNextTask } from './apply-history.js';
import { applyResponses } from './apply-responses.js';
import { LocalActivityData, type LocalRequest } from './local-activity-data.js';
import { LocalActivityMachine, type Resolution } from './local-activity.js';
import { annotate, fatal, nondeterminism, type Machine } from './machine.js';
import type { IncomingMessage, UpdateMachine } from './update.js';

export type DeploymentVersion = coresdk.common.IWorkerDeploymentVersion;

/** What all runs of a worker share. */
export interface RunBasics {
  readonly namespace: string;
  readonly taskQueue: string;
  readonly deploymentVersion: DeploymentVersion | undefined;
  readonly sdk: SdkVersion;
  readonly canWriteMetadata: boolean;
  now(): Timestamp;
}

export interface CommandOf {
  command: Command;
  machine: Machine;
}

type StartedAttributes = temporal.api.history.v1.IWorkflowExecutionStartedEventAttributes;

/** Kinds of things that lang names by a number of its own. */
export type Numbered = 'timer' | 'activity' | 'local' | 'child' | 'signal' | 'cancel';

/** Drives one run: history in, activations for lang out; commands of lang in, commands for the server out. */
export class WorkflowMachines {
  readonly basics: RunBasics;
  readonly workflowId: string;
  readonly workflowType: string;
  readonly runId: string;
  readonly flags: InternalFlags;
  readonly localActivities = new LocalActivityData();

  history = new HistoryUpdate([], { previousStartedId: -1, startedId: -1 }, NOTHING);
  messages: IncomingMessage[] = [];
  /** The last started event that was handled. */
  currentStartedId = 0;
  nextStartedId = 0;
  lastProcessedEvent = 0;
  isReplaying = false;
  hasSeenEnd = false;
  /** Lang has ended the run. */
  isFinished = false;
  time: Timestamp | undefined;
  started: StartedAttributes | undefined;
  searchAttributes: Record<string, Payload> = {};
  /** What the last started workflow task said of the history. */
  taskStarted: temporal.api.history.v1.IWorkflowTaskStartedEventAttributes = {};
  deploymentVersion: DeploymentVersion | undefined;

  jobs: Job[] = [];
  /** Commands that wait for their event. */
  commands: CommandOf[] = [];
  /** Commands of the current activation. */
  newCommands: CommandOf[] = [];
  outbox: Message[] = [];
  /** Patches of this run, and whether lang has asked for them. */
  readonly patches = new Map<string, { hasCommand: boolean }>();
  readonly machinesByEventId = new Map<number, Machine>();
  readonly machinesByInstance = new Map<string, UpdateMachine>();
  readonly localMachines: LocalActivityMachine[] = [];
  /** Made by core: lang knows nothing of them. */
  readonly ownMachines = new WeakSet<Machine>();
  readonly #numbered = new Map<string, Machine>();

  constructor(basics: RunBasics, run: { workflowId: string; workflowType: string; runId: string }) {
    this.basics = basics;
    this.workflowId = run.workflowId;
    this.workflowType = run.workflowType;
    this.runId = run.runId;
    this.flags = new InternalFlags(basics.canWriteMetadata, basics.sdk);
  }

  newWorkFromServer(update: HistoryUpdate, messages: IncomingMessage[]): void {
    this.messages = messages;
    this.newHistory(update);
  }

  newHistory(update: HistoryUpdate): void {
    this.history = update;
    this.isReplaying = update.place.previousStartedId > 0;
    applyNextTask(this);
  }

  /** How many events were applied. */
  applyNextTask(): number {
    return applyNextTask(this);
  }

  canApplyNextTask(): boolean {
    return this.history.canTakeNext(this.currentStartedId);
  }

  /** The jobs that have come together, and what lang is to know with them. */
  takeActivation(): Activation {
    const { jobs } = this;
    this.jobs = [];
    const isReplaying = this.isReplaying || jobs.every((job) => job.queryWorkflow);
    if (!isReplaying) this.deploymentVersion = this.basics.deploymentVersion;
    const { taskStarted } = this;
    return {
      timestamp: this.time ?? null,
      isReplaying,
      runId: this.runId,
      historyLength: this.lastProcessedEvent,
      jobs,
      availableInternalFlags: this.flags.lang(),
      historySizeBytes: taskStarted.historySizeBytes ?? null,
      continueAsNewSuggested: taskStarted.suggestContinueAsNew ?? false,
      deploymentVersionForCurrentTask: this.deploymentVersion ?? null,
      lastSdkVersion: this.flags.lastSdkVersion(),
      suggestContinueAsNewReasons: taskStarted.suggestContinueAsNewReasons ?? [],
      targetWorkerDeploymentVersionChanged:
        taskStarted.targetWorkerDeploymentVersionChanged ?? false,
    };
  }

  hasJobs(): boolean {
    return this.jobs.length > 0;
  }

  hasLocalResolutions(): boolean {
    return this.jobs.some((job) => job.resolveActivity?.isLocal === true);
  }

  /** Takes the answer of lang to an activation. */
  handleCommands(commands: readonly LangCommand[]): void {
    applyLangCommands(this, commands);
    this.applyKnownLocalActivities();
    this.#prepareCommands();
  }

  /** An end of a local activity that ran here. */
  resolveLocalActivity(
    seq: number,
    resolution: Omit<Resolution, 'completeTime'>,
    runtimeMs: number,
  ): void {
    const machine = this.numbered('local', seq);
    if (!(machine instanceof LocalActivityMachine)) {
      throw nondeterminism(
        `Command matching activity with seq num ${seq} existed but was not a local activity!`,
      );
    }
    applyResponses(this, machine, machine.resolve(resolution, runtimeMs));
    this.localActivities.done(seq);
  }

  /** Ends that the history has, until one of an activity that lang has not asked for yet. */
  applyKnownLocalActivities(): void {
    for (;;) {
      const seq = this.localActivities.nextKnown();
      if (seq === undefined) return;
      const machine = this.findNumbered('local', seq);
      if (machine === undefined) return;
      const resolution = this.localActivities.takeKnown(seq);
      if (!(machine instanceof LocalActivityMachine) || resolution === undefined) {
        throw nondeterminism(
          'Peeked local activity marker but the associated machine was of the wrong type',
        );
      }
      applyResponses(this, machine, machine.resolveKnown(resolution));
    }
  }

  takeLocalRequests(): LocalRequest[] {
    return this.localActivities.takeAll();
  }

  /** What goes to the server. The commands stay until their events have come. */
  takeForServer(): { commands: Command[]; messages: Message[] } {
    this.flags.writeAllKnown();
    const messages = this.outbox;
    this.outbox = [];
    const commands = this.commands
      .filter(({ machine }) => !machine.isFinal())
      .map(({ command }) => command);
    return { commands, messages };
  }

  takeMetadata(): CompletedMetadata {
    this.deploymentVersion = this.basics.deploymentVersion;
    return this.flags.gatherForCompletion();
  }

  /** Forgets a workflow task that has left nothing in the history, since all it brought was rejected. */
  resetLastStarted(id: number): void {
    this.currentStartedId = id;
    this.lastProcessedEvent -= 2;
    for (const eventId of [...this.machinesByEventId.keys()]) {
      if (eventId > this.lastProcessedEvent) this.machinesByEventId.delete(eventId);
    }
  }

  addCommand(
    { command, machine }: CommandOf,
    annotations: Annotations,
    number?: [Numbered, number],
  ): void {
    if (number !== undefined) this.#numbered.set(number.join(), machine);
    this.newCommands.push({ command: annotate(command, annotations), machine });
  }

  addLocalMachine(machine: LocalActivityMachine): void {
    this.localMachines.push(machine);
    this.#numbered.set(`local,${machine.activity.seq}`, machine);
  }

  findNumbered(kind: Numbered, seq: number): Machine | undefined {
    return this.#numbered.get(`${kind},${seq}`);
  }

  numbered(kind: Numbered, seq: number): Machine {
    const machine = this.findNumbered(kind, seq);
    if (machine === undefined) {
      throw nondeterminism(`Missing associated machine for ${NAMES[kind]}(${seq})`);
    }
    return machine;
  }

  updateMachine(instanceId: string): UpdateMachine {
    const machine = this.machinesByInstance.get(instanceId);
    if (machine === undefined) {
      throw fatal(`Missing associated machine for protocol message ${instanceId}`);
    }
    return machine;
  }

  /** While a run is replayed, the server has had the answer long ago. */
  say(message: Message): void {
    if (!this.isReplaying) this.outbox.push(message);
  }

  /** The time of a workflow never goes back. */
  moveTime(time: Timestamp | null | undefined): void {
    if (!time) return;
    if (this.time === undefined || isBefore(this.time, time)) this.time = time;
  }

  /** Commands of this activation become commands for the server, except those that lang has taken back. */
  #prepareCommands(): void {
    this.commands = this.commands.filter(({ machine }) => !machine.wasCancelledBeforeSent());
    for (;;) {
      const next = this.newCommands.shift();
      if (next === undefined) return;
      if (next.machine.wasCancelledBeforeSent()) continue;
      const responses = next.machine.handleCommand(next.command.commandType ?? 0);
      applyResponses(this, next.machine, responses);
      this.commands.push(next);
    }
  }

  /** The event with which this run began, once it has come. */
  handleStarted(event: HistoryEvent, attributes: StartedAttributes): void {
    this.moveTime(event.eventTime);
    this.started = attributes;
  }
}

const NOTHING = { hasLastTask: false, taskCount: 0 };

const NAMES: Readonly<Record<Numbered, string>> = {
  timer: 'Timer',
  activity: 'Activity',
  local: 'LocalActivity',
  child: 'ChildWorkflowStart',
  signal: 'SignalExternal',
  cancel: 'CancelExternal',
};
