import type { FaultAction } from '../../../src/simulator/index.js';
import type { Scenario } from '../runs/scenario.js';

/** The ways in which an API fails to answer. */
export const OUTAGE_FORMS = ['503', 'refused', 'timeout', 'html', '429', '429-plain'] as const;
export type OutageForm = (typeof OUTAGE_FORMS)[number];

const HTML = '<html><head><title>502 Bad Gateway</title></head><body></body></html>';

function actionOf(form: Exclude<OutageForm, 'refused'>, retryAfter: string): FaultAction {
  switch (form) {
    case '503':
      return { kind: 'status', status: 503 };
    case 'timeout':
      return { kind: 'hang' };
    case 'html':
      return { kind: 'status', status: 502, body: HTML, contentType: 'text/html' };
    case '429':
      return { kind: 'status', status: 429, retryAfter };
    case '429-plain':
      return { kind: 'status', status: 429 };
  }
}

type Api = Pick<Scenario, 'simulator' | 'setListening'>;

/** An outage of the simulated API until `end`. Hanging requests keep hanging after it. */
export function createOutage({ simulator, setListening }: Api, retryAfter: string) {
  return {
    async take(form: OutageForm): Promise<void> {
      // One form begins before the other ends: an answer in between would end the outage.
      if (form === 'refused') {
        await setListening(false);
        simulator.faults.clear();
        return;
      }
      simulator.faults.clear();
      simulator.faults.add({ match: { times: Infinity }, action: actionOf(form, retryAfter) });
      await setListening(true);
    },
    async end(): Promise<void> {
      simulator.faults.clear();
      await setListening(true);
    },
  };
}
