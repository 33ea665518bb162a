import { measureAccounts, type AccountsSample } from '../../accounts/measure-accounts.js';
import { slopeOf } from '../../least-squares.js';
import type { FigureDefinition } from '../definition.js';
import type { Measured } from '../document/figure.js';

const PLANS = {
  full: { steps: [1, 5, 10, 20, 40], settleMs: 15_000, measureMs: 30_000 },
  quick: { steps: [1, 2], settleMs: 1_000, measureMs: 1_000 },
} as const;

export const accounts: FigureDefinition = {
  id: 'accounts',
  title: 'Accounts of one process',
  about: `The worker of \`npm start\` with metrics and nothing to do, by the number of accounts in its file. *Open polls* are its long polls at the Temporal server. CPU is that
of the whole process. The watcher of each account runs, and reads no task because none is awaited.`,
  columns: [
    { key: 'accounts', title: 'accounts' },
    { key: 'resident', title: 'resident', unit: 'MiB' },
    { key: 'polls', title: 'open polls' },
    { key: 'cpu', title: 'CPU per second', unit: 'ms' },
  ],
  chart: { kind: 'line', x: 'accounts', panels: [['resident'], ['polls']] },
  parts: ['one process'],
  minutes: 5,
  measure: async (_, size) => toMeasured(await measureAccounts(PLANS[size])),
};

function toMeasured(samples: readonly AccountsSample[]): Measured {
  const perAccount = (of: (sample: AccountsSample) => number): string =>
    slopeOf(samples.map((sample) => ({ x: sample.accounts, y: of(sample) }))).toFixed(1);
  const memory = perAccount(({ residentMib }) => residentMib);
  const polls = perAccount(({ polls: open }) => open);
  return {
    rows: samples.map(({ accounts: count, residentMib, polls: open, cpuMsPerSecond }) => ({
      accounts: count,
      resident: residentMib,
      polls: open,
      cpu: cpuMsPerSecond,
    })),
    remarks: [`One account more takes ${memory} MiB and ${polls} polls (least squares).`],
  };
}
