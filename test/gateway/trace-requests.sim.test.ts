import { describe, expect, it } from '@jest/globals';

import type { SpanAround } from '../../src/observe/tracing/span-around.js';
import { at, bearer, gatewayOf, tokensOf } from '../support/gateway/gateway-world.js';
import { inScenario } from '../simulation/scenario.js';
describe('the spans of a gateway', () => {
  it('are for callers with a token: a stranger fills no trace', () =>
    inScenario({ replays: false }, async (scenario) => {
      const spans: string[] = [];
      const spanAround: SpanAround = async (start, act) => {
        spans.push(start.name);
        return act();
      };
      const tokens = tokensOf({ right: { name: 'ada', scopes: ['read'] } });
      const gateway = gatewayOf(scenario, { tokens, spanAround });
      const statusWith = async (headers: RequestInit) =>
        (await gateway.request(at('/v1/runs'), headers)).status;

      expect([await statusWith({}), await statusWith(bearer('wrong'))]).toEqual([401, 401]);
      expect(spans).toEqual([]);
      expect(await statusWith(bearer('right'))).toBe(200);
      expect(spans).toEqual(['GET']);
    }));
});
