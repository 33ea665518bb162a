import { join } from 'node:path';

import { emptyFolder, runIn } from './run-in.js';

/** Packs the package as npm publishes it. @returns The folder of its files. */
export async function unpackedPackage(): Promise<string> {
  const folder = await emptyFolder();
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await runIn('.', 'npm', pack);
  await runIn(folder, 'tar', ['-xzf', stdout.trim()]);
  return join(folder, 'package');
}
