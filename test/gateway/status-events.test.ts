import { describe, expect, it } from '@jest/globals';

import { eventOf } from '../../src/gateway/routes/events.js';

describe('the event of a status document', () => {
  const document = { text: '{"phase":"running"}', tag: 'a-tag' };

  it('is made once, however many streams have it in memory', () => {
    expect(eventOf(document)).toBe(eventOf(document));
  });

  it('names the document by its tag', () => {
    expect(Buffer.from(eventOf(document)).toString()).toBe(
      'event: status\ndata: {"phase":"running"}\nid: a-tag\n\n',
    );
  });
});
