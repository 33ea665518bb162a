import { applyLangCommands } from './lang-commands.js';
import { applyNextTask } from './apply-history.js';
import { applyKnownLocalActivities, applyResponses } from './apply-responses.js';
import type { LocalRequest } from './local-activity-data.js';
import { LocalActivityMachine, type Resolution } from './local-activity.js';
import { nondeterminism } from './machine.js';
import { RunState } from './run-state.js';
import type { IncomingMessage } from './update.js';
import type { HistoryUpdate } from '../workflow/history-update.js';
import type { Activation, Command, CompletedMetadata, LangCommand, Message } from '../messages.js';

/** Drives one run: history in, activations for lang out; commands of lang in, commands for the server out. */
export class WorkflowMachines extends RunState {
  #bringsMessages = false;
  #isLate = false;

  /**
   * The task has brought updates, and the history has gone on without it: the server has given it out again since then. The
   * real core mixes the two too, and so has an update twice, or one that was rejected. The server takes nothing that comes of it.
   */
  get isLate(): boolean {
    return this.#isLate;
  }

  newWorkFromServer(update: HistoryUpdate, messages: IncomingMessage[]): void {
    this.messages = messages;
    this.#bringsMessages = messages.length > 0;
    this.newHistory(update);
  }

  newHistory(update: HistoryUpdate): void {
    this.history = update;
    this.#isLate = this.#bringsMessages && update.lastEventId > update.place.startedId;
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
    applyKnownLocalActivities(this);
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
}
