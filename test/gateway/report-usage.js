/**
 * Loaded before a gateway: answers on the port USAGE_PORT of loopback, as JSON, what the process has used.
 *
 *     /usage   CPU so far, and how long the longest pause of the event loop was since the last question
 *     /work    CPU that a fixed piece of work takes: on a busy machine the same work takes more of it
 *     /memory  what is held after a collection, for which `--expose-gc` is needed, and the most that was resident
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setImmediate, setInterval } from 'node:timers';

const TICK_MS = 5;
let tickedAt = performance.now();
let pauseMs = 0;

// `monitorEventLoopDelay` of Node forgets the pause that begins before its first tick after a reset.
function tick() {
  const now = performance.now();
  pauseMs = Math.max(pauseMs, now - tickedAt - TICK_MS);
  tickedAt = now;
}
setInterval(tick, TICK_MS).unref();

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function usage() {
  tick();
  const told = { cpuMs: cpuMs(), pauseMs };
  pauseMs = 0;
  return told;
}

const text = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ name: `n${at}`, at })));

function work() {
  const used = cpuMs();
  for (let time = 0; time < 3; time++) JSON.stringify(JSON.parse(text));
  return { workMs: cpuMs() - used };
}

/** Linux counts the memory of the process that has started this one in `maxRSS`, and not in this. */
function peakBytes() {
  const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : '';
  const [, kibibytes = process.resourceUsage().maxRSS] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kibibytes) * 1_024;
}

async function memory() {
  // What the first collection finds to be finalized is free after the second one.
  globalThis.gc();
  await new Promise(setImmediate);
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heldBytes: heapUsed + external, residentBytes: rss, peakBytes: peakBytes() };
}

const answers = { '/usage': usage, '/work': work, '/memory': memory };
createServer({ keepAliveTimeout: 0 }, async (request, response) =>
  response.end(JSON.stringify(await answers[request.url]())),
)
  .listen(Number(process.env.USAGE_PORT), '127.0.0.1')
  .unref();
