import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { build } from 'esbuild';

const SOURCE = resolve('src');
/** The other entries have fixed names for `main`, and for the build. */
const ENTRIES = ['main', 'run-cli', 'outlines'].map((name) => `src/cli/${name}.ts`);

/** What only some commands load: with native code, with files beside it, or to serve for hours. It is no part of the client package. */
const APART = /^(activities|dev|gateway|observe|simulator|worker|workflows)\//;
/** Classes of errors that what stands apart throws and a command catches, or the reverse: there must be one of each. */
const SHARED = new Set(['client/errors.js', 'config/configuration-error.js']);
/** Modules with classes of errors that are caught where they are thrown. */
const THROWN_AND_CAUGHT = new Set(['contract/manifest-lines.ts', 'files/fresh-file.ts']);

/** Of Temporal's messages: what its native library and its cloud service speak. The client never does. */
const UNSPOKEN = /[^\w."'`](?:\w+\.)*(?:coresdk|api\.cloud)\.\w/;

/**
 * @param {string} target The folder of the bundle. Its files lie side by side, one level deep in `dist`.
 * @returns {Promise<{ outputs: { path: string, text: string }[], packages: string[] }>} Files to write, and the folders
 * of the packages that they hold.
 */
export async function bundleCommandLine(target) {
  const { outputFiles, metafile } = await build({
    entryPoints: ENTRIES,
    outdir: target,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // The UMD form of jsonc-parser cannot be bundled.
    mainFields: ['module', 'main'],
    // As in the sources, in stack traces too.
    keepNames: true,
    // Drops comments: with one that is no Latin-1, V8 reads a megabyte of code in two bytes a character.
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'eof',
    // CommonJS packages ask it for Node's own modules.
    banner: {
      js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
    // Not that of the project: its paths lead to declarations.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    plugins: [leaveApart, shortenMessages, oneLanguage],
    // gRPC asks for it only to describe itself to a debugger.
    external: ['@grpc/proto-loader'],
    logLevel: 'warning',
  });
  const inputs = Object.keys(metafile.inputs);
  for (const file of inputs.filter((input) => input.startsWith('src/'))) await check(file, target);
  if (outputFiles.some(({ text }) => UNSPOKEN.test(text))) {
    throw new Error('The command line uses messages of Temporal that its bundle leaves out.');
  }
  return { outputs: outputFiles, packages: [...new Set(inputs.flatMap(packageOf))].sort() };
}

/** What stays a file of its own is imported from where the compiler has put it. */
const leaveApart = {
  name: 'leave-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, importer }) => {
      const file = relative(SOURCE, join(dirname(importer), path));
      if (!importer.startsWith(SOURCE) || !(APART.test(file) || SHARED.has(file))) return undefined;
      return { path: `../${file}`, external: true };
    });
  },
};

/** Half of the start of Temporal's client is spent on the description of its messages. JSON is also read faster than code. */
const shortenMessages = {
  name: 'shorten-messages',
  setup({ onLoad }) {
    onLoad({ filter: /@temporalio\/proto\/protos\/json-module\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      const [before, json, after] = code.split(/(?<=\.addJSON\()(?=\{)|(?<=\})(?=\);)/);
      const messages = JSON.parse(json);
      delete messages.coresdk;
      delete messages.temporal.nested.api.nested.cloud;
      const text = JSON.stringify(JSON.stringify(messages));
      return { contents: `${before}JSON.parse(${text})${after}` };
    });
  },
};

/** Of its faults, zod has the words in fifty languages. */
const oneLanguage = {
  name: 'one-language',
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

async function check(file, target) {
  const code = await readFile(file, 'utf8');
  for (const [, path] of code.matchAll(/new URL\(\s*'([^']+)',\s*import\.meta\.url/g)) {
    const [own, bundled] = [join('dist', relative('src', file)), join(target, 'main.js')].map(
      (from) => fileURLToPath(new URL(path, pathToFileURL(resolve(from)))),
    );
    if (own !== bundled) throw new Error(`${file}: "${path}" leads elsewhere from the bundle.`);
  }
  const isKnownAnywhere =
    file.startsWith('src/cli/') ||
    THROWN_AND_CAUGHT.has(relative('src', file)) ||
    code.includes('[Symbol.hasInstance]');
  if (!isKnownAnywhere && /^export class \w+ extends \w*(Error|Failure)\b/m.test(code)) {
    throw new Error(
      `${file} exports a class of errors. What stands outside the bundle has another: share the module, or say that its errors are caught where they are thrown.`,
    );
  }
}

function packageOf(input) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [];
}
