import { describe, expect, it } from '@jest/globals';

import { pushUnderKills } from '../support/runs/push-under-kills.js';

describe('a push whose worker is killed', () => {
  it('leaves exactly the requested content', async () => {
    const figures = await pushUnderKills({ items: 3_000, kills: 1 });

    expect(figures).toMatchObject({ wrong: 0, keys: 3_000, verified: 3_000, kills: 1 });
  });
});
