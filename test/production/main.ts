/**
 * `npm run test:production [-- --only installation,image,chart]`: the packages, and the product on a server as production has
 * it (docs/production-test.md). Installs and builds what it needs, into the user's cache (PRODUCTION_CACHE). Prints one table.
 */
import { parseArgs } from 'node:util';

import { say, tableOf, type Row } from './report.js';
import { openProductionServer, type ProductionServer } from './server/production-server.js';

/** Each part is loaded when it is its turn: the chart needs no worker. */
const WITHOUT_SERVER = {
  files: async () => (await import('./parts/files.js')).checkFiles(),
  compose: async () => (await import('./parts/compose.js')).checkCompose(),
  chart: async () => (await import('./parts/chart.js')).checkChart(),
} as const;

const WITH_SERVER = {
  installation: async (server: ProductionServer) =>
    (await import('./parts/installation.js')).runInstallation(server),
  image: async (server: ProductionServer) => (await import('./parts/image.js')).checkImage(server),
  figures: async (server: ProductionServer) =>
    (await import('./parts/figures.js')).measureFigures(server),
  matrix: async (server: ProductionServer) => (await import('./parts/matrix.js')).runMatrix(server),
} as const;

const NAMES = [...Object.keys(WITHOUT_SERVER), ...Object.keys(WITH_SERVER)];
const { values } = parseArgs({ options: { only: { type: 'string', default: NAMES.join(',') } } });
const wanted = values.only.split(',');
const unknown = wanted.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`--only: no part ${unknown.join(', ')}; there are ${NAMES.join(', ')}\n`);
  process.exit(64);
}

/** A part that fails does not hide the others. */
async function rowsOf(name: string, part: () => Promise<Row[]>): Promise<Row[]> {
  if (!wanted.includes(name)) return [];
  say(`== ${name}`);
  try {
    const rows = await part();
    for (const { what, result, isSound } of rows) {
      if (isSound === false) say(`FAILED ${name}, ${what}: ${result}`);
    }
    return rows;
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    say(`FAILED ${name}: ${text}`);
    return [
      { part: name, what: 'ran to its end', result: text.split('\n', 1).join(''), isSound: false },
    ];
  }
}

const rows: Row[] = [];
for (const [name, part] of Object.entries(WITHOUT_SERVER)) rows.push(...(await rowsOf(name, part)));
if (Object.keys(WITH_SERVER).some((name) => wanted.includes(name))) {
  const server = await openProductionServer();
  for (const [name, part] of Object.entries(WITH_SERVER)) {
    rows.push(...(await rowsOf(name, () => part(server))));
  }
  await server.close();
}
process.stdout.write(`${tableOf(rows)}\n`);
process.exit(rows.every(({ isSound }) => isSound !== false) ? 0 : 1);
