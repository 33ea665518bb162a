import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from '@jest/globals';

import { listen } from '../support/http/listen.js';

const URL_OF = 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc';

/** What the check says with a registry that answers so to the question for faults. */
async function checkAgainst(answer: (response: ServerResponse) => void, ...words: string[]) {
  const server = createServer((request, response) => {
    void text(request).then(() => {
      if (request.method === 'POST') answer(response);
      // npm looks which of the packages that need it have the fault with it.
      else response.end(JSON.stringify({ name: nameIn(request), versions: {} }));
    });
  });
  const port = await listen(server);
  const child = spawn(process.execPath, ['packaging/check-advisories.js', ...words], {
    env: { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/` },
  });
  const closed = once(child, 'close');
  const said = await text(child.stderr);
  await closed;
  server.close();
  return { said, code: child.exitCode };
}

const nameIn = ({ url = '' }: IncomingMessage) => decodeURIComponent(url.slice(1));
const refuse = (response: ServerResponse) => {
  response.writeHead(405).end();
};
const tell = (response: ServerResponse) => {
  const advisory = { id: 1, url: URL_OF, title: 'reads too much', vulnerable_versions: '<999' };
  response.end(JSON.stringify({ hono: [{ ...advisory, severity: 'moderate', cwe: [] }] }));
};

describe('the check of known faults', () => {
  it('says plainly that it could not ask, and fails nothing', async () => {
    const { said, code } = await checkAgainst(refuse);

    expect(said).toContain('NOT CHECKED for known faults: the registry cannot be asked. 405');
    expect(code).toBe(0);
  });

  it('fails where the answer is required', async () => {
    expect(await checkAgainst(refuse, '--required')).toMatchObject({ code: 1 });
  });

  it('fails for a known fault of what the product installs', async () => {
    const { said, code } = await checkAgainst(tell);

    expect(said).toBe(
      `known fault: hono <999, moderate: reads too much (${URL_OF}): update it, or say in accepted-advisories.json why not\n`,
    );
    expect(code).toBe(1);
  });
});
