import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { MAX_UPLOAD_BYTES } from '../../src/contract/wire/uploads.js';
import { MAX_BODY_BYTES } from '../../src/gateway/read-body.js';

const read = (file: string) => readFileSync(file, 'utf8');
const conf = read('deploy/compose/nginx.conf');

/** The text of the braces after this. */
function block(begin: string): string {
  return conf.split(begin, 2)[1]?.split('}', 1)[0] ?? '';
}

function bytesIn(text: string, what: RegExp): number {
  const [, megabytes] = what.exec(text) ?? [];
  return Number(megabytes) * 1024 ** 2;
}

const NGINX = /client_max_body_size (\d+)m;/;
const INGRESS = /proxy-body-size: (\d+)m/;

/** So the gateway itself says what is wrong with a body that is somewhat too large. */
function fits(bytes: number, most: number): boolean {
  return bytes > most && bytes < 1.6 * most;
}

describe('the proxies before the gateway', () => {
  it('take what it takes, and little more', () => {
    expect(fits(bytesIn(conf, NGINX), MAX_BODY_BYTES)).toBe(true);
  });

  it('take the longest list, and hand it on as it comes', () => {
    const uploads = block('location /v1/uploads/ {');

    expect(fits(bytesIn(uploads, NGINX), MAX_UPLOAD_BYTES)).toBe(true);
    expect(uploads).toContain('proxy_request_buffering off;');
  });

  it.each(['deploy/helm/gcore-workflows/values.yaml', 'docs/http.md'])(
    'take it in Kubernetes too, as %s says',
    (file) => {
      expect(fits(bytesIn(read(file), INGRESS), MAX_UPLOAD_BYTES)).toBe(true);
    },
  );
});
