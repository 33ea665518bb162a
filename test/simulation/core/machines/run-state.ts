import type { coresdk, temporal } from '@temporalio/proto';

import { InternalFlags, type SdkVersion } from '../workflow/internal-flags.js';
import { HistoryUpdate } from '../workflow/history-update.js';
import { isBefore, type Timestamp } from '../timestamps.js';
import type { Annotations, Command, HistoryEvent, Job, Message, Payload } from '../messages.js';
import { LocalActivityData } from './local-activity-data.js';
import type { LocalActivityMachine } from './local-activity.js';
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

/** What is known of a run: its machines, what waits for lang and the server, and where in the history it is. */
export class RunState {
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
