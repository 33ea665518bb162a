/**
 * `npm run simulate -- [--seeds 1000] [--from 1] [--only protectIp,runBatch] [--kinds 'lost answer,operator'] [--plain]
 * [--seed 40] [--plan-of 12] [--trace] [--shrink] [--all] [--fresh] [--digest] [--minutes 2] [--until-found]`: searches
 * interleavings for one that breaks an invariant. See docs/simulation.md.
 *
 * Prints each seed that breaks one in a way that is not known (known-findings.ts), and at the end how much was searched. Exits
 * with 1 when it has found something that is not known.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

import { isOperation } from '../../src/client/operations.js';
import { KNOWN_FINDINGS, knownFinding } from './known-findings.js';
import { STRIKE_KINDS, type StrikeKind } from './world/chaos.js';
import { runSeed, type SeedOutcome } from './world/run-seed.js';
import {
  createGuide,
  emptyResult,
  shrunkStory,
  trySeed,
  type BadSeed,
  type SearchResult,
} from './world/search.js';
import type { Focus } from './world/swarm.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    'plan-of': { type: 'string' },
    only: { type: 'string' },
    kinds: { type: 'string' },
    plain: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    digest: { type: 'boolean', default: false },
    'until-found': { type: 'boolean', default: false },
    grace: { type: 'string' },
    share: { type: 'string' },
  },
});

const focus = toFocus();

function toFocus(): Focus {
  const { only, kinds, plain, grace, 'plan-of': planOf } = values;
  return {
    plain,
    ...(only !== undefined && { operations: only.split(',').filter(isOperation) }),
    ...(plain && only === undefined && { operations: ['provisionInstance'] as const }),
    ...(kinds !== undefined && { kinds: kinds.split(',').filter(isKind) }),
    ...(planOf !== undefined && { planOf: Number(planOf) }),
    ...(grace !== undefined && { settings: { reconcileGraceMs: Number(grace) } }),
  };
}

function isKind(text: string): text is StrikeKind {
  return STRIKE_KINDS.some((kind) => kind === text);
}

function write(text: string): void {
  process.stdout.write(`${text}\n`);
}

function tell({ seed, findings, strikes, story, requests }: SeedOutcome): void {
  write(`seed ${String(seed)}: ${requests.map(({ operation }) => operation).join(', ')}`);
  for (const line of story) write(line);
  write(
    `strikes: ${strikes.map(({ kind, occasion }) => `${kind} @ ${occasion}`).join('; ') || 'none'}`,
  );
  for (const { invariant, workflowId, says } of findings) {
    write(`FOUND ${invariant}: ${workflowId ?? ''} ${says}`);
  }
}

async function showSeed(seed: number): Promise<number> {
  const whole = await runSeed({ seed, focus, tells: true });
  tell(values.shrink && whole.findings.length > 0 ? await shrunkStory(whole, focus) : whole);
  return whole.findings.length > 0 ? 1 : 0;
}

/** A line for each seed: what its whole story comes to. The same on any machine. */
async function digestSeeds(): Promise<void> {
  const from = Number(values.from);
  for (let seed = from; seed < from + Number(values.seeds); seed += 1) {
    const { story, findings } = await runSeed({ seed, focus, tells: true });
    const text = JSON.stringify([story, findings]);
    write(`${seed} ${createHash('sha256').update(text).digest('hex')}`);
  }
}

type Message =
  | { bad: BadSeed }
  | { done: number }
  | { end: Omit<SearchResult, 'coverage'> & { coverage: string[] } };

/** One OS process searches every n-th seed, and tells its parent. */
async function searchShare(share: string): Promise<void> {
  const [at = 0, of = 1] = share.split('/').map(Number);
  const until =
    values.minutes === undefined ? Infinity : Date.now() + Number(values.minutes) * 60_000;
  const result = emptyResult();
  const guide = createGuide(focus);
  const last = Number(values.from) + Number(values.seeds);
  for (let seed = Number(values.from) + at; seed < last; seed += of) {
    if (Date.now() > until) break;
    const before = result.coverage.size;
    const guided = guide.focusOf();
    const bad = await trySeed(result, seed, guided);
    guide.learn(seed, guided, result.coverage.size - before);
    if (bad !== undefined) process.send?.({ bad } satisfies Message);
    if (result.seeds % 10 === 0) process.send?.({ done: 10 } satisfies Message);
    if (result.seeds % 50 === 0)
      result.growth.push({ seeds: result.seeds, states: result.coverage.size });
  }
  const end = { ...result, bad: [], coverage: [...result.coverage] };
  process.send?.({ end } satisfies Message, () => {
    process.disconnect();
  });
}

interface Search {
  total: SearchResult;
  children: ChildProcess[];
  progress: (done: number) => void;
}

