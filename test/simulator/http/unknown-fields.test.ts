import { describe, expect, it } from '@jest/globals';

import {
  createCloud,
  CREATE,
  INSTANCES,
  instanceBody,
} from '../../support/worlds/simulated-cloud.js';

const [volume] = instanceBody().volumes;
const WITH_UNKNOWN = {
  ...instanceBody(),
  colour: 'blue',
  volumes: [{ ...volume, colour: 'red' }],
};

describe('a field or parameter that no document has', () => {
  it('is ignored wherever it stands, as the API does', async () => {
    const cloud = createCloud({ unknownFields: 'ignored' });

    await cloud.start('POST', CREATE, WITH_UNKNOWN);
    cloud.settle();
    const { status, body } = await cloud.send('GET', `${INSTANCES}?colour=green`);

    expect({ status, body }).toMatchObject({ status: 200, body: { count: 1 } });
  });

  it('excuses no other fault', async () => {
    const cloud = createCloud({ unknownFields: 'ignored' });

    const answer = await cloud.send('POST', CREATE, { ...WITH_UNKNOWN, flavor: 7 });

    expect(answer).toMatchObject({
      status: 400,
      body: { invalid_fields: { flavor: expect.any(Array) } },
    });
    expect(JSON.stringify(answer.body)).not.toContain('colour');
  });

  it('is refused by its path where a test asks for it', async () => {
    const cloud = createCloud({ unknownFields: 'refused' });

    const answer = await cloud.send('POST', CREATE, WITH_UNKNOWN);
    const list = await cloud.send('GET', `${INSTANCES}?colour=green`);

    expect([answer.status, list.status]).toEqual([400, 400]);
    expect(answer.body).toMatchObject({
      invalid_fields: { colour: expect.any(Array), 'volumes[0].colour': expect.any(Array) },
    });
  });
});
