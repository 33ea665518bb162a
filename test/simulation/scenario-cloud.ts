import { createSimulator, type Simulator } from '../../src/simulator/index.js';
import type { ScenarioOptions } from '../support/runs/scenario.js';
import { outsideProcesses } from './time/processes.js';

export type Cloud = ReturnType<typeof openCloud>;

interface CloudOptions extends ScenarioOptions {
  apiKey?: string;
  speed: number;
}

/** The cloud, and the way to it. What a test fetches by hand reaches it too. */
export function openCloud({ speed, line, ...options }: CloudOptions) {
  let aheadMs = 0;
  let isListening = true;
  const simulator: Simulator = createSimulator({
    unknownFields: 'refused',
    ...options,
    now: () => Date.now() + aheadMs,
    timeScale: 1 / speed,
  });
  const reach: typeof fetch = (input, init) => {
    if (!isListening) return Promise.reject(refused());
    return outsideProcesses(() => simulator.fetch(input, init));
  };
  const before = globalThis.fetch;
  globalThis.fetch = reach;
  const viaLine: typeof fetch = async (input, init) => {
    if (line === undefined) return reach(input, init);
    return line(new Request(input, init)).catch(() => Promise.reject(broken()));
  };
  return {
    simulator,
    fetch: viaLine,
    setAhead: (ms: number): void => {
      aheadMs = ms;
    },
    setListening: (isWanted: boolean): Promise<void> => {
      isListening = isWanted;
      return Promise.resolve();
    },
    close: (): void => {
      globalThis.fetch = before;
    },
  };
}

function refused(): TypeError {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  return new TypeError('fetch failed', { cause });
}

function broken(): TypeError {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  return new TypeError('fetch failed', { cause });
}
