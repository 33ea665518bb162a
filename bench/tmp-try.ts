import { measureWay } from './waiting/measure-way.js';
import { WAYS } from './waiting/ways.js';
for (const way of WAYS) {
  const figures = await measureWay(way, { runs: 30, taskSeconds: 30, maxUnsent: 40, watchedMs: 500, limitMs: 6_000 });
  process.stdout.write(`${way.name} ${JSON.stringify({ ...figures, noticed: figures.noticed.slice(0, 3).map(String) })}\n`);
}
process.stdout.write('closed\n');
process.exit();
