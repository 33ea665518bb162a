/** `npm run docs:write`: writes the pages that come from the code. `npm run check` fails when they are old. */
import { readFile, writeFile } from 'node:fs/promises';

import { WRITTEN_PAGES } from './written-pages.js';

for (const [path, written] of Object.entries(WRITTEN_PAGES)) {
  await writeFile(path, written(await readFile(path, 'utf8')));
}
