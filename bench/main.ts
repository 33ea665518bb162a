/**
 * `npm run bench -- NAME [--part PART] [--quick] [--SETTING VALUE ...]` measures one bench and prints it; `--list` names all with their settings.
 * `npm run bench -- all [--only ID,ID] [--again] [--server-label NAME]` measures the figures of docs/figures.md and writes that page;
 * `npm run bench -- render` writes it again without measuring.
 *
 * Each part runs in a process of its own, with a Temporal server of its own. `all` skips what was measured on this commit, so an interrupted
 * run continues; `--again` measures it once more. With `--quick`, or settings of one's own, it writes to .cache/figures. With
 * TEMPORAL_ADDRESS, the figures per server are measured on that server, under the name `--server-label`.
 */
import { parseArgs } from 'node:util';

import type { Bench } from './bench.js';
import { BENCHES, PUBLISHED } from './benches.js';
import type { FigurePart } from './document/figure.js';
import { renderParts } from './document/page.js';
import { createFigureStore, currentFigure, pretty, type Published } from './document/store.js';
import { isKnown, measureAll, publish } from './measure.js';
import type { Job } from './run-part.js';

const toKebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const toCamel = (name: string) =>
  name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
const names = [...new Set(BENCHES.flatMap(({ settings }) => Object.keys(settings)))].map(toKebab);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' } as const])),
    list: { type: 'boolean', default: false },
    only: { type: 'string' },
    part: { type: 'string' },
    quick: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    'server-label': { type: 'string' },
  },
});
const given = Object.fromEntries(
  Object.entries(values)
    .filter((entry): entry is [string, string] => names.includes(entry[0]))
    .map(([name, value]) => [toCamel(name), value]),
);
const size = values.quick ? 'quick' : 'full';

const [name] = positionals;
if (values.list || name === undefined) list();
else if (name === 'render') await render();
else if (name === 'all') await measurePage();
else await print(benchOf(name, BENCHES));

function list(): void {
  const lines = BENCHES.flatMap(({ id, minutes, summary, parts, settings }) => {
    const words = Object.entries(settings).map(
      ([key, value]) => `--${toKebab(key)} ${String(value)}`,
    );
    const named = parts.length > 1 && parts !== 'per server' ? `parts: ${parts.join('; ')}` : '';
    const more = [words.join(' '), named].filter((text) => text !== '');
    const head = `${id.padEnd(12)} ${String(minutes).padStart(4)} min  ${summary}`;
    return [head, ...more.map((text) => `${' '.repeat(23)}${text}`)];
  });
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function render(): Promise<void> {
  const store = createFigureStore('docs');
  await store.render(PUBLISHED.map((each) => currentFigure(each, store.read(each.id))));
  process.stdout.write(`${store.page}\n`);
}

async function measurePage(): Promise<void> {
  const chosen =
    values.only?.split(',').map((id) => benchOf(id, PUBLISHED)) ??
    PUBLISHED.filter(({ page }) => page.isApart !== true);
  const isFull = size === 'full' && Object.keys(given).length === 0;
  const store = createFigureStore(isFull ? 'docs' : '.cache/figures');
  const jobs = chosen.flatMap(jobsOf);
  const open = isFull && !values.again ? jobs.filter((job) => !isKnown(job, store)) : jobs;
  const failures = await publish(open, { store, all: PUBLISHED });
  process.stdout.write(`${store.page}\n`);
  process.exitCode = failures === 0 ? 0 : 1;
}

async function print(bench: Bench): Promise<void> {
  const parts: FigurePart[] = [];
  const failures = await measureAll(jobsOf(bench), ({ part }, ended) => {
    parts.push({ name: part, ...ended });
  });
  const text = await pretty(renderParts({ columns: bench.columns, parts }), 'markdown');
  process.stdout.write(text);
  process.exitCode = failures === 0 ? 0 : 1;
}

function benchOf<B extends Bench>(id: string, all: readonly B[]): B {
  const found = all.find((bench) => bench.id === id);
  if (found === undefined)
    return refuse(`No ${id}: choose of ${all.map((each) => each.id).join(', ')}`);
  const foreign = Object.keys(given).filter((key) => !(key in found.settings));
  if (foreign.length > 0) refuse(`${id} has no --${foreign.map(toKebab).join(', --')}`);
  return found;
}

/** The parts that are asked for, by their name or how it begins. */
function jobsOf<B extends Bench | Published>(bench: B): Job<B>[] {
  const { part: only } = values;
  const all = bench.parts === 'per server' ? [serverLabel()] : bench.parts;
  const exact = all.filter((part) => part === only);
  const wanted = exact.length > 0 ? exact : all.filter((part) => part.startsWith(only ?? ''));
  if (wanted.length === 0) refuse(`No part ${only ?? ''}: choose of ${all.join(', ')}`);
  const measured = size === 'quick' ? wanted.slice(0, 1) : wanted;
  return measured.map((part) => ({ bench, part, size, given }));
}

function serverLabel(): string {
  const { 'server-label': label } = values;
  if (process.env['TEMPORAL_ADDRESS'] !== undefined && label === undefined)
    refuse('TEMPORAL_ADDRESS is set: name its server with --server-label');
  return label ?? 'development server';
}

function refuse(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(64);
}
