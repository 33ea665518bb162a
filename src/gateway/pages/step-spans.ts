import type { HistorySpan } from '../../client/index.js';
import type { StepStatus } from '../../engine/schema/status-document.js';

/** The longest calls and waits of a step, in their order. */
export interface Assigned {
  shown: HistorySpan[];
  /** How many are left out. */
  more: number;
}

const MOST_OF_STEP = 4;
/** Of a run whose steps nobody knows. */
const MOST_OTHERS = 30;

interface Time {
  from: number;
  to: number;
}

/** Gives each call and wait to the step whose time fits it best. What goes on ends with the scale. */
export function assignSpans(
  steps: readonly StepStatus[],
  spans: readonly HistorySpan[],
  scale: Time,
): { ofSteps: Assigned[]; others: Assigned } {
  const times = steps.map(({ startedAt, endedAt }) =>
    startedAt === undefined ? undefined : timeOf({ from: startedAt, to: endedAt }, scale),
  );
  const groups: HistorySpan[][] = steps.map(() => []);
  const others: HistorySpan[] = [];
  for (const span of spans) {
    const time = timeOf(span, scale);
    const shares = times.map((step) => (step === undefined ? -1 : likeness(step, time)));
    const most = Math.max(-1, ...shares);
    (most <= -1 ? others : (groups[shares.indexOf(most)] ?? others)).push(span);
  }
  return {
    ofSteps: groups.map((group) => longest(group, MOST_OF_STEP, scale)),
    others: longest(others, MOST_OTHERS, scale),
  };
}

function timeOf({ from, to }: { from: string; to?: string | undefined }, scale: Time): Time {
  return { from: Date.parse(from), to: to === undefined ? scale.to : Date.parse(to) };
}

/** What two times share of the time that they take together; negative when they lie apart. */
function likeness(one: Time, other: Time): number {
  const shared = Math.min(one.to, other.to) - Math.max(one.from, other.from);
  const together = Math.max(one.to, other.to) - Math.min(one.from, other.from);
  return together === 0 ? 1 : shared / together;
}

/** What goes on and what has failed counts more than any time. */
function longest(spans: readonly HistorySpan[], most: number, scale: Time): Assigned {
  const weightOf = (span: HistorySpan): number => {
    const { from, to } = timeOf(span, scale);
    return span.end === undefined || span.end === 'failed' ? Infinity : to - from;
  };
  const kept = new Set(
    spans.toSorted((one, other) => weightOf(other) - weightOf(one) || 0).slice(0, most),
  );
  return { shown: spans.filter((span) => kept.has(span)), more: spans.length - kept.size };
}
