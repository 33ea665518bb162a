import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';

import { jsonSchemas } from '../../src/contract/json-schemas.js';
import { Operation } from '../../src/contract/index.js';
import { emptyFolder, runIn } from '../support/packaging/run-in.js';
import { unpackedPackage } from '../support/packaging/unpacked.js';

const CALLER = `import { connectGcoreWorkflows } from 'gcore-workflows/client';
import type { ProvisionInstanceInput } from 'gcore-workflows/contract';

export async function order(input: ProvisionInstanceInput): Promise<string> {
  const gcore = await connectGcoreWorkflows();
  const { workflowId } = await gcore.start('provisionInstance', { requestId: 'a', input });
  const result = await gcore.result('provisionInstance', workflowId);
  return [input.waitFor, input.instance.flavor, result.addresses, result.ledger[0]?.note].join();
}
`;

const EVERYTHING = `
export * as client from 'gcore-workflows/client';
export * as codec from 'gcore-workflows/codec';
export * as contract from 'gcore-workflows/contract';
export * as nexus from 'gcore-workflows/contract/nexus';
export * as workflows from 'gcore-workflows/workflows';
export * as interceptors from 'gcore-workflows/workflow-interceptors';
export * as activities from 'gcore-workflows/activities';
export * as simulator from 'gcore-workflows/simulator';
export * as testing from 'gcore-workflows/testing';
`;

/** Two types are the same when no condition tells them apart, at any depth. */
const SAME = `
import type * as inferred from '${resolve('src/contract/operations/types.js')}';
import type * as written from 'gcore-workflows/contract';

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Inferred = inferred.Operations;
type Written = written.Operations;
type Judged = { [O in keyof Inferred]: Same<Inferred[O], Written[O]> };
declare const judged: Judged;
export const operations: Record<keyof Written, true> = judged;
declare const report: Same<inferred.ImportReport, written.ImportReport>;
export const isSame: true = report;
`;

const SETTINGS = {
  compilerOptions: {
    noEmit: true,
    strict: true,
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    skipLibCheck: false,
    // Temporal's own declarations import ms, which names no types in its exports.
    paths: { ms: ['./node_modules/ms/dist/index.d.ts'] },
  },
  files: ['caller.ts', 'everything.ts', 'same.ts'],
};

let project: string;
let editor: ts.LanguageService;

/** A project that has installed the packed package, with all that it needs. */
beforeAll(async () => {
  project = await emptyFolder();
  const modules = join(project, 'node_modules');
  await mkdir(modules);
  for (const name of await readdir('node_modules')) {
    await symlink(resolve('node_modules', name), join(modules, name));
  }
  await cp(await unpackedPackage(), join(modules, 'gcore-workflows'), { recursive: true });
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(SETTINGS));
  await writeFile(join(project, 'caller.ts'), CALLER);
  await writeFile(join(project, 'everything.ts'), EVERYTHING);
  await writeFile(join(project, 'same.ts'), SAME);
  editor = openEditor();
});

/** An editor that has the caller open. */
function openEditor(): ts.LanguageService {
  const { options } = ts.parseJsonConfigFileContent(SETTINGS, ts.sys, project);
  const read = (name: string): ts.IScriptSnapshot | undefined => {
    const text = ts.sys.readFile(name);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  };
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [join(project, 'caller.ts')],
    getScriptVersion: () => '1',
    getScriptSnapshot: read,
    getCurrentDirectory: () => project,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => ts.sys.fileExists(name),
    readFile: (name) => ts.sys.readFile(name),
  });
}

/** What it shows at the end of this text of the caller. */
function hoverAt(text: string): { shows: string; says: string } {
  const at = CALLER.indexOf(text) + text.length - 1;
  const info = editor.getQuickInfoAtPosition(join(project, 'caller.ts'), at);
  return {
    shows: ts.displayPartsToString(info?.displayParts),
    says: ts.displayPartsToString(info?.documentation),
  };
}

describe('the types of the package', () => {
  it('have no fault for a strict compiler, and are those of the schemas', async () => {
    const tsc = resolve('node_modules/typescript-7/bin/tsc');

    const { code, stdout } = await runIn(project, tsc, ['--project', '.']);

    expect([code, stdout]).toEqual([0, '']);
  });

  it('say in an editor what a field is', () => {
    const { properties = {} } = jsonSchemas()['provisionInstance.input'] ?? {};

    expect(properties['waitFor']).toMatchObject({ description: hoverAt('input.waitFor').says });
    expect(hoverAt('instance.flavor').says).toBe('id of the flavor, such as g2-standard-2-4');
    expect(hoverAt('result.addresses').says).toBe('all its addresses, each with its network');
    expect(hoverAt('?.note').says).toBe('what a person should know about it');
  });

  it('have names, which an editor shows instead of all their fields', () => {
    expect(hoverAt('order(input').shows).toBe('(parameter) input: ProvisionInstanceInput');
    expect(hoverAt('const result').shows).toBe('const result: ProvisionInstanceResult');
    expect(hoverAt('input.instance').shows).toContain(': CreateInstanceBody');
  });

  it('say of the input of an operation what a run guarantees', () => {
    expect(hoverAt('type { ProvisionInstanceInput').says).toContain(
      `Input of \`${Operation.provisionInstance}\`. Creates one instance.`,
    );
  });
});