async function searchWithAllProcessors(): Promise<number> {
  const startedAt = performance.now();
  const seeds = Number(values.seeds);
  const total = emptyResult();
  const search = { total, children: [], progress: createProgress(seeds) };
  const shares = Math.min(availableParallelism(), seeds);
  await Promise.all(
    Array.from({ length: shares }, (_, at) => inChild(`${String(at)}/${String(shares)}`, search)),
  );
  summarize(total, (performance.now() - startedAt) / 1_000);
  return total.bad.length === 0 || isExcused() ? 0 : 1;
}

async function inChild(share: string, { total, children, progress }: Search): Promise<void> {
  const child = fork(process.argv[1] ?? '', [...process.argv.slice(2), '--share', share]);
  children.push(child);
  const ends: Message[] = [];
  child.on('message', (message: Message) => {
    if ('bad' in message) {
      report(total, message.bad);
      if (isEnough(total)) for (const other of children) other.kill();
    }
    if ('done' in message) progress(message.done);
    if ('end' in message) {
      ends.push(message);
      add(total, message.end);
    }
  });
  // Its last message may be read after it has ended.
  const [exit]: unknown[][] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  if ((exit?.[0] === 0 && ends.length > 0) || isEnough(total)) return;
  write(
    `a process of the search has ended with ${String(exit?.[0])}, and not told what it has done`,
  );
  total.bad.push({ seed: -1, findings: [], strikes: [] });
}

/** What one seed shows is enough for who asks whether any does. */
function isEnough({ bad }: SearchResult): boolean {
  return values['until-found'] && bad.length > 0;
}

/** Seeds that nobody has tried before do not stop anybody while there are faults that are known and not mended. */
function isExcused(): boolean {
  return values.fresh && KNOWN_FINDINGS.length > 0;
}

const TELL_EVERY_MS = 10_000;

/** Says on stderr how far the search is, and how long it will still take. */
function createProgress(seeds: number): (done: number) => void {
  const startedAt = performance.now();
  let toldAt = startedAt;
  let sum = 0;
  return (done) => {
    sum += done;
    const now = performance.now();
    if (now - toldAt < TELL_EVERY_MS) return;
    toldAt = now;
    const leftSeconds = Math.round(((now - startedAt) / 1_000 / sum) * (seeds - sum));
    process.stderr.write(`${sum} of ${seeds} seeds, about ${leftSeconds} s left\n`);
  };
}

const known = new Map<string, { count: number; first: string }>();

/** Prints what nobody knew, and counts the rest. */
function report(total: SearchResult, bad: BadSeed): void {
  const news = bad.findings.filter((finding) => {
    const { because } = knownFinding(finding) ?? {};
    if (because === undefined || values.all) return true;
    const { count, first } = known.get(because) ?? { count: 0, first: nameOf(bad) };
    known.set(because, { count: count + 1, first });
    return false;
  });
  if (news.length === 0) return;
  total.bad.push(bad);
  for (const { invariant, says } of news.slice(0, 3)) {
    write(`${nameOf(bad)}: ${invariant}: ${says.slice(0, 300)}`);
  }
}

/** As the options that repeat it. */
function nameOf({ seed, planOf }: BadSeed): string {
  return planOf === undefined ? `--seed ${seed}` : `--seed ${seed} --plan-of ${planOf}`;
}

function add(total: SearchResult, part: Extract<Message, { end: unknown }>['end']): void {
  total.seeds += part.seeds;
  total.runs += part.runs;
  total.calls += part.calls;
  total.events += part.events;
  total.virtualSeconds += part.virtualSeconds;
  for (const state of part.coverage) total.coverage.add(state);
  total.growth.push(...part.growth);
}

function summarize(total: SearchResult, seconds: number): void {
  const { seeds, runs, calls, events, virtualSeconds, coverage, growth, bad } = total;
  const steps = growth.filter((_, at) => at % Math.ceil(growth.length / 8) === 0);
  write(
    `${String(seeds)} seeds in ${seconds.toFixed(1)} s (${(seeds / seconds).toFixed(1)} a second), ${String(bad.length)} with a finding`,
  );
  write(
    `${String(runs)} runs, ${String(calls)} calls, ${String(events)} events, ${(virtualSeconds / 86_400).toFixed(1)} days of virtual time`,
  );
  write(
    `${String(coverage.size)} states of step × phase × strike seen; one share, after seeds: ${steps.map((step) => `${String(step.seeds)}: ${String(step.states)}`).join(', ')}`,
  );
  for (const [because, { count, first }] of known) {
    write(`${String(count).padStart(6)} known, such as ${first}: ${because}`);
  }
  const kinds = new Map<string, number>();
  for (const { findings } of bad)
    for (const { invariant } of findings.slice(0, 1))
      kinds.set(invariant, (kinds.get(invariant) ?? 0) + 1);
  for (const [invariant, count] of kinds) write(`${String(count).padStart(6)} ${invariant}`);
}

if (values.digest) await digestSeeds();
else if (values.seed !== undefined) process.exitCode = await showSeed(Number(values.seed));
else if (values.share === undefined) process.exitCode = await searchWithAllProcessors();
else await searchShare(values.share);
