import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface CommandOptions {
  cwd?: string;
  /** In addition to the environment of this process. */
  env?: Record<string, string>;
  timeoutMs?: number;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

const TIMEOUT_MS = 120_000;
const SHOWN_CHARACTERS = 1_500;

/** Runs a command to its end, whatever its exit code. */
export async function runCommand(
  command: readonly [string, ...string[]],
  { cwd, env = {}, timeoutMs = TIMEOUT_MS }: CommandOptions = {},
): Promise<Ended> {
  const [file, ...args] = command;
  const child = spawn(file, args, {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

/** Runs a command that must succeed, and returns its stdout. */
export async function mustRun(
  command: readonly [string, ...string[]],
  options: CommandOptions = {},
): Promise<string> {
  const { code, stdout, stderr } = await runCommand(command, options);
  if (code === 0) return stdout;
  const output = `${stdout}\n${stderr}`.trim().slice(-SHOWN_CHARACTERS);
  throw new Error(`${command.join(' ')} ended with ${String(code)}:\n${output}`);
}
