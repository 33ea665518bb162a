import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The bundle of `npm run build` in which the lines stand as the compiler has written them. */
export const OWN_BUNDLE = resolve('dist/workflow-bundle-stacks.js');

/** The field of the policy that only the newer version knows. */
export const NEW_FIELD = 'pauseAtEnd';

interface Edit {
  line: string;
  replacement: string;
}

const KNOWS: Edit = {
  line: '    mostUpdates: true,\n',
  replacement: `    mostUpdates: true,\n    ${NEW_FIELD}: true,\n`,
};

/** In the sandbox of a workflow this is a durable timer: a command that a replay must find. */
const PAUSE = 'await new Promise((done) => setTimeout(done, 10));';

const BODY = 'const result = await scope.run(() => body(run));';

/** It decides differently where the policy says so, long after the policy was recorded. */
const OBEYS: Edit = {
  line: BODY,
  replacement: `${BODY} if (run.prepared.policy.${NEW_FIELD}) ${PAUSE}`,
};

/** It decides differently from the first moment on, and nothing in the history says so. */
const DIVERGES: Edit = { line: BODY, replacement: `${PAUSE} ${BODY}` };

/** Writes the bundle of a newer version into a folder. It knows one more field of the policy. */
export function writeNewerBundle(folder: string): string {
  return writeEdited(join(folder, 'newer-bundle.js'), [KNOWS, OBEYS]);
}

/** Writes the bundle of a version that must never replay a run of this one. */
export function writeDivergingBundle(folder: string): string {
  return writeEdited(join(folder, 'diverging-bundle.js'), [DIVERGES]);
}

function writeEdited(path: string, edits: readonly Edit[]): string {
  let code = readFileSync(OWN_BUNDLE, 'utf8');
  for (const { line, replacement } of edits) {
    const parts = code.split(line);
    if (parts.length !== 2) throw new Error(`the bundle must have this line exactly once: ${line}`);
    code = parts.join(replacement);
  }
  writeFileSync(path, code);
  return path;
}
