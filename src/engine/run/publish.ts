import { SearchAttributeType, defineSearchAttributeKey } from '@temporalio/common';
import { upsertMemo, upsertSearchAttributes } from '@temporalio/workflow';

import { triesAs } from '../core/failures.js';
import { searchableLabels } from '../core/labels.js';
import type { PreparedRun } from '../core/prepared-run.js';
import type { Product } from '../core/product.js';
import { Phase } from '../core/status.js';
import { oneLine, firstThatFit } from '../core/text.js';
import { webhookRemarks } from '../core/webhooks.js';
import type { Ledger } from './ledger.js';
import type { StatusDocument, StepStatus } from '../schema/status-document.js';

/** The status document as Markdown for the Temporal UI ("current details" of a run). */
export function toMarkdown(status: StatusDocument): string {
  const lines = [`**${status.phase}**`, '', '| step | state | known |', '| --- | --- | --- |'];
  for (const step of status.steps) {
    lines.push(`| ${step.name} | ${step.state} | ${describeStep(step)} |`);
  }
  const { waiting, blocked, failure } = status;
  const ends = (deadline: string | undefined): string =>
    deadline === undefined ? '' : `; gives up at ${deadline}`;
  if (waiting !== undefined) {
    const state = waiting.state === undefined ? '' : ` (${waiting.state})`;
    const usual =
      waiting.typicalSeconds === undefined ? '' : `, usually done in ${waiting.typicalSeconds} s`;
    const watched = waiting.watched === true ? '; a worker watches it' : '';
    const next =
      waiting.nextCheckAt === undefined ? watched : `; next look at ${waiting.nextCheckAt}`;
    const last = waiting.endsBy === undefined ? '' : `; ends by ${waiting.endsBy}`;
    lines.push(
      '',
      `Waiting for ${waiting.for}${state} since ${waiting.since}${usual}${next}${last}${ends(waiting.deadline)}.`,
    );
  }
  if (blocked !== undefined) {
    const { type, message, advice, since, nextCheckAt, deadline } = blocked;
    const next = nextCheckAt === undefined ? '' : `; ${triesAs(type)} again at ${nextCheckAt}`;
    lines.push(
      '',
      `Blocked (${type}) since ${since}${next}${ends(deadline)}. ${message} ${advice}`,
    );
  }
  if (failure !== undefined) {
    const { type, message, advice, since } = failure;
    lines.push('', `Failed (${type}) at ${since}. ${message} ${advice}`);
  }
  for (const remark of [...describeAsked(status), ...webhookRemarks(status)])
    lines.push('', remark);
  return lines.join('\n');
}

/** The last thing that was asked of the run. The name is code, which Markdown makes no link of. */
function describeAsked({ asked = [] }: StatusDocument): string[] {
  const last = asked.at(-1);
  return last === undefined ? [] : [`Last asked: ${last.for}, by \`${last.by}\`, at ${last.at}.`];
}

function describeStep(step: StepStatus): string {
  const resources = step.resources.map(({ kind, id }) => `${kind} \`${id}\``);
  const tasks = step.taskIds.map((id) => `task \`${id}\``);
  const known = [...resources, ...tasks, step.note].filter(Boolean).join(', ');
  // A bar or a line break would end the cell.
  return oneLine(known).replaceAll('|', '\\|');
}

/** Temporal refuses a workflow task with a larger value, and ends the run. */
const MAX_VALUE_BYTES = 2_000;

/** The first ones, about 50. A run names the most important one first. */
function searchableIds(ledger: Ledger): string[] {
  return firstThatFit(ledger.searchable(), MAX_VALUE_BYTES);
}

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);
const keywords = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD_LIST);

interface Published {
  ledger: Ledger;
  product: Pick<Product, 'searchAttributes'>;
}

/** Each update of search attributes costs an event, so a wait counts as `running`, unless it holds something. */
export function publish(
  prepared: PreparedRun | undefined,
  { ledger, product: { searchAttributes: names } }: Published,
): void {
  if (prepared?.policy.searchAttributes !== true) return;
  const { phase, waiting } = ledger.document();
  const isWaiting = phase === Phase.waiting;
  const { labels } = prepared;
  upsertSearchAttributes([
    { key: keyword(names.phase), value: isWaiting ? (waiting?.holds ?? Phase.running) : phase },
    { key: keyword(names.account), value: prepared.account },
    { key: keywords(names.resourceId), value: searchableIds(ledger) },
    ...(labels === undefined
      ? []
      : [{ key: keywords(names.labels), value: searchableLabels(labels) }]),
  ]);
}

/** The labels of a corrected input: lists find the run by these from now on, and by no other. */
export function publishLabels(
  { labels, policy }: PreparedRun,
  { searchAttributes: names }: Published['product'],
): void {
  if (!policy.searchAttributes) return;
  const value = labels === undefined ? null : searchableLabels(labels);
  upsertSearchAttributes([{ key: keywords(names.labels), value }]);
}

/** Keeps what the input leaves to the worker: see `Product`. */
export function keepPrepared(
  prepared: PreparedRun,
  input: unknown,
  { kept }: Pick<Product, 'kept'>,
): void {
  const memo = kept?.(prepared, input);
  if (memo !== undefined) upsertMemo(memo);
}
