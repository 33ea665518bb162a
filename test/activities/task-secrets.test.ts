import { describe, expect, it } from '@jest/globals';

import { createApiActivities, flattenGroups } from '../../src/activities/index.js';
import { instanceSecrets } from '../../src/activities/instance-secrets.js';
import { withoutSecrets } from '../../src/activities/task-secrets.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const created = { instances: [], volumes: [], floatingIps: [] };
const task = { id: 't', type: 'create_vm', state: 'ERROR', created };

describe('withoutSecrets', () => {
  it('removes what the run has sent from the text of a task', async () => {
    const failed = { ...task, error: 'cloud-init: password "canary-1" is too weak' };

    const clean = await withoutSecrets(failed, () => Promise.resolve(['canary-1']));

    expect(clean.error).toBe('cloud-init: password "[redacted]" is too weak');
  });

  it('withholds the text when nobody knows what the run has sent', async () => {
    const clean = await withoutSecrets({ ...task, error: 'canary-1' }, () =>
      Promise.resolve(undefined),
    );

    expect(clean.error).toMatch(/withheld.*read the task at the API/);
  });

  it('asks for the secrets of the run only when there is a text', async () => {
    const sound = { ...task, state: 'FINISHED', error: undefined };

    const clean = await withoutSecrets(sound, () => Promise.reject(new Error('asked')));

    expect(clean).toEqual(sound);
  });
});

describe('getTask', () => {
  it('tells a quota by the whole text, also when the text is withheld', async () => {
    const { api } = createScriptedApi(() =>
      json({ id: 't', task_type: 'create_vm', state: 'ERROR', error: 'Quota exceeded' }),
    );
    const groups = createApiActivities({ api, poll: DEFAULT_POLL_POLICY });
    const activities = flattenGroups(groups);

    const view = await inActivity(() => activities.getTask({ taskId: 't' }));

    expect(view).toMatchObject({ errorType: 'QuotaExceeded' });
    expect(view.error).toContain('withheld');
  });
});

describe('instanceSecrets', () => {
  it('knows passwords, user data and its content, values of tags and of a configuration', () => {
    const secrets = instanceSecrets({
      password: 'pw',
      user_data: Buffer.from('#cloud-config').toString('base64'),
      tags: { a: 'tag-value', b: 'x' },
      configuration: { deep: { list: ['deep-value', 123456] } },
      volumes: [{ tags: { c: 'volume-tag' } }],
    });

    expect(secrets).toEqual([
      ...['pw', 'I2Nsb3VkLWNvbmZpZw==', '#cloud-config'],
      ...['deep-value', '123456', 'tag-value', 'volume-tag'],
    ]);
  });

  it.each([undefined, null, 'text', { password: 1, volumes: {} }, []])('accepts %j', (body) => {
    expect(instanceSecrets(body)).toEqual([]);
  });
});
