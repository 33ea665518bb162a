import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';

import { FailureType } from '../../../src/engine/core/failures.js';
import { createDraft } from '../../../src/engine/plan/planning.js';

const refused = (type: FailureType, details: object) => () =>
  Promise.reject(ApplicationFailure.create({ type, message: 'It said no.', details: [details] }));

describe('a look of a plan', () => {
  it('returns the answer without a finding', async () => {
    const draft = createDraft('modifyKvStore');

    expect(await draft.look('it', () => Promise.resolve(7))).toEqual({ is: 'there', value: 7 });
    expect(draft.finish()).toMatchObject({ ready: true, findings: [] });
  });

  it('lets the plan decide what "not found" means', async () => {
    const draft = createDraft('modifyKvStore');

    expect(await draft.look('it', refused(FailureType.notFound, {}))).toEqual({ is: 'missing' });
    expect(draft.finish().findings).toEqual([]);
  });

  it.each([
    [FailureType.unauthorized, 'fault'],
    [FailureType.manifestUnreadable, 'fault'],
    [FailureType.invalidRequest, 'warning'],
  ] as const)('says of %s where it stands in the input, as a %s', async (type, severity) => {
    const draft = createDraft('modifyKvStore');

    const seen = await draft.look('it', refused(type, { advice: 'Mend it.' }), 'manifest.url');

    expect(seen).toEqual({ is: 'unchecked' });
    expect(draft.finish().findings).toEqual([
      {
        severity,
        path: 'manifest.url',
        advice: 'Mend it.',
        message: 'Could not look at it: It said no.',
      },
    ]);
  });

  it('reports each fault of a list as a finding', async () => {
    const draft = createDraft('modifyKvStore');
    const faults = [
      { path: 'line 2, op', message: 'must be "add"' },
      { path: 'line 9, key', message: 'is missing' },
    ];

    await draft.look('it', refused(FailureType.invalidInput, { advice: 'Mend it.', faults }), 'x');

    expect(draft.finish()).toMatchObject({
      ready: false,
      findings: faults.map((fault) => ({ severity: 'fault', ...fault })),
    });
  });

  it('hides no defect of the code', async () => {
    const look = createDraft('modifyKvStore').look('it', () => Promise.reject(new TypeError('x')));

    await expect(look).rejects.toThrow(TypeError);
  });
});
