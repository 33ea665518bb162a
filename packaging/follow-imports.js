import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';

import ts from 'typescript';

/**
 * What modules load at their start: themselves, the files that they import, and the packages that
 * these name. A dynamic `import()` of a script is not followed: it loads on use.
 * @param {string[]} entries Built files, `.js` or `.d.ts`; a declaration leads to declarations.
 * @returns {Promise<{ files: string[], packages: string[] }>} Sorted.
 */
export async function followImports(entries) {
  const files = new Set(entries);
  const packages = new Set();
  // A set also visits what is added on the way.
  for (const file of files) {
    for (const specifier of await specifiersOf(file)) {
      if (specifier.startsWith('.')) files.add(fileOf(specifier, file));
      else if (!isBuiltin(specifier)) packages.add(packageOf(specifier));
    }
  }
  return { files: [...files].sort(), packages: [...packages].sort() };
}

async function specifiersOf(file) {
  const text = await readFile(file, 'utf8');
  if (isDeclaration(file)) {
    return ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  }
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  return statements.flatMap(({ moduleSpecifier }) => moduleSpecifier?.text ?? []);
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
