import { performance } from 'node:perf_hooks';

import type { CallObserver, BudgetPressure, DeliveryOutcome } from '../../activities/index.js';
import type { BreakerEvents } from '../account-breakers.js';
import { classOfCall } from './class-of-call.js';
import type { WorkerInstruments } from './instruments.js';
import type { Sampler } from './sampler.js';

/** Everything that is measured for one account. */
export interface AccountMetrics {
  observer: CallObserver;
  breakers: BreakerEvents;
  onBudget: (pressure: () => BudgetPressure) => void;
  onWatcher: (watched: () => number) => void;
  onListReadable: (isReadable: boolean) => void;
  onDelivery: (outcome: DeliveryOutcome) => void;
}

export function createAccountMetrics(
  account: string,
  { metrics, sampler }: { metrics: WorkerInstruments; sampler: Sampler },
): AccountMetrics {
  const gates = createGates(account, metrics);
  return {
    observer: createCallMetrics(account, metrics, gates.know),
    breakers: gates.events,
    onBudget: (pressure) => {
      sampler.add(`budget of ${account}`, () => {
        const { perSecond, limit, waiting } = pressure();
        metrics.apiBudget(limit, { account });
        metrics.apiLearnedRate(perSecond, { account });
        metrics.apiWaitingCalls(waiting, { account });
      });
    },
    onWatcher: (watched) => {
      metrics.taskListReadable(1, { account });
      sampler.add(`watcher of ${account}`, () => {
        metrics.watchedTasks(watched(), { account });
      });
    },
    onListReadable: (isReadable) => {
      metrics.taskListReadable(isReadable ? 1 : 0, { account });
    },
    onDelivery: (outcome) => {
      metrics.webhookDeliveries(1, { account, outcome });
    },
  };
}

function createCallMetrics(
  account: string,
  metrics: WorkerInstruments,
  know: (area: string) => void,
): CallObserver {
  return {
    async exchange({ area, operation }, send) {
      know(area);
      const begunAt = performance.now();
      let outcome = 'cancelled';
      try {
        const exchanged = await send();
        outcome = classOfCall(exchanged);
        return exchanged;
      } finally {
        const labels = { account, area, operation };
        metrics.apiRequests(1, { ...labels, class: outcome });
        metrics.apiRequestDuration((performance.now() - begunAt) / 1000, labels);
      }
    },
    held: ({ area }, reason) => {
      know(area);
      metrics.apiCallsHeld(1, { account, area, reason });
    },
    waited: (lane, ms) => {
      metrics.apiBudgetWait(ms / 1000, { account, lane });
    },
  };
}

/** Breakers and key gates by area. The regions and collections of an area are only counted. */
function createGates(account: string, metrics: WorkerInstruments) {
  const open = new Map<string, Set<string>>();
  const know = (area: string): Set<string> => {
    const known = open.get(area);
    if (known !== undefined) return known;
    const parts = new Set<string>();
    open.set(area, parts);
    metrics.apiBreakersOpen(0, { account, area });
    metrics.apiKeyRefused(0, { account, area });
    return parts;
  };
  const closed: BreakerEvents['onClose'] = ({ area, ...part }) => {
    const parts = know(area);
    parts.delete(nameOf(part));
    metrics.apiBreakersOpen(parts.size, { account, area });
  };
  const events: BreakerEvents = {
    onOpen: ({ area, ...part }) => {
      metrics.apiBreakersOpen(know(area).add(nameOf(part)).size, { account, area });
    },
    onClose: closed,
    onForget: closed,
    onKeyRefused: ({ area }) => {
      metrics.apiKeyRefused(1, { account, area });
    },
    onKeyAccepted: ({ area }) => {
      metrics.apiKeyRefused(0, { account, area });
    },
  };
  return { know, events };
}

function nameOf({ region, collection }: { region?: number; collection?: string }): string {
  return JSON.stringify([region, collection]);
}
