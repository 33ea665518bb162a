import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';

import ts from 'typescript';

/**
 * What modules load at their start: themselves, the files that they import, and the packages that
 * these name.
 * @param {string[]} entries Built files, `.js` or `.d.ts`; a declaration leads to declarations.
 * @param {(specifier: string, script: string) => boolean} isNeeded Whether that counts which a script imports on use, by `import()`.
 * @returns {Promise<{ files: string[], packages: string[] }>} Sorted.
 */
export async function followImports(entries, isNeeded) {
  const files = new Set(entries);
  const packages = new Set();
  // A set also visits what is added on the way.
  for (const file of files) {
    for (const specifier of await specifiersOf(file, isNeeded)) {
      if (specifier.startsWith('.')) files.add(fileOf(specifier, file));
      else if (!isBuiltin(specifier)) packages.add(packageOf(specifier));
    }
  }
  return { files: [...files].sort(), packages: [...packages].sort() };
}

async function specifiersOf(file, isNeeded) {
  const text = await readFile(file, 'utf8');
  // With those of `import()`.
  const all = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  if (isDeclaration(file)) return all;
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const atOnce = statements.flatMap(({ moduleSpecifier }) => moduleSpecifier?.text ?? []);
  return [...atOnce, ...all.filter((specifier) => isNeeded(specifier, file))];
}

function fileOf(specifier, importer) {
  const script = join(dirname(importer), specifier);
  return isDeclaration(importer) ? script.replace(/\.js$/, '.d.ts') : script;
}

function isDeclaration(file) {
  return file.endsWith('.d.ts');
}

function isBuiltin(specifier) {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

function packageOf(specifier) {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
