import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { judgeAdvisories, type AuditReport } from '../../packaging/check-advisories.js';

const URL_OF = 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc';
const CLEAN: AuditReport = { auditReportVersion: 2, vulnerabilities: {} };
const today = '2026-11-30';

const reportOf = (severity: string): AuditReport => ({
  auditReportVersion: 2,
  vulnerabilities: {
    hono: { via: [{ url: URL_OF, name: 'hono', range: '<5', severity, title: 'reads too much' }] },
    // Has the fault through the other one: it is said once.
    '@hono/zod-openapi': { via: ['hono'] },
  },
});
const judge = (reports: { product?: AuditReport; all?: AuditReport }, until?: string) =>
  judgeAdvisories({
    ...{ product: CLEAN, all: CLEAN, ...reports },
    accepted:
      until === undefined ? [] : [{ id: 'GHSA-aaaa-bbbb-cccc', reason: 'is not called', until }],
    today,
  }).faults;

describe('known faults of dependencies', () => {
  it.each(['low', 'moderate', 'high', 'critical'])(
    'of the product count when they are %s',
    (severity) => {
      expect(judge({ product: reportOf(severity), all: reportOf(severity) })).toEqual([
        `hono <5, ${severity}: reads too much (${URL_OF}): update it, or say in accepted-advisories.json why not`,
      ]);
    },
  );

  it.each([
    ['moderate', 0],
    ['high', 1],
    ['critical', 1],
  ])('of what only builds count from high on: %s', (severity, count) => {
    expect(judge({ all: reportOf(severity) })).toHaveLength(count);
  });

  it.each([
    ['2026-11-29', 1],
    ['2026-11-30', 0],
    ['2027-01-31', 0],
  ])('may be accepted until %s', (until, count) => {
    expect(judge({ product: reportOf('high') }, until)).toHaveLength(count);
  });

  it('are accepted with a reason and an end of at most half a year', () => {
    const list: unknown = JSON.parse(readFileSync('packaging/accepted-advisories.json', 'utf8'));
    const acceptedSchema = z.strictObject({
      id: z.string().regex(/^GHSA(?:-[0-9a-z]{4}){3}$/),
      reason: z.string().min(20),
      until: z.iso.date(),
    });
    const halfAYear = new Date(Date.now() + 183 * 86_400_000).toISOString();

    const accepted = z.array(acceptedSchema).parse(list);

    expect(accepted.filter(({ until }) => until > halfAYear)).toEqual([]);
  });
});
