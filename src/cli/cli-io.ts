/** Everything of the process that the CLI touches, so that a test can hand in its own. */
export interface CliIo {
  stdout: CliStream;
  stderr: CliStream;
  readStdin: () => Promise<string>;
  clock: Clock;
  /**
   * Aborted by Ctrl-C or SIGTERM. The first call takes the signals over: before it, nothing has
   * begun that a plain end of the process would harm.
   */
  interrupted: () => AbortSignal;
  /** How this program was called, for commands to copy: `gcore-workflows`, `temporal gcore` … */
  programName: string;
}

export interface CliStream {
  write: (text: string) => void;
  isTty: boolean;
  /** A terminal that shows colours, and NO_COLOR does not forbid them. */
  hasColors: boolean;
}

export interface Clock {
  now: () => number;
  /** Ends early, and quietly, when the signal is aborted. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>;
}
