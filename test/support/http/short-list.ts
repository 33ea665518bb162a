import { z } from 'zod';

const listSchema = z.looseObject({ results: z.array(z.unknown()) });

/** A connection to the API on which the nth list of this path lacks its last row, and does not count it. */
export function createShortList(path: string, nth: number): typeof globalThis.fetch {
  let lists = 0;
  return async (url, init) => {
    const request = new Request(url, init);
    const isList = request.method === 'GET' && new URL(request.url).pathname === path;
    const answer = await globalThis.fetch(request);
    if (!isList || ++lists !== nth) return answer;
    const results = listSchema.parse(await answer.json()).results.slice(0, -1);
    return Response.json({ count: results.length, results });
  };
}
