import { log, metricMeter, workflowInfo } from '@temporalio/workflow';

import { sdkNameOf, type LabelsOf, type Metric } from '../core/metrics.js';
import { plannedIdOf } from '../core/names.js';
import type { Resource } from '../core/status.js';
import type { Product } from '../core/product.js';
import { failureTypeOf } from './failures.js';
import type { Ledger } from './ledger.js';
import type { EndPhase } from './fit-status.js';

/**
 * What metrics and logs are told about a run. All of it is free of commands and of awaits, so it changes no
 * history, and an older version of this file replays the same. A replay tells nothing. A plan counts as no run.
 */

/** What tells about a run. */
export interface Noted {
  ledger: Ledger;
  product: Pick<Product, 'metrics'>;
}

/** Counts, or measures. */
export function note<M extends Metric>(metric: M, value: number, labels: LabelsOf<M>): void {
  if (!Number.isFinite(value)) return;
  const known = Math.max(value, 0);
  const tags = { ...labels };
  const name = sdkNameOf(metric);
  if (metric.kind === 'counter') {
    metricMeter.createCounter(name, '', metric.help).add(Math.round(known), tags);
  } else if (metric.kind === 'histogram') {
    metricMeter.createHistogram(name, 'float', '', metric.help).record(known, tags);
  } else {
    metricMeter.createGauge(name, 'float', '', metric.help).set(known, tags);
  }
}

function isPlan(): boolean {
  return plannedIdOf(workflowInfo().workflowId) !== undefined;
}

function secondsSince(time: number): number {
  return (Date.now() - time) / 1000;
}

/**
 * The run ends now. Called with its last phase.
 *
 * @param startedAt when its first history began, in milliseconds since the epoch
 */
export function noteEnd(
  phase: EndPhase,
  { ledger, product: { metrics } }: Noted,
  startedAt: number,
): void {
  if (isPlan()) return;
  const { operation, failure } = ledger.document();
  const type = failure?.type ?? 'none';
  const seconds = secondsSince(startedAt);
  const left = phase === 'succeeded' ? [] : ledger.resources();
  note(metrics.runsEnded, 1, { operation, phase, failure_type: type });
  note(metrics.runDuration, seconds, { operation, phase });
  for (const { kind } of left) note(metrics.resourcesLeft, 1, { operation, kind });
  log.info('The run has ended', {
    phase,
    seconds: Math.round(seconds),
    ...(failure && { failureType: failure.type, step: failure.step }),
    ...(left.length > 0 && { left: left.map(({ kind, id }) => `${kind} ${id}`) }),
  });
}

/** The run needs a person from now on. */
export function noteBlocked(error: unknown, { ledger, product: { metrics } }: Noted): void {
  if (isPlan()) return;
  const { operation } = ledger.document();
  const failureType = failureTypeOf(error) ?? 'other';
  note(metrics.runBlocks, 1, { operation, failure_type: failureType });
  log.warn('The run is blocked: a person must act', {
    failureType,
    step: ledger.currentStep(),
    error,
  });
}

/** @param since when it was blocked, in milliseconds since the epoch */
export function noteUnblocked(
  type: string,
  since: number,
  { ledger, product: { metrics } }: Noted,
): void {
  if (isPlan()) return;
  const { operation } = ledger.document();
  const seconds = secondsSince(since);
  note(metrics.runBlocked, seconds, { operation, failure_type: type });
  log.info('The run is not blocked any more', {
    failureType: type,
    seconds: Math.round(seconds),
  });
}

/** What became of a call whose answer was lost. */
export function noteReconciled(result: string, { ledger, product: { metrics } }: Noted): void {
  const { operation } = ledger.document();
  note(metrics.reconciles, 1, { operation, result });
  log.info('The outcome of a lost call is known', { result, step: ledger.currentStep() });
}

/** A run has waited for a task of the API. */
export function noteTaskWait(
  { type, since, usualMs }: { type: string; since: number; usualMs: number },
  outcome: string,
  { product: { metrics } }: Pick<Noted, 'product'>,
): void {
  const labels = { task_type: type, outcome };
  const seconds = secondsSince(since);
  note(metrics.taskWait, seconds, labels);
  if (usualMs > 0) note(metrics.taskWaitRatio, (seconds * 1000) / usualMs, labels);
}

/** What was there before and is not any more. */
export function noteRemoved(
  before: readonly Resource[],
  { ledger, product: { metrics } }: Noted,
): void {
  const after = new Set(ledger.resources().map(({ kind, id }) => `${kind} ${id}`));
  const gone = before.filter(({ kind, id }) => !after.has(`${kind} ${id}`));
  const { operation } = ledger.document();
  for (const { kind } of gone) note(metrics.resourcesRemoved, 1, { operation, kind });
}
