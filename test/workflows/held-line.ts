/** A connection to the API that holds one call back until the test releases it. */
export interface HeldLine {
  fetch: typeof globalThis.fetch;
  /** Number of GETs so far. */
  looks: () => number;
  isHeld: () => boolean;
  letGo: () => void;
}

/** Holds the nth call of this method back; all others pass. */
export function createHeldLine(method: 'POST' | 'PATCH' | 'DELETE', nth = 1): HeldLine {
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
