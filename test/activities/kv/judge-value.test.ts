import { describe, expect, it } from '@jest/globals';

import { judgeValue, SAME } from '../../../src/activities/kv/judge-value.js';

/** The tests run in a time zone that is not UTC. */
const judge = (expiry: string) =>
  judgeValue({ value: 'a', expiry: '2026-05-23T05:07:31.400Z' }, { value: 'a', expiry });

describe('the expiry of a key', () => {
  it.each(['2026-05-23T05:07:31Z', '2026-05-23T07:07:31+02:00', '2026-05-23 05:07:31'])(
    'is the same when the API shows %s',
    (shown) => {
      expect(judge(shown)).toEqual(SAME);
    },
  );

  it.each(['2026-05-23T05:07:33Z', 'never'])('is another one when the API shows %s', (shown) => {
    expect(judge(shown).kind).toBe('differs');
  });
});
