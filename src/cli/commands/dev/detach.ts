import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { CliError, ExitCode } from '../../cli-error.js';
import { waitForAbort } from '../../cli-io.js';
import type { Session } from '../../session.js';
import { toWords, type DevOptions } from './dev-options.js';
import { folderFault } from './folder-fault.js';

/** Starts `dev` as a process of its own, and returns when it is ready. What it says is in a file of its folder. */
export async function runDetached({ io, progress }: Session, options: DevOptions): Promise<void> {
  const file = join(options.folder, 'dev.log');
  const log = openLog(options.folder, file);
  // Another dev may write to it: then this one ends soon, and says so there too.
  const { size } = statSync(file);
  const child = start(log, toWords(options));
  closeSync(log);
  const said = (): string => readFileSync(file).subarray(size).toString().trimEnd();
  const end = await Promise.race([
    once(child, 'message').then(() => 'ready' as const),
    once(child, 'exit').then(() => 'ended' as const),
    waitForAbort(io.interrupted()).then(() => 'interrupted' as const),
  ]);
  if (end === 'interrupted') child.kill();
  if (end !== 'ready') throw endedEarly(said(), file);
  child.disconnect();
  child.unref();
  for (const line of said().split('\n')) progress.notice(line);
  progress.notice(`It runs on as process ${child.pid ?? '-'}; what it says is in ${file}.`);
}

/** Begins the log of this start. On a full disk it could say nothing of what went wrong. @throws CliError */
function openLog(folder: string, file: string): number {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const log = openSync(file, 'a', 0o600);
    writeSync(log, `${new Date().toISOString()} starting\n`);
    return log;
  } catch (error) {
    throw folderFault(error, folder);
  }
}

/** In its own process group, so that Ctrl-C here does not reach it. */
function start(log: number, words: string[]): ChildProcess {
  const [, program = ''] = process.argv;
  return spawn(process.execPath, [program, 'dev', ...words], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
    windowsHide: true,
  });
}

function endedEarly(said: string, file: string): CliError {
  return new CliError({
    type: 'DevEnded',
    message: `It ended before it was ready. It said:\n${said || 'nothing: the disk may be full'}`,
    advice: `mend what it names, then start it again; ${file} keeps what it said`,
    exitCode: ExitCode.failed,
  });
}
