import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface OwnPackage {
  name: string;
  version: string;
}

/** The input that `demo` provisions and `dev` suggests. */
export const EXAMPLE_FILE = fileURLToPath(
  new URL('../../examples/provision-instance.json', import.meta.url),
);

/** The package.json beside `dist`: of the main package or of gcore-workflows-client. Needs no other package. */
export function readOwnPackage(): OwnPackage {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const manifest: unknown = JSON.parse(text);
  return { name: textOf(manifest, 'name'), version: textOf(manifest, 'version') };
}

function textOf(manifest: unknown, field: keyof OwnPackage): string {
  const value: unknown = manifest instanceof Object ? Reflect.get(manifest, field) : undefined;
  if (typeof value !== 'string') throw new Error(`package.json has no ${field}.`);
  return value;
}
