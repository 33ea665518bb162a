import type { Plan, PlanFinding } from '../../contract/index.js';
import { align } from './align.js';

/** A plan as text: whether it is ready, its findings, its calls. */
export function renderPlan({
  operation,
  ready,
  findings,
  adopts,
  calls,
  irreversible,
  price,
}: Plan): string[] {
  return [
    `${operation}: ${ready ? 'ready' : 'not ready'}`,
    ...align(
      findings.map(({ severity, path, ...rest }) => [
        `  ${severity}`,
        path ?? '',
        describeFinding(rest),
      ]),
    ),
    ...(price === undefined ? [] : [`Would cost ${describePrice(price)}`]),
    ...section(
      'Would adopt these existing resources:',
      adopts.map(({ kind, id }) => [`  ${kind}`, id]),
    ),
    ...section(
      'Would send:',
      calls.map(({ method, path, purpose, times }) => [
        `  ${method}`,
        path,
        times === undefined ? purpose : `${purpose} (${times} calls)`,
      ]),
    ),
    ...section(
      'Cannot be undone:',
      irreversible.map((text) => [`  ${text}`]),
    ),
  ];
}

function describePrice({ perHour, perMonth, currency }: NonNullable<Plan['price']>): string {
  return `${perHour} ${currency} an hour, about ${perMonth} ${currency} a month`;
}

function section(title: string, rows: string[][]): string[] {
  return rows.length === 0 ? [] : [title, ...align(rows)];
}

function describeFinding({ message, advice }: Pick<PlanFinding, 'message' | 'advice'>): string {
  return advice === undefined ? message : `${message.replace(/\.$/, '')}. ${advice}`;
}
