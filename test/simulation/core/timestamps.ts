import Long from 'long';

export interface Timestamp {
  seconds?: Long | null;
  nanos?: number | null;
}

interface Spelled {
  seconds: number;
  nanos: number;
}

/** Whole seconds and nanoseconds: a number of milliseconds would lose the last digits, and replays compare them. */
function spell({ seconds, nanos }: Timestamp): Spelled {
  return { seconds: (seconds ?? Long.ZERO).toNumber(), nanos: nanos ?? 0 };
}

function join(seconds: number, nanos: number): Timestamp {
  return { seconds: Long.fromNumber(seconds), nanos };
}

export function fromMs(ms: number): Timestamp {
  const seconds = Math.floor(ms / 1000);
  const nanos = Math.round((ms - seconds * 1000) * 1e6);
  return nanos >= 1e9 ? join(seconds + 1, nanos - 1e9) : join(seconds, nanos);
}

export function toMs(time: Timestamp | null | undefined): number | undefined {
  if (time === null || time === undefined) return undefined;
  const { seconds, nanos } = spell(time);
  return seconds * 1000 + nanos / 1e6;
}

export function plusMs(time: Timestamp, ms: number): Timestamp {
  const { seconds, nanos } = spell(time);
  const total = nanos + Math.round(ms * 1e6);
  const carried = Math.floor(total / 1e9);
  return join(seconds + carried, total - carried * 1e9);
}

export function isBefore(a: Timestamp, b: Timestamp): boolean {
  const [x, y] = [spell(a), spell(b)];
  return x.seconds < y.seconds || (x.seconds === y.seconds && x.nanos < y.nanos);
}

/** As markers spell a time. */
export function toMarkerTime(time: Timestamp | null | undefined): Spelled | null {
  return time === null || time === undefined ? null : spell(time);
}

export function fromMarkerTime(value: unknown): Timestamp | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const seconds: unknown = Reflect.get(value, 'seconds');
  const nanos: unknown = Reflect.get(value, 'nanos');
  if (typeof seconds !== 'number' || typeof nanos !== 'number') return undefined;
  return join(seconds, nanos);
}
