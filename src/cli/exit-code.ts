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
