/**
 * Part of `npm run build`: writes what the help and the completion say of the commands over `dist/cli/outlines.js`.
 * Reading it from the commands loads all that they need, which takes a second on a busy machine.
 */
import { writeFile } from 'node:fs/promises';

import { processIo } from '../dist/cli/process-io.js';
import { readOutlines } from '../dist/cli/run-cli.js';
import { createServices } from '../dist/cli/services.js';

const outlines = await readOutlines({ io: processIo(), services: createServices() });
await writeFile('dist/cli/outlines.js', `export const OUTLINES = ${JSON.stringify(outlines)};\n`);
