/** Part of `npm run build`: writes the JSON Schemas of the contract into `dist/schemas/`. */
import { mkdir, writeFile } from 'node:fs/promises';

import { jsonSchemas } from '../dist/contract/json-schemas.js';

const TARGET = 'dist/schemas';

await mkdir(TARGET, { recursive: true });
for (const [name, schema] of Object.entries(jsonSchemas())) {
  await writeFile(`${TARGET}/${name}.json`, `${JSON.stringify(schema, null, 2)}\n`);
}
