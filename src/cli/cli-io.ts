/** The parts of the process that the CLI uses. A test passes its own. */
export interface CliIo {
  stdout: CliStream;
  stderr: CliStream;
  /** Aborted when nobody reads stdout any more: then a command that only prints ends. */
  unread: AbortSignal;
  readStdin: () => Promise<Uint8Array>;
  /** Asks a person on the terminal; missing when stdin is none. Ctrl-C and Ctrl-D answer nothing. */
  ask?: (question: string) => Promise<string>;
  clock: Clock;
  /**
   * Aborted by Ctrl-C or SIGTERM. The first call installs the signal handlers. Before it, the process
   * may simply end.
   */
  interrupted: () => AbortSignal;
  /** Tells the process that started this one that it is ready; missing when nobody waits for it. */
  tellReady?: () => void;
  /** Who runs this program, such as `anna@laptop`: runs name it for what it asks. */
  identity: string;
  /** The command that started this program, for commands to copy: `gcore-workflows`, `temporal gcore` … */
  programName: string;
}

export interface CliStream {
  write: (text: string) => void;
  isTty: boolean;
  /** A terminal with colours, unless NO_COLOR forbids them. */
  hasColors: boolean;
  /** Of a terminal, now. */
  size?: () => { columns: number; rows: number };
}

export interface Clock {
  now: () => number;
  /** Resolves early when the signal is aborted. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>;
}

export function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}
