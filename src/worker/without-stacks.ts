import { transformSync } from '@swc/core';

/** Runs before the SDK freezes what a run could change. Without a limit V8 takes no stack trace at all. */
const NO_LIMIT = 'delete Error.stackTraceLimit;';

const MAP_COMMENT = '//# sourceMappingURL=data:';
/** The SDK wants a map, and there is nothing that it could map. */
const NO_MAP = { version: 3, file: 'workflow-bundle.js', sources: [], names: [], mappings: '' };

/**
 * The same code for a sandbox that takes no stack traces: without its source map and comments, and in ASCII. Each worker
 * and each of its threads keeps the text, and V8 keeps it in two bytes a character when a single one is no Latin-1.
 */
export function withoutStacks(code: string): string {
  const end = code.lastIndexOf(MAP_COMMENT);
  const { code: small } = transformSync(end === -1 ? code : code.slice(0, end), {
    isModule: false,
    minify: true,
    jsc: {
      target: 'es2022',
      minify: { compress: false, mangle: false, format: { comments: false, asciiOnly: true } },
    },
  });
  const map = Buffer.from(JSON.stringify(NO_MAP)).toString('base64');
  return `${NO_LIMIT}\n${small}\n${MAP_COMMENT}application/json;base64,${map}`;
}
