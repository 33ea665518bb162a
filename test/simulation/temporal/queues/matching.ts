import type { Poll, Queue, QueueTask, QueueType } from '../model/queues.js';
import type { Server } from '../model/server.js';

/** After this without a poll, nobody is taken to be at a sticky queue. */
const STICKY_UNAVAILABLE_MS = 10_000;
/** Between the change of a run and the moment its task is in the queue. */
const TRANSFER = { least: 1, most: 6 };
/** Between a task meeting a poll and the answer. */
const MATCH = { least: 1, most: 3 };

export function queueOf(server: Server, type: QueueType, name: string): Queue {
  const queues = server.queues[type];
  const existing = queues.get(name);
  if (existing !== undefined) return existing;
  const queue: Queue = {
    name,
    tasks: [],
    polls: [],
    pollers: new Map(),
    rate: undefined,
    tokens: 0,
    tokensAt: server.clock.now(),
    wake: undefined,
    lastPolledAt: undefined,
  };
  queues.set(name, queue);
  return queue;
}

/** Whether a worker has asked this sticky queue lately. */
export function isStickyAvailable(server: Server, name: string): boolean {
  const queue = server.queues.workflow.get(name);
  if (queue?.lastPolledAt === undefined) return false;
  if (queue.polls.length > 0) return true;
  return server.clock.now() - queue.lastPolledAt < STICKY_UNAVAILABLE_MS;
}

/** Puts a task into a queue a little later. `name` is asked then. */
export function dispatch(
  server: Server,
  task: QueueTask,
  target: { type: QueueType; name: () => string | undefined },
): void {
  server.clock.after(server.draw.number(TRANSFER.least, TRANSFER.most), () => {
    const name = target.name();
    if (name !== undefined) addTask(server, queueOf(server, target.type, name), task);
  });
}

/** Tasks of the same priority keep the order in which they came. */
export function addTask(server: Server, queue: Queue, task: QueueTask): void {
  const entry = { task, addedAt: server.clock.now() };
  const at = queue.tasks.findIndex((other) => other.task.priority > task.priority);
  if (at === -1) queue.tasks.push(entry);
  else queue.tasks.splice(at, 0, entry);
  match(server, queue);
}

export function addPoll(server: Server, queue: Queue, poll: Poll): void {
  queue.polls.push(poll);
  match(server, queue);
}

export function removePoll(queue: Queue, poll: Poll): boolean {
  const at = queue.polls.indexOf(poll);
  if (at !== -1) queue.polls.splice(at, 1);
  return at !== -1;
}

/** Hands tasks to polls, while there are both and the rate of the queue allows it. */
function match(server: Server, queue: Queue): void {
  while (queue.tasks.length > 0 && queue.polls.length > 0) {
    const wait = waitForToken(server, queue);
    if (wait > 0) {
      wakeLater(server, queue, wait);
      return;
    }
    const next = queue.tasks.shift();
    const poll = server.draw.pick(queue.polls);
    const answer = next?.task.start(poll);
    if (answer === undefined) continue;
    if (queue.rate !== undefined) queue.tokens -= 1;
    removePoll(queue, poll);
    poll.taken();
    server.clock.after(server.draw.number(MATCH.least, MATCH.most), () => {
      poll.answer(answer);
    });
  }
}

/** Milliseconds until the next task may leave the queue. */
function waitForToken(server: Server, queue: Queue): number {
  const { rate } = queue;
  if (rate === undefined) return 0;
  if (rate <= 0) return Infinity;
  const now = server.clock.now();
  const burst = Math.max(1, Math.ceil(rate));
  queue.tokens = Math.min(burst, queue.tokens + ((now - queue.tokensAt) * rate) / 1_000);
  queue.tokensAt = now;
  return queue.tokens >= 1 ? 0 : ((1 - queue.tokens) * 1_000) / rate;
}

function wakeLater(server: Server, queue: Queue, wait: number): void {
  if (queue.wake !== undefined || wait === Infinity) return;
  queue.wake = server.clock.after(Math.ceil(wait), () => {
    queue.wake = undefined;
    match(server, queue);
  });
}

/** Sets how many tasks a second the queue hands out, as its workers ask for. */
export function setRate(server: Server, queue: Queue, rate: number | undefined): void {
  if (queue.rate === rate) return;
  queue.rate = rate;
  queue.tokens = rate === undefined ? 0 : Math.max(1, Math.ceil(rate));
  queue.tokensAt = server.clock.now();
  queue.wake?.();
  queue.wake = undefined;
}
