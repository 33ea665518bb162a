/** A secret that a test put somewhere, and how it must not come back. */
export interface Canary {
  /** Where a user put it, such as `instance.password`. */
  place: string;
  value: string;
  /** The form in which the worker sends it, when it is another one. */
  sent?: string;
}

let count = 0;

/** Unique from its first to its last eight characters, with signs that every encoding changes. */
export function canary(place: string, signs = `"é/ '\\\\`): Canary {
  count += 1;
  const number = String(count).padStart(2, '0');
  const value = `Qz${number}${digits(count)}${signs}${digits(count + 100)}${number}zQ`;
  return { place, value };
}

/** Without signs that a header or a URL forbids. */
export function plainCanary(place: string): Canary {
  return canary(place, '-_');
}

function digits(seed: number): string {
  return ((seed * 2_654_435_761) % 2 ** 32).toString(36).padStart(7, 'k').slice(0, 7);
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** How an API may repeat a value that it has received. */
export const ECHOES: Readonly<Record<string, (one: Canary) => string>> = {
  plain: ({ value, sent = value }) => sent,
  escaped: ({ value }) => JSON.stringify(value).slice(1, -1),
  // The content of base64, or of an escaped part of a URL.
  decoded: ({ value }) => value,
  cut: ({ value }) => value.slice(0, 9),
  encoded: ({ value }) => `${base64(`user:${value}`)} ${encodeURIComponent(value)}`,
};

/** The texts that betray a canary. They do not come from the product's list of forms. */
function tracesOf({ value }: Canary): string[] {
  const shifted = ['', ':', '::'].map((before) => base64(before + value + '::').slice(4, -8));
  return [value.slice(0, 8), value.slice(-8), ...shifted];
}

export interface Document {
  /** Such as `history provision-instance/default/x, event 5`. */
  name: string;
  text: string;
}

/** Each canary with each document that shows a trace of it. */
export function scan(documents: readonly Document[], canaries: readonly Canary[]): string[] {
  return canaries.flatMap((one) => {
    const traces = tracesOf(one);
    return documents
      .filter(({ text }) => traces.some((trace) => text.includes(trace)))
      .map(({ name }) => `${one.place} in ${name}`);
  });
}
