import type { Hono } from 'hono';

import { Scope } from '../../tokens/token-file.js';
import { audited } from '../audit.js';
import { findRunNow } from '../find-run.js';
import type { GatewayContext, GatewayEnv, GatewayParts } from '../gateway-context.js';
import { refuseWithoutScope } from '../middleware.js';
import { ProblemError, type Problem } from '../problem.js';
import { readReportLines, toStream, type ReportLine } from '../report-lines.js';
import { within } from '../within.js';
import { maskInput } from './mask-input.js';
import { asksForWhole, readWhole } from './whole-input.js';

const WITHIN_MS = 15_000;
/** Temporal takes no larger payload. */
const MOST_BYTES = 4 * 1_024 ** 2;

/** What the page of a run shows in part, as files. */
export function addRunFiles(pages: Hono<GatewayEnv>, parts: GatewayParts): void {
  pages.get('/runs/:id/result.json', (c) => answerStored(parts, c, 'result'));
  pages.get('/runs/:id/input.json', (c) => answerStored(parts, c, 'input'));
  for (const [name, isWanted] of Object.entries(LISTS)) {
    pages.get(`/runs/:id/${name}.csv`, (c) => answerLines(parts, c, { isWanted, ...CSV }));
    pages.get(`/runs/:id/${name}.jsonl`, (c) => answerLines(parts, c, { isWanted, ...JSON_LINES }));
  }
}

const LISTS = {
  report: () => true,
  failed: ({ outcome }: ReportLine) => outcome === 'failed' || outcome === 'untried',
};

async function answerStored(
  parts: GatewayParts,
  c: GatewayContext,
  what: 'input' | 'result',
): Promise<Response> {
  const { gcore, board, audit } = parts;
  refuseWithoutScope(c.get('caller'), Scope.read);
  const isWhole = what === 'input' && asksForWhole(c);
  const view = await findRunNow({ board, gcore }, c);
  const { workflowId, operation } = view;
  const read = () =>
    c.get('makeLarge')(() => within(gcore, WITHIN_MS, () => gcore.history(view, MOST_BYTES)));
  const history = isWhole
    ? await readWhole(parts, { c, workflowId }, read)
    : await audited(audit, { c, action: what, workflowId }, read);
  const stored = history[what];
  if (stored === undefined || 'left' in stored)
    throw new ProblemError(unreadable(what, workflowId));
  const isMasked = what === 'input' && !isWhole;
  const value = isMasked ? maskInput(operation, stored.value) : stored.value;
  return c.body(JSON.stringify(value), 200, { 'Content-Type': 'application/json' });
}

function unreadable(what: 'input' | 'result', workflowId: string): Problem {
  return {
    status: 404,
    code: 'NotStored',
    title: `There is no ${what} to read`,
    detail: `The run has no ${what} yet, the server has deleted it, or this gateway has no key for it.`,
    advice:
      'Open the page of the run. A gateway reads what is encrypted with GCORE_CODEC_KEYS_FILE.',
    workflowId,
  };
}

interface Form {
  isWanted: (line: ReportLine) => boolean;
  type: string;
  head: string;
  toText: (line: ReportLine) => string;
}

const JSON_LINES = {
  type: 'application/jsonl',
  head: '',
  toText: (line: ReportLine) => `${JSON.stringify(line)}\n`,
};

/** The second one tells what it became: a video, or a run. */
const COLUMNS = ['line', 'id', 'outcome', 'class', 'text'] as const;

const CSV = {
  type: 'text/csv; charset=utf-8',
  head: `${COLUMNS.join(',')}\r\n`,
  toText: (line: ReportLine) => `${cellsOf(line).map(toCell).join(',')}\r\n`,
};

function cellsOf(line: ReportLine): (string | number | undefined)[] {
  const id = 'workflowId' in line ? line.workflowId : 'id' in line ? line.id : undefined;
  const cells = { ...line, id };
  return COLUMNS.map((name) => cells[name]);
}

/** RFC 4180. A text of the API must not become a formula in a spreadsheet. */
export function toCell(value: string | number | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function answerLines(
  parts: GatewayParts,
  c: GatewayContext,
  { type, ...form }: Form,
): Promise<Response> {
  refuseWithoutScope(c.get('caller'), Scope.read);
  const lines = await readReportLines(parts, c);
  const name = new URL(c.req.url).pathname.split('/').at(-1) ?? 'report';
  return c.body(toStream(textsOf(lines, form)), 200, {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}"`,
  });
}

function* textsOf(
  lines: Iterable<ReportLine>,
  { isWanted, head, toText }: Omit<Form, 'type'>,
): Generator<string> {
  if (head !== '') yield head;
  for (const line of lines) if (isWanted(line)) yield toText(line);
}
