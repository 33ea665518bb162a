import { describe, expect, it } from '@jest/globals';

import { callerOf } from '../../../src/worker/nexus/operation-handler.js';

const link = (url: string) => ({
  url: new URL(url),
  type: 'temporal.api.common.v1.Link.WorkflowEvent',
});

describe('the caller by Nexus', () => {
  it('is the namespace that the server names in its link', () => {
    const inboundLinks = [link('temporal:///namespaces/shop/workflows/order-1/r-1/history')];

    expect(callerOf({ inboundLinks })).toBe('nexus:shop');
  });

  it('is nobody in particular without such a link', () => {
    expect(callerOf({ inboundLinks: [] })).toBe('nexus');
    expect(callerOf({ inboundLinks: [link('https://example.com/a')] })).toBe('nexus');
  });
});
