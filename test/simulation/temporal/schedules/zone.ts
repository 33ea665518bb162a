export interface LocalDay {
  year: number;
  month: number;
  day: number;
  /** 0 is Sunday. */
  weekday: number;
}

export interface LocalTime extends LocalDay {
  hour: number;
  minute: number;
  second: number;
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** Making a format costs far more than using it. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const existing = FORMATS.get(zone);
  if (existing !== undefined) return existing;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  FORMATS.set(zone, format);
  return format;
}

/** What a clock of this time zone shows. @throws RangeError for an unknown zone */
export function localTime(at: number, zone: string): LocalTime {
  const shown = new Map<string, number>();
  for (const { type, value } of formatOf(zone === '' ? 'UTC' : zone).formatToParts(at)) {
    shown.set(type, Number(value));
  }
  const read = (type: string): number => shown.get(type) ?? 0;
  const [year, month, day] = [read('year'), read('month'), read('day')];
  return {
    year,
    month,
    day,
    weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay(),
    hour: read('hour'),
    minute: read('minute'),
    second: read('second'),
  };
}

/** When a clock of this zone shows this. Undefined for a time that the change to summer time leaves out. */
export function utcOf(local: LocalTime, zone: string): number | undefined {
  const { year, month, day, hour, minute, second } = local;
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  let at = asUtc;
  for (let tries = 0; tries < 3; tries += 1) {
    const shown = localTime(at, zone);
    const shownAsUtc = Date.UTC(
      shown.year,
      shown.month - 1,
      shown.day,
      shown.hour,
      shown.minute,
      shown.second,
    );
    if (shownAsUtc === asUtc) return at;
    at += asUtc - shownAsUtc;
  }
  return undefined;
}
