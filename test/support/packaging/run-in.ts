import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program in a folder until it ends. It has no terminal. */
export async function runIn(folder: string, program: string, args: string[]): Promise<Ended> {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** A folder that no other test uses, outside the repository. The end of the tests removes it. */
export function emptyFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'package-'));
}
