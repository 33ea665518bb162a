import type { Command, HistoryEvent, Message } from '../base/proto.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';

/** One answer of a worker to a workflow task, while its commands are carried out. */
export interface CommandContext {
  readonly server: Server;
  readonly execution: Execution;
  readonly identity: string;
  /** Of the completed workflow task. */
  readonly completedEventId: number;
  /** Messages that no command has asked for yet. */
  readonly messages: Map<string, Message>;
  /** The run must hear at once that an activity which had not begun is cancelled. */
  needsWorkflowTask: boolean;
}

/** Carries out one command, and returns the event that it left. */
export type CommandHandler = (
  context: CommandContext,
  command: Command,
) => HistoryEvent | undefined;
