import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The licences of packages that the product passes on in its own files.
 * @param {string[]} folders
 */
export async function licenceTexts(folders) {
  const parts = await Promise.all(folders.map(licenceText));
  return `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

async function licenceText(folder) {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const title = `${name} ${version}, ${license}`;
  return [title, ...texts.map((text) => text.trim())].join('\n\n');
}
