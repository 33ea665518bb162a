import { systemClock } from '../../../src/cli/process-io.js';
import { COMMANDS } from '../../../src/cli/commands/index.js';
import { loadParts, readOutlines, runCli } from '../../../src/cli/run-cli.js';
import type { Services } from '../../../src/cli/services.js';

const outlines = await readOutlines();
// jest imports nothing between two tests, which run side by side in some files.
const loaded = new Map<object, Awaited<ReturnType<typeof loadParts>>>();
for (const command of COMMANDS) loaded.set(command, await loadParts(command));

export interface Captured {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  stdin?: string | Uint8Array;
  interrupt?: AbortController;
  services?: Partial<Services>;
  /** Answers questions, as a person at a terminal does. Without it stdin is no terminal. */
  ask?: (question: string) => Promise<string>;
  /** Of the terminal; without it there is none. */
  columns?: number;
  /** Told the whole of stderr after each write. */
  onStderr?: (text: string) => void;
  /** Told the whole of stdout after each write. */
  onStdout?: (text: string) => void;
}

/** Runs the CLI as a shell would, with pipes for a terminal. */
export async function runCaptured(args: string[], options: RunOptions = {}): Promise<Captured> {
  let stdout = '';
  let stderr = '';
  const { stdin = '', interrupt = new AbortController(), services = {} } = options;
  const { onStderr, onStdout, ask, columns } = options;
  const terminal = {
    isTty: columns !== undefined,
    hasColors: false,
    ...(columns !== undefined && { size: () => ({ columns, rows: 24 }) }),
  };
  const unwanted = () => Promise.reject(new Error('This command starts nothing.'));
  const exitCode = await runCli(
    args,
    {
      stdout: {
        write(text) {
          stdout += text;
          onStdout?.(stdout);
        },
        ...terminal,
      },
      stderr: {
        write(text) {
          stderr += text;
          onStderr?.(stderr);
        },
        ...terminal,
      },
      unread: new AbortController().signal,
      readStdin: () => Promise.resolve(Buffer.from(stdin)),
      ...(ask && { ask }),
      clock: systemClock,
      interrupted: () => interrupt.signal,
      identity: 'tester@here',
      programName: 'gcore-workflows',
    },
    {
      outlines,
      load: async (command) => loaded.get(command) ?? loadParts(command),
      services: {
        startLocalStack: unwanted,
        runWorker: unwanted,
        checkApi: unwanted,
        runGateway: unwanted,
        runCodecServer: unwanted,
        replayOpenRuns: unwanted,
        ownBuilds: () => Promise.resolve([]),
        buildId: () => Promise.resolve('own-build'),
        ...services,
      },
    },
  );
  return { exitCode, stdout, stderr };
}
