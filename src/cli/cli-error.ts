import type { FailureDetails, Fault } from '../contract/index.js';

/** Exit codes. They are part of the interface, and `--help` lists them. */
export const ExitCode = {
  done: 0,
  failed: 1,
  cancelled: 2,
  someItemsFailed: 3,
  notAuthorised: 4,
  /** A plan with faults. */
  notReady: 5,
  /** The request id belongs to a run with another input. */
  conflict: 6,
  badInput: 64,
  /** `--timeout` has passed; the run continues. */
  timeout: 124,
  /** Ctrl-C; the run continues. */
  detached: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** A command to copy, with the options that lead to the same server. */
export type Hint = (...words: string[]) => string;

/** The error that a command reports to a person or a program. */
export interface Problem {
  type: string;
  message: string;
  /** The next step. */
  advice: string;
  exitCode: ExitCode;
  workflowId?: string;
  faults?: readonly Fault[];
  details?: Partial<FailureDetails>;
}

/** Thrown by the code of the CLI. Its problem is ready to print. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}
