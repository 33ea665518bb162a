import type { Chaos } from './chaos.js';
import { inOtherRegion, withOtherName, type Request } from './requests.js';

/** How a person may want something else by the same id. */
export const MOVES = { 'other region': inOtherRegion, 'other name': withOtherName } as const;

const KINDS = ['other region', 'other name'] as const satisfies readonly (keyof typeof MOVES)[];

/** Whoever starts a request again may want it in another region, or by another name. */
export function perhapsMoved(chaos: Chaos, request: Request, occasion: string): Request {
  for (const kind of KINDS) {
    const draw = chaos.strikes(kind, occasion, 8);
    const moved = draw && MOVES[kind](draw, request);
    if (moved !== undefined) return moved;
  }
  return request;
}
