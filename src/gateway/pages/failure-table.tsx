import type { FC } from 'hono/jsx';

import type { ImportReport } from '../../contract/operations/types.js';
import { reportLines, type ItemResult } from '../../contract/report-lines.js';
import { countRanges } from '../../engine/core/number-ranges.js';
import { cutText } from '../../engine/core/text.js';

/** What failed for one reason. */
export interface FailureGroup {
  class: string;
  /** What the API said. */
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
          <th scope="col">What the API said</th>
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

function failuresOf({ failed }: ImportReport): FailureGroup[] {
  return failed
    .map(({ class: name, text, lines }) => ({
      class: name,
      text,
      count: countRanges(lines),
      which: lines,
    }))
    .sort((one, other) => other.count - one.count);
}

/** What became of the lines of an import. */
export interface ItemsSummary {
  counts: Record<ItemResult['outcome'], number>;
  failures: FailureGroup[];
}

/** Of a report with 100,000 lines this takes some tens of milliseconds. */
export function summaryOfItems(report: ImportReport): ItemsSummary {
  const counts = { created: 0, viewable: 0, ready: 0, failed: 0, pending: 0, untried: 0 };
  for (const { outcome } of reportLines(report)) counts[outcome] += 1;
  return { counts, failures: failuresOf(report) };
}
