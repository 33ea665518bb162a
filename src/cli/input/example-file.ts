import { fileURLToPath } from 'node:url';

/** The input that `demo` provisions and `dev` suggests. */
export const EXAMPLE_FILE = fileURLToPath(
  new URL('../../../examples/provision-instance.json', import.meta.url),
);
