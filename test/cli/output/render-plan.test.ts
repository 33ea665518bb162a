import { describe, expect, it } from '@jest/globals';

import { renderPlan } from '../../../src/cli/output/render-plan.js';

describe('renderPlan', () => {
  it('lists the findings first, then the calls', () => {
    const lines = renderPlan({
      operation: 'provisionInstance',
      ready: false,
      findings: [
        { severity: 'fault', path: 'instance.flavor', message: 'There is none.', advice: 'Look.' },
        { severity: 'warning', message: 'It costs' },
      ],
      adopts: [{ kind: 'instance', id: 'i-1' }],
      irreversible: ['Money.'],
      calls: [
        { method: 'GET', path: '/x', purpose: 'look' },
        { method: 'PUT', path: '/y', purpose: 'write', times: 21 },
      ],
    });

    expect(lines).toEqual([
      'provisionInstance: not ready',
      '  fault    instance.flavor  There is none. Look.',
      '  warning                   It costs',
      'Would adopt these existing resources:',
      '  instance  i-1',
      'Would send:',
      '  GET  /x  look',
      '  PUT  /y  write (21 calls)',
      'Cannot be undone:',
      '  Money.',
    ]);
  });

  it('is one line when it has no findings and no calls', () => {
    const lines = renderPlan({
      operation: 'listSshKeys',
      ready: true,
      findings: [],
      adopts: [],
      irreversible: [],
      calls: [],
    });

    expect(lines).toEqual(['listSshKeys: ready']);
  });
});
