import type { FailureDetails, Fault } from '../contract/index.js';
import type { ExitCode } from './exit-code.js';

/** What a person or a program is told when a command does not end well. */
export interface Problem {
  type: string;
  message: string;
  /** The next action. */
  advice: string;
  exitCode: ExitCode;
  workflowId?: string;
  faults?: readonly Fault[];
  details?: Partial<FailureDetails>;
}

/** Thrown by the CLI's own code; already in the words of a person. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}
