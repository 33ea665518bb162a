/**
 * Loaded before a program: on SIGUSR2 it writes one line with what the process has used so far. The heap is that after a
 * collection, so `--expose-gc` is needed.
 */
process.on('SIGUSR2', () => {
  globalThis.gc();
  const { user, system } = process.cpuUsage();
  const { heapUsed, external, rss } = process.memoryUsage();
  const usage = { cpuMs: (user + system) / 1_000, heldBytes: heapUsed + external, rss };
  process.stderr.write(`usage ${JSON.stringify(usage)}\n`);
});
