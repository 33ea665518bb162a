import { isCancellation } from '@temporalio/workflow';

import type { RemoteApi } from '../core/product.js';
import type { PreparedRun } from '../core/prepared-run.js';
import { FailureType } from '../core/failures.js';
import { faultFinding } from '../core/faults.js';
import type { Plan, PlanFinding, PlanPrice } from '../schema/documents.js';
import { detailsOf, failureOf, failureTypeOf } from '../run/failures.js';
import type { Api } from '../run/api.js';
import type { Run } from '../run/run-types.js';

/** The calls that a plan may use. None of them changes anything. */
export type PlanReads<A extends RemoteApi = RemoteApi> = Api<A>['direct'];

/** What an operation makes its plan with: its input and reads, but nothing that sends. */
export interface PlanRun<
  P extends PreparedRun = PreparedRun,
  I = unknown,
  A extends RemoteApi = RemoteApi,
> extends Pick<Run<P, I>, 'input' | 'prepared'> {
  readonly reads: PlanReads<A>;
  /** Reads of many things, or of a large one. */
  readonly longReads: Api<A>['longReads'];
}

/** Makes the plan of one operation; it only reads. */
export type Planner<P extends PreparedRun, I, A extends RemoteApi = RemoteApi> = (
  run: PlanRun<P, I, A>,
) => Promise<Plan>;

/** What a read has shown. */
export type LookResult<T> =
  | { is: 'there'; value: T }
  | { is: 'missing' }
  /** The read failed; a finding says so. */
  | { is: 'unchecked' };

/** What keeps a run from doing its work, and what to do. */
export type PlanFault = Omit<PlanFinding, 'severity'>;

export interface Draft extends Pick<Plan, 'adopts' | 'irreversible' | 'calls'> {
  price?: PlanPrice | undefined;
  fault: (finding: PlanFault) => void;
  warn: (finding: PlanFault) => void;
  /**
   * Makes a read. "Not found" is an answer. Any other refusal becomes a finding: a fault where the
   * run would be refused too (the key, the manifest), otherwise a warning.
   * @param what the object of the read, such as `the flavors of region 1`.
   * @param path the input field that names it.
   */
  look<T>(what: string, read: () => Promise<T>, path?: string): Promise<LookResult<T>>;
  finish(): Plan;
}

export function createDraft(operation: string): Draft {
  const findings: PlanFinding[] = [];
  const add = (finding: PlanFinding): void => {
    const isKnown = findings.some(
      ({ path, message }) => path === finding.path && message === finding.message,
    );
    if (!isKnown) findings.push(finding);
  };
  const parts: Pick<Draft, 'adopts' | 'irreversible' | 'calls'> = {
    adopts: [],
    irreversible: [],
    calls: [],
  };
  const draft: Draft = {
    ...parts,
    fault: (finding) => {
      add({ severity: 'fault', ...finding });
    },
    warn: (finding) => {
      add({ severity: 'warning', ...finding });
    },
    async look(what, read, path) {
      try {
        return { is: 'there', value: await read() };
      } catch (error) {
        if (isCancellation(error) || failureOf(error) === undefined) throw error;
        if (failureTypeOf(error) === FailureType.notFound) return { is: 'missing' };
        for (const finding of findingsOf(error, { what, path })) add(finding);
        return { is: 'unchecked' };
      }
    },
    finish: () => ({
      operation,
      ready: findings.every(({ severity }) => severity !== 'fault'),
      findings,
      ...(draft.price && { price: draft.price }),
      ...parts,
    }),
  };
  return draft;
}

/** Refusals that would fail or block the run too. */
const FAULTS: ReadonlySet<FailureType | undefined> = new Set([
  FailureType.unauthorized,
  FailureType.manifestUnreadable,
  FailureType.secretUnavailable,
]);

interface LookedAt {
  what: string;
  path: string | undefined;
}

function findingsOf(error: unknown, { what, path }: LookedAt): PlanFinding[] {
  const { advice, faults } = detailsOf(error);
  if (failureTypeOf(error) === FailureType.invalidInput && faults !== undefined) {
    return faults.map(faultFinding);
  }
  const reason = (failureOf(error)?.message ?? '').replace(advice ?? '', '').trim();
  const isFault = FAULTS.has(failureTypeOf(error));
  return [
    {
      severity: isFault ? 'fault' : 'warning',
      ...(path === undefined ? {} : { path }),
      message: `Could not look at ${what}: ${reason}`,
      ...(advice === undefined ? {} : { advice }),
    },
  ];
}
