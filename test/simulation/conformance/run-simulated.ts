// A process of its own: virtual time and the simulated core are those of a whole process.
import { writeFile } from 'node:fs/promises';

import { readRunOptions } from './run-options.js';
import type { Outcome } from './run-scripts.js';
import { simulateScript } from './simulate-script.js';

const { bundles, file, chosen } = readRunOptions();
const outcomes: Outcome[] = [];
for (const script of chosen) outcomes.push(await simulateScript(script, bundles));
await writeFile(file, JSON.stringify(outcomes));
