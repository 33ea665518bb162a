import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';

import { Delivery, deliveryOf } from '../../../src/engine/run/signal-run.js';

describe('a signal that fails', () => {
  it('proves that the other run is gone only when the server did not find it', () => {
    const failed = (type: string) => deliveryOf(ApplicationFailure.create({ type }));

    expect(failed('ExternalWorkflowExecutionNotFound')).toBe(Delivery.gone);
    expect(failed('SignalCountLimitExceeded')).toBe(Delivery.refused);
  });

  it.each([new CancelledFailure('cancelled'), new Error('a defect')])(
    'proves nothing when it is %s',
    (error) => {
      expect(() => deliveryOf(error)).toThrow(error);
    },
  );
});
