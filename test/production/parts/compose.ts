import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { Row } from '../report.js';
import { runCommand } from '../run-command.js';
import { ownGoTool } from '../tools/go-tools.js';
import { ownFolder } from '../own-folder.js';

const PART = 'compose';
const FILES = ['docker-compose.yml', 'deploy/compose/docker-compose.yml'];
/** What make-secrets.sh writes into .env. */
const ENVIRONMENT = { POSTGRES_PASSWORD: 'secret' };

/** Both Compose files, by the library that Compose itself uses. A broken copy of each shows that the check sees. */
export async function checkCompose(): Promise<Row[]> {
  const tool = await ownGoTool('compose-check', resolve('test/production/compose-check'));
  const rows: Row[] = [];
  for (const file of FILES) {
    const { code, stdout, stderr } = await runCommand([tool, file], { env: ENVIRONMENT });
    const result = code === 0 ? `services ${stdout.trim()}` : stderr.trim();
    rows.push({ part: PART, what: file, result, isSound: code === 0 });
    rows.push(await refusal(tool, file));
  }
  const { code } = await runCommand([tool, FILES[1] ?? ''], { env: { POSTGRES_PASSWORD: '' } });
  const result = code === 1 ? 'refused' : `exit code ${String(code)}`;
  rows.push({ part: PART, what: 'production without a password', result, isSound: code === 1 });
  return rows;
}

async function refusal(tool: string, file: string): Promise<Row> {
  const text = await readFile(file, 'utf8');
  const copy = join(await ownFolder('compose'), 'docker-compose.yml');
  await writeFile(
    copy,
    text.replace(
      'services:\n',
      'services:\n  broken:\n    image: broken\n    depends_on: [nobody]\n',
    ),
  );
  const { code, stderr } = await runCommand([tool, copy], { env: ENVIRONMENT });
  const isSound = code === 1 && stderr.includes('nobody');
  return {
    part: PART,
    what: `${file} with a service that is missing`,
    result: isSound ? 'refused' : stderr,
    isSound,
  };
}
