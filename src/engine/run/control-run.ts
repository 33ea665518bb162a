import {
  condition,
  workflowInfo,
  type ApplicationFailure,
  type CancellationScope,
} from '@temporalio/workflow';

import { runIdOf } from '../core/identity.js';
import type { FirstEvent, PreparedRun, PreparedSender, Known } from '../core/prepared-run.js';
import type { Product } from '../core/product.js';
import { FailureType } from '../core/failures.js';
import { isoOf } from '../core/times.js';
import { toCanonicalJson } from '../core/values.js';
import { createControls, refusedFailure, type Controls } from './controls.js';
import { firstEvent, startOfRun, type EarlierHistory } from './earlier-history.js';
import { failure } from './failures.js';
import type { Ledger, RunSteps } from './ledger.js';
import type { Receivers } from './notifier.js';
import { keepPrepared, publishLabels } from './publish.js';
import { refusePlan, refuseUnknownFields } from './refuse-unknown-fields.js';

/** What an operation tells the engine about itself. */
export interface RunDefinition<P, I> extends Omit<RunSteps, 'earlierSteps' | 'earlierAsked'> {
  input: I;
  /** What an earlier history of the same run has handed over. */
  earlier?: EarlierHistory<P> | undefined;
  prepare: (input: unknown, first: FirstEvent) => Promise<P>;
  /** Locks that an earlier history of this run has taken: a lock may ask before the run goes on with it. */
  earlierLocks?: readonly string[];
  /** The body only makes a plan; see `planOrRun`. */
  isPlan?: boolean;
  /** The field of a corrected input that a run cannot change, such as `account`, if it differs. */
  unchangeableField?: (before: P, corrected: P) => string | undefined;
}

/** What an operator may change while the run goes on. */
export interface RunState<P, I> {
  input: I;
  prepared: P | undefined;
  /** Nobody knows yet whether the input of the start is refused. */
  isPreparing: boolean;
  /** Who is told when the input is refused. */
  refused?: Receivers | undefined;
}

interface ControlledParts<P, I> {
  state: RunState<P, I>;
  ledger: Ledger;
  scope: CancellationScope;
  product: Pick<Product, 'preparedFields' | 'searchAttributes' | 'kept'>;
}

/** What this version knows of what is prepared for the operation. */
export function fieldsOf(
  { preparedFields }: Pick<Product, 'preparedFields'>,
  { operation }: { operation: string },
): Known {
  const known = preparedFields[operation];
  if (known === undefined) throw new Error(`The product does not know the operation ${operation}`);
  return known;
}

/** Connects the operators' updates to the run: they change its scope, its ledger and its input. */
export function controlRun<P extends PreparedRun, I>(
  definition: RunDefinition<P, I>,
  { state, ledger, scope, product }: ControlledParts<P, I>,
): Controls {
  const { prepare, unchangeableField } = definition;
  const isInput = (input: unknown): input is I => input instanceof Object;
  return createControls({
    onEnding: () => {
      scope.cancel();
    },
    isEnding: () => scope.consideredCancelled,
    onPaused: (isPaused) => {
      ledger.setPaused(isPaused);
    },
    onAsked: (what, by) => {
      ledger.asked.note(what, by);
    },
    document: () => ledger.document(),
    whyTooLate: () => ledger.whyTooLate(),
    prepareCorrection: async (input) => {
      // A reset to the first event brings it again before the run has done anything.
      if (state.isPreparing) await condition(() => !state.isPreparing);
      if (state.prepared === undefined) throw refusedFailure('The input of the run was refused.');
      const prepared = await prepare(input, { ...firstEvent(), isCorrection: true });
      refuseUnknownFields('the correction', prepared, fieldsOf(product, definition));
      refusePlan(prepared, definition);
      return () => {
        const current = state.prepared;
        if (!isInput(input) || prepared.account !== current?.account) {
          throw unchangeableFailure('account');
        }
        const other = unchangeableField?.(current, prepared);
        if (other !== undefined) throw unchangeableFailure(other);
        state.input = input;
        state.prepared = { ...prepared, ...endBefore(current, prepared), policy: current.policy };
        ledger.setDeadline(deadlineIso(prepared, startOfRun(definition.earlier)));
        if (labelsIn(current) !== labelsIn(prepared)) publishLabels(state.prepared, product);
        keepPrepared(prepared, input, product);
      };
    },
    deadlineAt: () => deadlineOf(state.prepared, startOfRun(definition.earlier)),
    wasPaused: definition.earlier?.isPaused === true,
  });
}

/**
 * Whoever prepares another input of a run that was reset cannot know when, and takes it that this was just now. A run that was
 * prepared under the same Run Id before knows of that reset already, and waits for its late calls only once.
 */
function endBefore(
  current: PreparedRun,
  prepared: PreparedRun,
): Pick<PreparedSender, 'cutShortAt'> {
  if (!isSender(current) || !isSender(prepared) || current.maker !== prepared.maker) return {};
  const wasReset = runIdOf(prepared.maker) !== workflowInfo().originalExecutionRunId;
  const { cutShortAt } = current;
  return wasReset && cutShortAt !== undefined ? { cutShortAt } : {};
}

function labelsIn({ labels = {} }: PreparedRun): string {
  return toCanonicalJson(labels);
}

function isSender(prepared: PreparedRun): prepared is PreparedSender {
  return 'maker' in prepared;
}

function unchangeableFailure(what: string): ApplicationFailure {
  return failure(FailureType.refused, `A run cannot change its ${what}.`, {
    advice: 'Abort this run and start another one.',
  });
}

function deadlineOf(prepared: PreparedRun | undefined, startedAt: number): number | undefined {
  return prepared?.deadlineMs === undefined ? undefined : startedAt + prepared.deadlineMs;
}

/** The deadline as the status document shows it. */
export function deadlineIso(prepared: PreparedRun, startedAt: number): string | undefined {
  const deadline = deadlineOf(prepared, startedAt);
  return deadline === undefined ? undefined : isoOf(deadline);
}
