import { describe, expect, it } from '@jest/globals';

import { createEnvironmentSecrets } from '../../../src/worker/secrets/create-secret-source.js';

const { signal } = new AbortController();

describe('a secret in a variable', () => {
  const source = createEnvironmentSecrets({
    GCORE_SECRET_WEB_ADMIN: 'p w\n',
    GCORE_SECRET_EMPTY: ' ',
  });

  it.each(['web-admin', 'web_admin', 'web.admin'])('is %s', async (name) => {
    expect(await source.read(name, signal)).toMatchObject({ is: 'found', text: 'p w\n' });
  });

  it('has not changed since the process started', async () => {
    const secret = await source.read('web-admin', signal);

    const since = secret.is === 'found' ? await secret.since() : undefined;
    expect(since).toBeLessThan(Date.now());
    expect(since).toBeGreaterThan(Date.now() - 86_400_000);
  });

  it('that is not set is missing, and the advice names the variable', async () => {
    expect(await source.read('db-1', signal)).toMatchObject({
      is: 'missing',
      advice: expect.stringContaining('GCORE_SECRET_DB_1'),
    });
    expect(await source.read('constructor', signal)).toMatchObject({ is: 'missing' });
  });

  it('that is blank is not sent', async () => {
    expect(await source.read('empty', signal)).toMatchObject({ is: 'unreadable' });
  });
});
