/**
 * Loaded before a program: on SIGUSR2 it writes one line with what the process has used so far, and with the price of a
 * fixed piece of work: on a busy machine the same work takes more time of a processor. The heap is that after a
 * collection, so `--expose-gc` is needed.
 */
const text = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ name: `n${at}`, at })));

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

process.on('SIGUSR2', () => {
  const used = cpuMs();
  for (let time = 0; time < 3; time++) JSON.stringify(JSON.parse(text));
  const workMs = cpuMs() - used;
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  const usage = { cpuMs: used, workMs, afterMs: cpuMs(), heldBytes: heapUsed + external };
  process.stderr.write(`usage ${JSON.stringify(usage)}\n`);
});
