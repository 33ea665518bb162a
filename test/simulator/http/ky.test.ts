import { describe, expect, it } from '@jest/globals';
import ky from 'ky';

import { createCloud, createFaultyCloud, INSTANCES } from '../../support/worlds/simulated-cloud.js';

const OPTIONS = {
  prefixUrl: 'https://api.simulator.test',
  headers: { authorization: 'apikey simulator-key' },
  retry: 0,
};
const PATH = INSTANCES.slice(1);

describe('the in-process fetch under ky', () => {
  it('answers', async () => {
    const { fetch } = createCloud().simulator;

    const list = await ky
      .create({ ...OPTIONS, fetch })
      .get(PATH)
      .json();

    expect(list).toEqual({ count: 0, results: [] });
  });

  it('drops connections as a network error', async () => {
    const { fetch } = createFaultyCloud({ kind: 'drop-request' }, {}).simulator;

    const answer = ky.create({ ...OPTIONS, fetch }).get(PATH);

    await expect(answer).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  });

  it('hangs until the timeout of the client', async () => {
    const { fetch } = createFaultyCloud({ kind: 'hang' }, {}).simulator;

    const answer = ky.create({ ...OPTIONS, fetch, timeout: 20 }).get(PATH);

    await expect(answer).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('hangs until its signal is aborted', async () => {
    const { fetch } = createFaultyCloud({ kind: 'hang' }, {}).simulator;
    const controller = new AbortController();

    const answer = ky.create({ ...OPTIONS, fetch, signal: controller.signal }).get(PATH);
    controller.abort();

    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  });
});
