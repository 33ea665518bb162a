import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';

import type { z } from 'zod';

import { isLocalHost } from './temporal-config.js';

export function checkBaseUrl(text: string, context: z.RefinementCtx): void {
  const refuse = (message: string): void => {
    context.addIssue({ code: 'custom', message });
  };
  if (!URL.canParse(text)) {
    refuse('must be a URL; the default is https://api.gcore.com');
    return;
  }
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username !== '' || password !== '') refuse('must not contain credentials');
  if (search !== '' || hash !== '') refuse('must not have a query or a fragment');
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocalHost(hostname))) {
    refuse(
      'must be https, because http sends the API key unencrypted (http is allowed for loopback only)',
    );
  }
}

export function checkDirectory(path: string, context: z.RefinementCtx): void {
  const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isAbsolute(path) && isDirectory) return;
  context.addIssue({ code: 'custom', message: 'must be the absolute path of a directory' });
}
