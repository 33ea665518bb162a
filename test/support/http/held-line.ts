/** A line to the API that holds a call up on its way, until it is let go. */
export interface HeldLine {
  fetch: typeof globalThis.fetch;
  /** GETs so far. */
  looks: () => number;
  isHeld: () => boolean;
  letGo: () => void;
}

/** Holds up the nth call of this method; all others pass. */
export function createHeldLine(method: 'POST' | 'PATCH', nth = 1): HeldLine {
  const held: (() => void)[] = [];
  let looks = 0;
  let calls = 0;
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const request = new Request(url, init);
    if (request.method === 'GET') looks += 1;
    if (request.method === method) {
      calls += 1;
      if (calls === nth) await new Promise<void>((resolve) => held.push(resolve));
    }
    return globalThis.fetch(request);
  };
  return { fetch, looks: () => looks, isHeld: () => held.length > 0, letGo: () => held[0]?.() };
}
