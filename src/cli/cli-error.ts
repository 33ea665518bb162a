import type { FailureDetails, Fault } from '../contract/index.js';
import type { ExitCode } from './exit-code.js';

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
