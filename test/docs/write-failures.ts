/** `npm run docs:write`: writes the pages that come from the code. `npm run check` fails when they are old. */
import { writeFile } from 'node:fs/promises';

import { failuresPage } from './failures-page.js';

await writeFile('docs/failures.md', failuresPage());
