import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import ts from 'typescript';

import type { Operation } from '../../src/contract/wire/names.js';
import { pathsOfApi } from './paths-of-api.js';

/**
 * The calls of the API that the code of an operation can make, such as `GET /cloud/v1/tasks/{task}`. A function is followed into every function that it
 * names, in the workflows and in the activities. So a call counts that no test happens to make.
 */
export function derivedCalls(operation: Operation): string[] {
  code ??= readCode();
  const folder = operation.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const files = [`src/workflows/${folder}/${folder}.ts`, `src/workflows/${folder}.ts`];
  const entry = files.map((file) => unitId(file, operation)).find((id) => code?.units.has(id));
  if (entry === undefined) throw new Error(`there is no workflow in ${files.join(' or ')}`);
  const workflow = reach(code, [entry]);
  const named = [...workflow].flatMap((id) => [...(code?.units.get(id)?.activities ?? [])]);
  return [...new Set(named.flatMap((activity) => callsOf(code ?? readCode(), activity)))].sort();
}

/** One function, or a value that holds some. */
interface Unit {
  /** Other units that it names. */
  follows: Set<string>;
  /** The activities that a workflow names. */
  activities: Set<string>;
  methods: Set<string>;
  paths: Set<string>;
}

interface Code {
  units: Map<string, Unit>;
  /** The unit of each activity. */
  activities: Map<string, string>;
}

let code: Code | undefined;

const GROUPS = new Set(['reads', 'mutations', 'deletes', 'convergent', 'longReads', 'polls']);
const VERB = /^(?:GET|POST|PUT|PATCH|DELETE)$/;

/** A function that says both sends that method to that path. A helper without a path is given those of its callers. */
function callsOf(known: Code, activity: string): string[] {
  const reached = [...reach(known, [known.activities.get(activity) ?? ''])];
  return reached.flatMap((id) => {
    const methods = [...(known.units.get(id)?.methods ?? [])];
    const called = methods.length > 0 ? pathsGivenTo(known, id, reached) : [];
    return methods.flatMap((method) => called.map((name) => `${method} ${pathOf(name)}`));
  });
}

/** Its own paths, or those of the functions that name it. */
function pathsGivenTo({ units }: Code, id: string, among: readonly string[]): string[] {
  const takers = new Set([id]);
  const found = new Set<string>();
  // A set also visits what is added on the way.
  for (const taker of takers) {
    const { paths } = units.get(taker) ?? emptyUnit();
    for (const path of paths) found.add(path);
    if (paths.size > 0) continue;
    for (const caller of among) if (units.get(caller)?.follows.has(taker)) takers.add(caller);
  }
  return [...found];
}

function pathOf(name: string): string {
  const known = pathsOfApi().get(name);
  if (known === undefined) throw new Error(`paths.ts has no ${name}`);
  return known.path;
}

function reach({ units }: Code, entries: readonly string[]): Set<string> {
  const found = new Set(entries);
  // A set also visits what is added on the way.
  for (const id of found) for (const next of units.get(id)?.follows ?? []) found.add(next);
  return found;
}

function unitId(file: string, name: string): string {
  return `${file}#${name}`;
}

function readCode(): Code {
  const files = ['src/engine', 'src/workflows', 'src/activities'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const trees = files.map((file) =>
    ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true),
  );
  const activities = new Map(trees.flatMap((tree) => [...activitiesIn(tree)]));
  const units = new Map<string, Unit>();
  for (const tree of trees) readUnits(tree, { units, activities });
  // The engine is handed the calls for tasks, so no import leads to them.
  const handedIn = units.get(unitId('src/engine/wait/watch-task.ts', 'taskCallsOf'));
  for (const name of ['read', 'poll', 'watch']) {
    handedIn?.follows.add(unitId('src/workflows/gcore.ts', name));
  }
  // What the engine gives to its product has the same names.
  for (const name of [
    'runOperation',
    'planOrRun',
    'changeOperation',
    'removeOperation',
    'makeOperation',
  ]) {
    const given = emptyUnit();
    given.follows.add(unitId('src/engine/create-engine.ts', name));
    units.set(unitId('src/workflows/gcore.ts', name), given);
  }
  return { units, activities };
}

/** The members of the groups that factories return. */
function activitiesIn(tree: ts.SourceFile): Map<string, string> {
  const found = new Map<string, string>();
  if (!tree.fileName.startsWith('src/activities/')) return found;
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && GROUPS.has(node.name.getText())) {
      const members = ts.isObjectLiteralExpression(node.initializer) ? node.initializer : undefined;
      for (const member of members?.properties ?? []) {
        const name = member.name?.getText() ?? '';
        found.set(name, unitId(tree.fileName, name));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function readUnits(tree: ts.SourceFile, known: Code): void {
  const imports = importsOf(tree);
  const own = new Set<string>();
  const declared: { name: string; node: ts.Node }[] = [];
  const visit = (node: ts.Node): void => {
    const name = declaredName(node);
    if (name !== undefined) declared.push({ name, node });
    if (name !== undefined) own.add(name);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  const resolve = (name: string): string | undefined =>
    own.has(name) ? unitId(tree.fileName, name) : imports.get(name);
  for (const { name, node } of declared) {
    const id = unitId(tree.fileName, name);
    const unit = known.units.get(id) ?? emptyUnit();
    known.units.set(id, unit);
    readUnit(node, unit, { resolve, isActivity: (word) => known.activities.has(word) });
  }
}

function emptyUnit(): Unit {
  return { follows: new Set(), activities: new Set(), methods: new Set(), paths: new Set() };
}

function declaredName(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText();
  if (ts.isVariableDeclaration(node) && node.initializer) return node.name.getText();
  const isFunction =
    ts.isPropertyAssignment(node) &&
    (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer));
  return isFunction ? node.name.getText() : undefined;
}

interface Names {
  resolve: (name: string) => string | undefined;
  isActivity: (name: string) => boolean;
}

function readUnit(root: ts.Node, unit: Unit, { resolve, isActivity }: Names): void {
  const local = localsOf(root);
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isStringLiteral(node) && VERB.test(node.text)) unit.methods.add(node.text);
    if (ts.isPropertyAccessExpression(node)) {
      const name = node.name.text;
      if (node.expression.getText() === 'paths') unit.paths.add(name);
      else if (isActivity(name)) unit.activities.add(name);
      visit(node.expression);
      return;
    }
    // The name of a field names no variable.
    if (ts.isPropertyAssignment(node)) {
      visit(node.initializer);
      return;
    }
    const isName = ts.isIdentifier(node) && !local.has(node.text);
    const used = isName ? resolve(node.text) : undefined;
    if (used !== undefined) unit.follows.add(used);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(root, visit);
}

/** Variables and parameters inside of it: another function has others of the same names. */
function localsOf(root: ts.Node): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isLocal =
      ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node);
    if (isLocal) found.add(node.name.getText());
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(root, visit);
  return found;
}

/** What comes from other files of the project. Types too: no unit uses them. */
function importsOf(tree: ts.SourceFile): Map<string, string> {
  const found = new Map<string, string>();
  for (const statement of tree.statements.filter((one) => ts.isImportDeclaration(one))) {
    const from = statement.moduleSpecifier.getText().slice(1, -1);
    const names = statement.importClause?.namedBindings;
    if (!from.startsWith('.') || names === undefined || !ts.isNamedImports(names)) continue;
    const file = join(dirname(tree.fileName), from).replace(/\.js$/, '.ts');
    for (const { name, propertyName } of names.elements) {
      found.set(name.text, unitId(file, (propertyName ?? name).text));
    }
  }
  return found;
}
