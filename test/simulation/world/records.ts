import type { Inventory, SimulatorState } from '../../../src/simulator/index.js';
import type { Operation } from '../../../src/contract/wire/names.js';
import type { Strike } from './chaos.js';

/** A call that reached the API, as the API saw it. */
export interface CallRecord {
  at: number;
  method: string;
  /** With its query. */
  path: string;
  body: unknown;
  /** Status of the real answer, whatever its sender has seen. */
  status: number;
  /** Body of the real answer. */
  answer: unknown;
  /** Workflow Id of the run that sent it, from its User-Agent; undefined for another actor or a process itself. */
  workflowId: string | undefined;
  /** Who else sent it: the name of another actor. */
  actor: string | undefined;
  /** An oddity has answered, and the API has done nothing, whatever the status says. */
  hasReachedNothing?: true | undefined;
  /** When its sender sent it, where that was earlier: a late call rests on an older look. */
  sentAt?: number | undefined;
  /** The cloud right before a call that may change something. */
  cloudBefore?: SimulatorState | undefined;
  /** The same right after it. */
  cloudAfter?: SimulatorState | undefined;
}

/** A request that somebody made: one or several starts under one Workflow Id. */
export interface RequestRecord {
  operation: Operation;
  workflowId: string;
  input: object;
  /** Runs that a batch or another run has started, and not a caller. */
  byRun: string | undefined;
  /** When a caller who repeated it heard that it had succeeded before, and that nothing was started. */
  toldDoneAt?: readonly number[];
}

/** Something that a person asked of a run. */
export interface AskRecord {
  at: number;
  what:
    | 'pause'
    | 'resume'
    | 'abort'
    | 'cancel'
    | 'extend'
    | 'restore'
    | 'retry'
    | 'reset'
    | 'terminate'
    | 'delete';
  /** Of one run; for a command about all runs of a label, `--group` and the label. */
  workflowId: string;
  /** Whether the run took it, or the command about a group succeeded. */
  isTaken: boolean;
  /** When the command about a group had ended. */
  endedAt?: number | undefined;
}

/** A run at its end, or at the end of the simulation. */
export interface RunRecord {
  workflowId: string;
  runId: string;
  firstRunId: string;
  operation: string;
  input: unknown;
  /** Those that a correction has replaced: it may have worked on what they name. */
  inputsBefore?: readonly unknown[];
  /** Temporal's word. */
  state:
    'running' | 'completed' | 'failed' | 'cancelled' | 'terminated' | 'timedOut' | 'continuedAsNew';
  startedAt: number;
  closedAt: number | undefined;
  result: unknown;
  failure: unknown;
  /** The status document at the end; undefined where nobody could ask. */
  status: unknown;
  /** The cloud when it began: tasks go on between the calls that the timeline knows. */
  cloudAtStart: SimulatorState | undefined;
  /** The cloud at the moment of its end. */
  cloudAtEnd: SimulatorState | undefined;
  events: number;
  /** The Workflow Id of the batch or the run that has started this very run; undefined: a caller, or nobody knows. */
  byRun?: string | undefined;
}

/** All that is judged. */
export interface Evidence {
  seed: number;
  before: SimulatorState;
  after: SimulatorState;
  inventoryBefore: Inventory;
  inventoryAfter: Inventory;
  requests: readonly RequestRecord[];
  runs: readonly RunRecord[];
  calls: readonly CallRecord[];
  asks: readonly AskRecord[];
  /** What runs said of themselves that had not ended when everything had been in order for hours, before they were given up. */
  openAtCalm: readonly { runId: string; status: unknown }[];
  /** What the watch over all changes has seen while it went on. */
  aliveAtOnce: readonly Finding[];
  /** Moments at which something last went wrong, and at which the simulation ended. */
  lastStrikeAt: number;
  endedAt: number;
  /** Texts that must appear nowhere: keys, passwords. */
  secrets: readonly string[];
  /** All payloads, status documents and log lines, as texts. */
  texts: readonly string[];
  nondeterminism: readonly string[];
  /** All that went wrong; undefined: nobody knows, so every reason that a strike would explain is believed. */
  strikes?: readonly Strike[] | undefined;
}

/** Something that must not be. */
export interface Finding {
  /** Which of the invariants is broken, such as `two alive`. */
  invariant: string;
  workflowId: string | undefined;
  /** For a person: what was seen, and what should be. Without ids that change from seed to seed in the first 60 characters. */
  says: string;
}
