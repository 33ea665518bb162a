import { describe, expect, it } from '@jest/globals';

import { FAILED_SEEDS } from './failed-seeds.js';
import { KNOWN_FINDINGS, knownFinding } from './known-findings.js';
import { runSeed } from './world/run-seed.js';

describe('a seed that has shown a fault', () => {
  it.each(FAILED_SEEDS)('shows nothing more: $seed, $because', async (failed) => {
    const { seed, focus = {} } = failed;
    const { findings } = await runSeed({ seed, focus });

    expect(findings.filter((finding) => knownFinding(finding) === undefined)).toEqual([]);
  });

  // There may be none.
  for (const known of KNOWN_FINDINGS) {
    it(`still shows that ${known.because}`, async () => {
      const { seed, focus = {} } = known;
      const { findings } = await runSeed({ seed, focus });

      expect(findings.map(knownFinding)).toContain(known);
    });
  }
});
