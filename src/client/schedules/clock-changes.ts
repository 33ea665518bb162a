const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAYS_AHEAD = 370;

/** A day on which the clock of a zone is changed, and a time of the day is not there once. */
export interface ClockChange {
  /** Such as `2027-03-28`, in the zone. */
  date: string;
  time: string;
  /** `missing`: nothing starts then. `twice`: a run starts at each of both. */
  effect: 'missing' | 'twice';
}

/**
 * The days of the coming year on which one of these times of the day is missing or comes twice, because
 * the clock of the zone is changed. Temporal goes by the clock alone, and starts none or two runs then.
 */
export function clockChanges(
  { at, zone }: { at: readonly string[]; zone: string },
  now: number,
): ClockChange[] {
  const offsetAt = offsetsOf(zone);
  const changes: ClockChange[] = [];
  for (let day = 0; day < DAYS_AHEAD; day++) {
    const from = now + day * DAY_MS;
    const [before, after] = [offsetAt(from), offsetAt(from + DAY_MS)];
    if (before === after) continue;
    const changed = momentOfChange(offsetAt, from);
    changes.push(...affected(at, { changed, before, after }));
  }
  return changes;
}

type OffsetAt = (time: number) => number;

/** The offset from UTC in milliseconds. */
function offsetsOf(zone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return (time) => {
    const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value;
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? [];
    const total = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
    return sign === '-' ? -total : total;
  };
}

/** The first minute with the new offset, within the day after `from`. */
function momentOfChange(offsetAt: OffsetAt, from: number): number {
  let early = Math.floor(from / MINUTE_MS);
  let late = Math.ceil((from + DAY_MS) / MINUTE_MS);
  const before = offsetAt(from);
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (offsetAt(middle * MINUTE_MS) === before) early = middle;
    else late = middle;
  }
  return late * MINUTE_MS;
}

/** The clock jumps from one of these local times to the other. */
function affected(
  at: readonly string[],
  { changed, before, after }: { changed: number; before: number; after: number },
): ClockChange[] {
  const [first, last] = [changed + Math.min(before, after), changed + Math.max(before, after)];
  const effect = after > before ? 'missing' : 'twice';
  const date = new Date(first).toISOString().slice(0, 10);
  return at
    .filter((time) => {
      const local = Date.parse(`${date}T${time}:00Z`);
      return local >= first && local < last;
    })
    .map((time) => ({ date, time, effect }));
}
