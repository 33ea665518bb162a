import type { Plan, PlanFinding } from '../../contract/index.js';
import { align } from './align.js';

/** A plan for a person: whether it is ready, what is wrong, what it would do. */
export function renderPlan({
  operation,
  ready,
  findings,
  adopts,
  calls,
  irreversible,
}: Plan): string[] {
  return [
    `${operation}: ${ready ? 'ready' : 'not ready'}`,
    ...align(
      findings.map(({ severity, path, ...rest }) => [`  ${severity}`, path ?? '', describeFinding(rest)]),
    ),
    ...section(
      'Would take over what is there:',
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
      'Cannot be taken back:',
      irreversible.map((text) => [`  ${text}`]),
    ),
  ];
}

function section(title: string, rows: string[][]): string[] {
  return rows.length === 0 ? [] : [title, ...align(rows)];
}

function describeFinding({ message, advice }: Pick<PlanFinding, 'message' | 'advice'>): string {
  return advice === undefined ? message : `${message.replace(/\.$/, '')}. ${advice}`;
}
