import { describe, expect, it } from '@jest/globals';

import { buildIdOf, readBuildId } from '../../src/worker/build-id.js';

const given = { code: 'run();\n', sdk: '1.24.0', heldBack: ['b', 'a'] };
const id = buildIdOf(given);

describe('the build id', () => {
  it('is short enough to type', () => {
    expect(id).toMatch(/^[0-9a-f]{12}$/);
  });

  it('is the same wherever the project was built', () => {
    const map = (path: string) =>
      `run();\n\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(path).toString('base64')}`;

    expect(buildIdOf({ ...given, code: map('/here') })).toBe(
      buildIdOf({ ...given, code: map('/there') }),
    );
  });

  it('differs when the workflow code, the SDK or the held-back patches differ', () => {
    const ids = [
      id,
      buildIdOf({ ...given, code: 'walk();\n' }),
      buildIdOf({ ...given, sdk: '1.25.0' }),
      buildIdOf({ ...given, heldBack: ['a'] }),
    ];

    expect(new Set(ids).size).toBe(ids.length);
  });

  it('does not depend on the order of the patches', () => {
    expect(buildIdOf({ ...given, heldBack: ['a', 'b'] })).toBe(id);
  });

  it('is missing before a build', async () => {
    expect(await readBuildId('no/such/bundle.js')).toBeUndefined();
  });
});
