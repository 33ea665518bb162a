import { fromRanges, toRanges } from '../../engine/core/number-ranges.js';

/** Groups lines by class and text, for example of their failures. */
export interface LineGroups {
  add(group: LineGroup, line: number): void;
  remove(line: number): void;
  count(): number;
  countByClass(): Record<string, number>;
  /** In the order of the first lines, with the lines as ranges. */
  groups(): (LineGroup & { lines: string })[];
}

export interface LineGroup {
  class: string;
  text: string;
}

/** Further texts become one: the report of a run has to fit into one payload. */
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
    remove(line) {
      for (const [key, { numbers }] of groups) {
        const at = numbers.indexOf(line);
        if (at < 0) continue;
        numbers.splice(at, 1);
        if (numbers.length === 0) groups.delete(key);
      }
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
      [...groups.values()].map(({ numbers, ...group }) => ({
        ...group,
        lines: toSortedRanges(numbers),
      })),
  };
}

/** The numbers in rising order, as ranges. */
export function toSortedRanges(numbers: Iterable<number>): string {
  return toRanges([...numbers].sort((a, b) => a - b));
}
