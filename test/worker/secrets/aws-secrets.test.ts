import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterEach, describe, expect, it } from '@jest/globals';

import { createAwsSecrets } from '../../../src/worker/secrets/aws-secrets.js';
import { listen } from '../../support/http/listen.js';

interface Answer {
  status?: number;
  body: object;
}

const { signal } = new AbortController();
const asked: string[] = [];
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  asked.splice(0);
});

/** A service of AWS that answers each call in this way; its calls are in `asked`. */
async function awsThat(answer: (call: string) => Answer) {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const call = String(request.headers['x-amz-target']).split('.')[1] ?? '';
      asked.push(`${call} ${body}`);
      const { status = 200, body: reply } = answer(call);
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(reply));
    });
  });
  const port = await listen(server);
  return createAwsSecrets({
    prefix: 'prod/',
    client: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'eu-west-1',
      maxAttempts: 1,
      credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
    },
  });
}

const refusing = (name: string, status = 400) =>
  awsThat(() => ({ status, body: { __type: name, message: 'arn:aws:iam::123456789012:user/x' } }));

describe('a secret of AWS Secrets Manager', () => {
  it('has the prefix before its name, and changed when anything about it changed', async () => {
    const source = await awsThat((call) => ({
      body:
        call === 'GetSecretValue'
          ? { SecretString: 'p w', CreatedDate: 1_700_000_000 }
          : { LastChangedDate: 1_800_000_000 },
    }));

    const secret = await source.read('web', signal);

    expect(secret).toMatchObject({ is: 'found', text: 'p w' });
    expect(secret.is === 'found' && (await secret.since())).toBe(1_800_000_000_000);
    expect(asked).toEqual([
      'GetSecretValue {"SecretId":"prod/web"}',
      'DescribeSecret {"SecretId":"prod/web"}',
    ]);
  });

  it('that the worker may not describe may have changed at any time', async () => {
    const source = await awsThat((call) =>
      call === 'GetSecretValue'
        ? { body: { SecretString: 'p' } }
        : { status: 400, body: { __type: 'AccessDeniedException' } },
    );

    const secret = await source.read('web', signal);

    expect(secret.is === 'found' && (await secret.since())).toBeUndefined();
  });

  it.each([
    ['ResourceNotFoundException', 400, 'missing'],
    ['AccessDeniedException', 400, 'unreadable'],
    ['ExpiredTokenException', 400, 'unreadable'],
    ['InvalidRequestException', 400, 'unreadable'],
    ['ThrottlingException', 400, 'away'],
    ['InternalServiceError', 500, 'away'],
  ])('after %s (%i) is %s, and shows nothing of the account', async (name, status, is) => {
    const secret = await (await refusing(name, status)).read('web', signal);

    expect(secret.is).toBe(is);
    expect(JSON.stringify(secret)).not.toMatch(/arn:|123456789012/);
  });

  it('is waited for while nobody answers', async () => {
    const source = createAwsSecrets({
      prefix: '',
      client: {
        endpoint: 'http://127.0.0.1:1',
        region: 'eu-west-1',
        maxAttempts: 1,
        credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
      },
    });

    expect(await source.read('web', signal)).toMatchObject({ is: 'away' });
  });

  it('that is binary is unfit', async () => {
    const source = await awsThat(() => ({ body: { SecretBinary: 'AAAA' } }));

    expect(await source.read('web', signal)).toMatchObject({ is: 'unfit' });
  });
});
