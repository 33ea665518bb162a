import { readFileSync } from 'node:fs';

import { OPERATION_CASES } from '../../../test/support/operations/index.js';
import { measureCosts, type RunCosts } from '../../costs/measure-costs.js';
import { withTemporal } from '../../with-temporal.js';
import type { FigureDefinition } from '../definition.js';
import type { FigureRow, Measured } from '../document/figure.js';

const BUNDLE = 'dist/workflow-bundle.js';
const KIB = 1_024;

export const costs: FigureDefinition = {
  id: 'costs',
  title: 'What one run costs',
  about: `A run of each operation without problems, with a small input (\`listSshKeys\`: 2,500 keys). *Requests* are without the reads of tasks, which the watcher makes for all runs of an
account together. *Commands* are what the workflow asks of the Temporal server: activities, timers, children, markers. *Payloads* are the inputs and results of the run and its
activities. \`test/bench/budgets.server.test.ts\` holds all of these exactly; events may differ by a few workflow tasks.`,
  columns: [
    { key: 'operation', title: 'operation' },
    { key: 'where', title: 'with' },
    { key: 'requests', title: 'requests' },
    { key: 'commands', title: 'commands' },
    { key: 'events', title: 'events' },
    { key: 'payloads', title: 'payloads', unit: 'KiB' },
    { key: 'largest', title: 'largest', unit: 'KiB' },
  ],
  chart: { kind: 'bar', x: 'operation', series: 'where', panels: [['requests'], ['events']] },
  parts: ['all operations'],
  minutes: 1,
  async measure(_, size) {
    let measured: Measured = { rows: [] };
    await withTemporal({ exactTimers: true }, async () => {
      const rows: FigureRow[] = [];
      for (const each of size === 'quick' ? OPERATION_CASES.slice(0, 2) : OPERATION_CASES) {
        rows.push(toRow(each, await measureCosts(each)));
      }
      measured = { rows, remarks: [describeBundle()] };
    });
    return measured;
  },
};

/** As `test/replay/stored-histories.test.ts` counts it, which holds it below 900 KiB. */
function describeBundle(): string {
  const code = readFileSync(BUNDLE, 'utf8')
    .replace(/\/\/# sourceMappingURL=.*$/s, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
  return `The workflow bundle has ${Math.round(code.length / KIB)} KiB without its comments.`;
}

function toRow({ operation, where }: (typeof OPERATION_CASES)[number], run: RunCosts): FigureRow {
  const total = (counts: Record<string, number>): number =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    operation,
    where: where ?? 'a plain input',
    requests: total(run.requests),
    commands: total(run.commands),
    events: run.events,
    payloads: run.payloadBytes / KIB,
    largest: run.largestPayloadBytes / KIB,
  };
}
