import { createHash } from 'node:crypto';

import { SCRIPT } from './page-script.js';
import { STYLE } from './page-style.js';

interface Asset {
  /** Changes with the content, so a browser may keep the file for ever. */
  path: string;
  type: string;
  text: string;
}

export const STYLE_ASSET = toAsset('page.css', 'text/css; charset=utf-8', STYLE);
export const SCRIPT_ASSET = toAsset('page.js', 'text/javascript; charset=utf-8', SCRIPT);

function toAsset(name: string, type: string, text: string): Asset {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { path: `/assets/${digest}/${name}`, type, text };
}

/** A page loads its own style and script and talks to its own gateway. Nothing inline runs. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
