import { describe, expect, it } from '@jest/globals';

import { renderPlan } from '../../../src/cli/output/render-plan.js';

describe('a plan for a person', () => {
  it('says what is wrong first, then what would happen', () => {
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
      'Would take over what is there:',
      '  instance  i-1',
      'Would send:',
      '  GET  /x  look',
      '  PUT  /y  write (21 calls)',
      'Cannot be taken back:',
      '  Money.',
    ]);
  });

  it('is one line when there is nothing to say', () => {
    const lines = renderPlan({
      ...{ operation: 'listSshKeys', ready: true, findings: [], adopts: [] },
      ...{ irreversible: [], calls: [] },
    });

    expect(lines).toEqual(['listSshKeys: ready']);
  });
});
