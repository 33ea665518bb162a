import type { FC } from 'hono/jsx';

import type { ReportLine } from '../report-lines.js';
import { toRanges } from '../../engine/core/number-ranges.js';
import { cutText } from '../../engine/core/text.js';

/** What failed for one reason. */
export interface FailureGroup {
  class: string;
  /** Such as what the API said. */
  text: string;
  count: number;
  /** Which ones, such as `3 17-20`. */
  which: string;
}

/** Longer lists stand in the files. */
const MOST_GROUPS = 20;
const MOST_TEXT_BYTES = 300;
const MOST_WHICH = 160;

/** Failures by their class, the most frequent first. */
export const FailureTable: FC<{ groups: readonly FailureGroup[]; which: string }> = ({
  groups,
  which,
}) => (
  <div class="scroll" tabindex={0} role="region" aria-label="Failures by class">
    <table>
      <thead>
        <tr>
          <th scope="col">Class</th>
          <th scope="col" class="number">
            Count
          </th>
          <th scope="col">Reason</th>
          <th scope="col">{which}</th>
        </tr>
      </thead>
      <tbody>
        {groups.slice(0, MOST_GROUPS).map((group) => (
          <tr>
            <th scope="row">{group.class}</th>
            <td class="number">{group.count}</td>
            <td>{cutText(group.text, MOST_TEXT_BYTES)}</td>
            <td>
              <code>{cutRanges(group.which)}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {groups.length > MOST_GROUPS && (
      <p>{groups.length - MOST_GROUPS} more rows are in the files.</p>
    )}
  </div>
);

/** Whole numbers only. */
function cutRanges(text: string): string {
  if (text.length <= MOST_WHICH) return text;
  return `${text.slice(0, text.lastIndexOf(' ', MOST_WHICH))} …`;
}

/** What became of the items of a bulk run. */
export interface ItemsSummary {
  counts: Partial<Record<ReportLine['outcome'], number>>;
  /** Of the items that failed, and of those that wait for a person. */
  failures: FailureGroup[];
}

const NAMED: ReadonlySet<ReportLine['outcome']> = new Set(['failed', 'blocked']);

/** Of a report with 100,000 lines this takes some tens of milliseconds. */
export function summaryOfItems(lines: Iterable<ReportLine>): ItemsSummary {
  const counts: ItemsSummary['counts'] = {};
  const groups = new Map<string, Omit<FailureGroup, 'count' | 'which'> & { lines: number[] }>();
  for (const { line, outcome, class: given = outcome, text = '' } of lines) {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (!NAMED.has(outcome)) continue;
    const name = outcome === 'blocked' ? `blocked: ${given}` : given;
    const key = `${name} ${text}`;
    const group = groups.get(key) ?? { class: name, text, lines: [] };
    group.lines.push(line);
    groups.set(key, group);
  }
  const failures = [...groups.values()].map(({ lines: which, ...group }) => ({
    ...group,
    count: which.length,
    which: toRanges(which),
  }));
  return { counts, failures: failures.sort((one, other) => other.count - one.count) };
}
