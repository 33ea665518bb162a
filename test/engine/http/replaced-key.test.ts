import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { createBreakers } from '../../../src/activities/gcore-api.js';
import { createApiClient, createApiKeys } from '../../../src/activities/index.js';

import { createGate, NEVER_MS } from './guarded-api.js';
import { failureIn, inActivity } from '../../support/http/in-activity.js';
import { json } from '../../support/http/scripted-api.js';
import { until } from '../../support/timing/until.js';

const OLD = 'old-canary$4711';
const NEW = 'new-canary$0815';

/** An account whose API takes only one key, and whose key can be replaced. */
function createAccount(options: { accepts?: string } = {}) {
  const said: string[] = [];
  const sent: string[] = [];
  const cloud = { accepts: options.accepts ?? OLD, sent };
  const breakers = createBreakers({
    keyProbeMs: NEVER_MS,
    onKeyRefused: () => said.push('refused'),
    onKeyAccepted: () => said.push('accepted'),
  });
  const keys = createApiKeys(OLD);
  const script = { hold: (answer: Response): Response | Promise<Response> => answer };
  const api = createApiClient({
    baseUrl: 'https://api.example.test',
    apiKey: keys,
    breakers,
    fetch: (input, init) => {
      const header = new Request(input, init).headers.get('authorization') ?? '';
      cloud.sent.push(header);
      const isRight = header === `apikey ${cloud.accepts}`;
      const answer = isRight ? json({}) : json({ message: `Bad token: ${header}` }, 401);
      return Promise.resolve(script.hold(answer));
    },
  });
  const read = () =>
    api.request({
      method: 'GET',
      path: '/cloud/v1/projects',
      response: z.unknown(),
      repeatable: true,
    });
  return { keys, breakers, cloud, read, said, script };
}

describe('a replaced key', () => {
  it('is the key of the next request', async () => {
    const { keys, cloud, read } = createAccount();
    await inActivity(read);
    keys.replace(NEW);
    cloud.accepts = NEW;

    await inActivity(read);

    expect(cloud.sent).toEqual([`apikey ${OLD}`, `apikey ${NEW}`]);
  });

  it('opens the gate of the refused one at once, for all calls', async () => {
    const { keys, breakers, cloud, read, said } = createAccount({ accepts: NEW });
    await failureIn(read);
    const held = await failureIn(read);

    keys.replace(NEW);
    breakers.keyReplaced();
    await Promise.all(Array.from({ length: 10 }, () => inActivity(read)));

    expect(held.message).toContain('was not sent');
    expect(cloud.sent).toHaveLength(11);
    expect(said).toEqual(['refused']);
  });

  it('is not held back by the refusal of a call that had the former one', async () => {
    const { keys, breakers, cloud, read, said, script } = createAccount({ accepts: NEW });
    const gate = createGate();
    script.hold = (answer) => gate.answer().then(() => answer);
    const late = failureIn(read);
    await until('it is sent', () => cloud.sent.length === 1);
    keys.replace(NEW);
    breakers.keyReplaced();
    gate.release(() => json({}));
    const refused = await late;
    script.hold = (answer) => answer;

    await inActivity(read);

    expect(refused.type).toBe('Unauthorized');
    expect(said).toEqual([]);
    expect(cloud.sent).toHaveLength(2);
  });

  it('may be wrong too, and is then refused like any other', async () => {
    const { keys, breakers, read, said } = createAccount({ accepts: 'a third one' });
    await failureIn(read);
    keys.replace(NEW);
    breakers.keyReplaced();

    await failureIn(read);
    const held = await failureIn(read);

    expect(held.message).toContain('was not sent');
    expect(said).toEqual(['refused', 'refused']);
  });

  it('stays redacted, and so does the former one', async () => {
    const { keys, cloud, read, script } = createAccount({ accepts: 'neither' });
    keys.replace(NEW);
    script.hold = () => json({ message: `Not ${OLD}, not ${NEW}, not 0815, not old-` }, 401);

    const failure = await failureIn(read);

    expect(cloud.sent).toEqual([`apikey ${NEW}`]);
    expect(failure.message).toMatch(/Not \[redacted\], not \[redacted\]/);
    expect(failure.message).not.toMatch(/canary|4711|0815|old-/);
  });
});

describe('the keys of an account', () => {
  it('are the newest twenty, each once', () => {
    const keys = createApiKeys('key-0');
    for (let at = 1; at <= 30; at++) keys.replace(`key-${at}`);

    keys.replace('key-29');

    expect(keys.current()).toBe('key-29');
    expect(keys.all().slice(0, 3)).toEqual(['key-29', 'key-30', 'key-28']);
    expect(keys.all()).toHaveLength(20);
  });
});
