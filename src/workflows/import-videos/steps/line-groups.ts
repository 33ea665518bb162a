import { fromRanges, toRanges } from '../../../contract/number-ranges.js';

/** Lines by what they have in common: the class and the text of a failure, say. */
export interface LineGroups {
  add(group: LineGroup, line: number): void;
  count(): number;
  countByClass(): Record<string, number>;
  /** In the order of their first lines; lines as ranges. */
  groups(): (LineGroup & { lines: string })[];
}

export interface LineGroup {
  class: string;
  text: string;
}

/** More texts than this are summed up: the report of a run has to fit into one payload. */
const MAX_TEXTS = 200;
const OTHER_TEXTS = 'another reason';

export function createLineGroups(before: readonly (LineGroup & { lines: string })[]): LineGroups {
  const groups = new Map<string, LineGroup & { numbers: number[] }>();
  const groupOf = ({ class: kind, text }: LineGroup): number[] => {
    const key = `${kind} ${text}`;
    const known = groups.get(key);
    if (known !== undefined) return known.numbers;
    if (groups.size >= MAX_TEXTS && text !== OTHER_TEXTS) {
      return groupOf({ class: kind, text: OTHER_TEXTS });
    }
    const numbers: number[] = [];
    groups.set(key, { class: kind, text, numbers });
    return numbers;
  };
  for (const { lines, ...group } of before) {
    for (const line of fromRanges(lines)) groupOf(group).push(line);
  }
  return {
    add(group, line) {
      groupOf(group).push(line);
    },
    count: () => [...groups.values()].reduce((sum, { numbers }) => sum + numbers.length, 0),
    countByClass() {
      const counts: Record<string, number> = {};
      for (const { class: kind, numbers } of groups.values()) {
        counts[kind] = (counts[kind] ?? 0) + numbers.length;
      }
      return counts;
    },
    groups: () =>
      [...groups.values()].map(({ numbers, ...group }) => ({ ...group, lines: sorted(numbers) })),
  };
}

/** As ranges, each number above the one before. */
export function sorted(numbers: Iterable<number>): string {
  return toRanges([...numbers].sort((a, b) => a - b));
}
