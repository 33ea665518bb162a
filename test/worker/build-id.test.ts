import { describe, expect, it } from '@jest/globals';

import { buildIdOf, readBuildId } from '../../src/worker/build-id.js';

const given = { codes: ['run();\n', 'run(); hide();\n'], sdk: '1.24.0', heldBack: ['b', 'a'] };
const id = buildIdOf(given);

describe('the build id', () => {
  it('is short enough to type', () => {
    expect(id).toMatch(/^[0-9a-f]{12}$/);
  });

  it('is the same wherever the project was built', () => {
    const map = (path: string) =>
      `run();\n\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(path).toString('base64')}`;

    expect(buildIdOf({ ...given, codes: [map('/here')] })).toBe(
      buildIdOf({ ...given, codes: [map('/there')] }),
    );
  });

  it('covers code behind the source map of a part of it', () => {
    const after = (code: string) => `part();\n//# sourceMappingURL=part.js.map\n${code}`;

    expect(buildIdOf({ ...given, codes: [after('run();')] })).not.toBe(
      buildIdOf({ ...given, codes: [after('walk();')] }),
    );
  });

  it('differs when the code of any variant, the SDK or the held-back patches differ', () => {
    const [plain = '', encrypted = ''] = given.codes;
    const ids = [
      id,
      buildIdOf({ ...given, codes: ['walk();\n', encrypted] }),
      buildIdOf({ ...given, codes: [plain, 'run(); show();\n'] }),
      buildIdOf({ ...given, sdk: '1.25.0' }),
      buildIdOf({ ...given, heldBack: ['a'] }),
    ];

    expect(new Set(ids).size).toBe(ids.length);
  });

  it('does not depend on the order of the patches', () => {
    expect(buildIdOf({ ...given, heldBack: ['a', 'b'] })).toBe(id);
  });

  it('is missing before a build, also when only one variant is', async () => {
    expect(await readBuildId(['no/such/bundle.js'])).toBeUndefined();
    expect(await readBuildId(['package.json', 'no/such/bundle.js'])).toBeUndefined();
  });
});
