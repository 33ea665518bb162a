import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { transformSync, version } from 'esbuild';

const GLOBALS = new URL('./globals.js', import.meta.url).href;
const CACHE = fileURLToPath(new URL('../../../.cache/tests/', import.meta.url));
const OPTIONS = {
  target: 'es2022',
  format: 'esm',
  sourcemap: 'inline',
  sourcesContent: false,
  // As tsconfig.json has them.
  tsconfigRaw: {
    compilerOptions: { jsx: 'react-jsx', jsxImportSource: 'hono/jsx', verbatimModuleSyntax: true },
  },
};
/** What is made of a source follows from these too. */
const COMPILER = `${version} ${JSON.stringify(OPTIONS)}`;
mkdirSync(CACHE, { recursive: true });

/** Node's hook for `import`. The package `@jest/globals` is a fault outside of jest's own module loader. */
export function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return found(GLOBALS);
  const source = isOurs(context.parentURL) ? sourceOf(specifier, context.parentURL) : undefined;
  return source === undefined ? next(specifier, context) : found(source);
}

/** Node's hook for what a module says. */
export function load(url, context, next) {
  if (!isTypeScript(url)) return next(url, context);
  return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
}

function found(url) {
  return { url, format: 'module', shortCircuit: true };
}

function isOurs(url) {
  return url !== undefined && url.startsWith('file:') && !url.includes('/node_modules/');
}

function isTypeScript(url) {
  return isOurs(url) && /\.tsx?$/.test(url);
}

/** Our imports name the compiled file, as TypeScript wants it. */
function sourceOf(specifier, parent) {
  if (!/^\.{1,2}\/.*\.js$/.test(specifier)) return undefined;
  const base = new URL(specifier, parent).href.slice(0, -'.js'.length);
  return [`${base}.ts`, `${base}.tsx`].find((url) => existsSync(fileURLToPath(url)));
}

/** Compiled once for all processes: the name of the file in the cache tells what it was made from. */
function compiled(path) {
  const source = readFileSync(path, 'utf8');
  const key = createHash('sha256').update(COMPILER).update(path).update(source).digest('hex');
  const cached = `${CACHE}${key}.js`;
  if (existsSync(cached)) return readFileSync(cached, 'utf8');
  const loader = path.endsWith('x') ? 'tsx' : 'ts';
  const { code } = transformSync(source, { ...OPTIONS, loader, sourcefile: path });
  // Other processes may write it too.
  const own = `${cached}.${process.pid}`;
  writeFileSync(own, code);
  renameSync(own, cached);
  return code;
}
