import { readFileSync } from 'node:fs';

import ts from 'typescript';

import { paths } from '../../src/contract/wire/paths.js';

const FILE = 'src/contract/wire/paths.ts';

/** A path as pages write it, and why it is called. */
interface DocumentedPath {
  /** Such as `/cloud/v1/tasks/{task}`. */
  path: string;
  /** By method: what the comment says. */
  reasons: ReadonlyMap<string, string>;
}

/** Every path that the product calls, by its name in src/contract/wire/paths.ts. */
export function pathsOfApi(): ReadonlyMap<string, DocumentedPath> {
  return (known ??= new Map(readPaths()));
}

let known: ReadonlyMap<string, DocumentedPath> | undefined;

function readPaths(): [string, DocumentedPath][] {
  const text = readFileSync(FILE, 'utf8');
  const found: [string, DocumentedPath][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isArrowFunction(node.initializer)) {
      const name = node.name.getText();
      found.push([name, { path: pathOf(name, node.initializer), reasons: reasonsOf(name, node) }]);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(FILE, text, ts.ScriptTarget.Latest, true));
  return found;
}

const PLACE = { projectId: '{project}', regionId: '{region}' };

function pathOf(name: string, { parameters }: ts.ArrowFunction): string {
  const path: unknown = Reflect.get(paths, name);
  if (typeof path !== 'function') throw new Error(`${FILE} has no ${name}`);
  const given = parameters.map(({ name: parameter, type }) =>
    type?.getText() === 'Place' ? PLACE : `{${parameter.getText().replace(/Id$/, '')}}`,
  );
  return decodeURI(String(Reflect.apply(path, undefined, given)));
}

function reasonsOf(name: string, node: ts.Node): Map<string, string> {
  const comments = ts.getJSDocCommentsAndTags(node).map(({ comment }) => comment);
  const text = comments.map((comment) => ts.getTextOfJSDocComment(comment) ?? '').join(' ');
  const found = text.matchAll(/\b(?<method>[A-Z]+): (?<reason>.*?)\.(?= [A-Z]+: |$)/g);
  const reasons = [...found].map(({ groups }): [string, string] => [
    groups?.['method'] ?? '',
    groups?.['reason'] ?? '',
  ]);
  if (reasons.length === 0) throw new Error(`${FILE} does not say why ${name} is called`);
  return new Map(reasons);
}
