/**
 * Source of the guardian: a Node process between this process and the server. It ends the server when
 * its standard input closes. The system closes that pipe whenever this process ends, even by `kill -9`,
 * when no code of this process can run.
 *
 * The source is text for `node -e`, because a module would be a `.js` file after the build but a `.ts`
 * file under jest.
 */
const GUARDIAN_SOURCE = `
const { spawn } = require('node:child_process');
// The database of the server holds the inputs of all runs: only their owner may read it.
process.umask(0o077);
const [graceMs, command, ...args] = process.argv.slice(1);
const server = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });
let stopping = false;
function stop() {
  if (stopping) return;
  stopping = true;
  server.kill('SIGTERM');
  setTimeout(() => server.kill('SIGKILL'), Number(graceMs));
}
process.stdin.on('close', stop).on('error', stop).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
server.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
server.on('exit', (code) => process.exit(code ?? 1));
`;

/** Arguments for Node that run a command under the guardian. */
export function guardianArguments(
  command: string,
  args: readonly string[],
  graceMs: number,
): string[] {
  return ['-e', GUARDIAN_SOURCE, '--', String(graceMs), command, ...args];
}
