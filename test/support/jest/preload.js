/**
 * Loaded before jest, in each of its processes: tests and sources are TypeScript, and tests import jest's functions by
 * their module.
 */
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';

process.env.TSX_TSCONFIG_PATH = fileURLToPath(new URL('tsconfig.json', import.meta.url));
await import('tsx');
register('./resolve-globals.js', import.meta.url);
