import { describe, expect, it } from '@jest/globals';

import { createSimulator } from '../../../src/simulator/index.js';

const URL_OF_PROJECTS = 'https://api.simulator.test/cloud/v1/projects';

async function ask(authorization?: string) {
  const simulator = createSimulator({ apiKey: 'right$key' });
  const response = await simulator.fetch(URL_OF_PROJECTS, {
    ...(authorization !== undefined && { headers: { authorization } }),
  });
  return { status: response.status, text: await response.text() };
}

describe('authentication', () => {
  it.each(['apikey right$key', 'APIKey right$key', 'APIKEY right$key'])(
    'lets "%s" in, whatever the case of the scheme word',
    async (header) => {
      const answer = await ask(header);

      expect(answer.status).toBe(200);
    },
  );

  const missing = ['not_authenticated', 'Authentication credentials were not provided.'];
  const wrong = ['token_not_valid', 'Token is invalid or expired'];
  const bearer = ['token_not_valid', 'Given token not valid for any token type'];

  it.each([
    [undefined, missing],
    ['apikey', missing],
    ['Basic abc', missing],
    ['apikey wrong', wrong],
    ['Bearer right$key', bearer],
  ])('answers "%s" with 401 and the documented text', async (header, [code, message]) => {
    const answer = await ask(header);

    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.text)).toMatchObject({ exception_class: code, message });
  });

  it('never echoes a key', async () => {
    const answer = await ask('apikey sent-by-mistake');

    expect(answer.text).not.toContain('sent-by-mistake');
    expect(answer.text).not.toContain('right$key');
  });

  it('comes before everything else, unknown paths included', async () => {
    const response = await createSimulator().fetch('https://api.simulator.test/nowhere');

    expect(response.status).toBe(401);
  });
});
