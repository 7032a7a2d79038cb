// A request's walk: the functions that a reader meets who follows every call from `runFunction` on, in the order of the code and each
// function once. It counts how often the walk comes back to a file that it has left. By names, without types: what is called through
// a value is not followed.

import {readFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import ts from 'typescript';

const root = new URL('../../', import.meta.url).pathname;

interface Place {
  readonly file: string;
  readonly name: string;
}

interface File {
  readonly functions: ReadonlyMap<string, ts.Node>;
  readonly imported: ReadonlyMap<string, Place>;
}

/** The files of the walk, one entry for each time that it comes to another one. */
export function walkOfRequest(): readonly string[] {
  const known = new Map<string, File>();
  const met = new Set<string>();
  const stays: string[] = [];
  const follow = ({file, name}: Place): void => {
    const {functions, imported} = known.get(file) ?? readFile(file);
    known.set(file, {functions, imported});
    const node = functions.get(name);
    if (node === undefined || met.has(`${file} ${name}`)) return;
    met.add(`${file} ${name}`);
    if (stays.at(-1) !== file) stays.push(file);
    for (const used of namesIn(node)) follow(imported.get(used) ?? {file, name: used});
  };
  follow({file: 'src/function/run.ts', name: 'runFunction'});
  return stays;
}

function readFile(file: string): File {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  return {
    functions: new Map(source.statements.flatMap(functionsOf)),
    imported: new Map(source.statements.flatMap((statement) => importedBy(statement, file))),
  };
}

/** Functions and classes of a file, also those that are constants. */
function functionsOf(statement: ts.Statement): readonly (readonly [string, ts.Node])[] {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
    return statement.name === undefined ? [] : [[statement.name.text, statement]];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations
    .filter(({initializer}) => initializer !== undefined && ts.isFunctionLike(initializer))
    .map((declaration) => [declaration.name.getText(), declaration]);
}

function importedBy(statement: ts.Statement, file: string): readonly (readonly [string, Place])[] {
  if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
  const bindings = statement.importClause?.namedBindings;
  const {text} = statement.moduleSpecifier;
  if (!text.startsWith('.') || bindings === undefined || !ts.isNamedImports(bindings)) return [];
  const from = relative('.', join(dirname(file), text));
  return bindings.elements.map(({name, propertyName}) => [name.text, {file: from, name: (propertyName ?? name).text}]);
}

/** Names of values in the order of the code; members and types are none. */
function namesIn(node: ts.Node): readonly string[] {
  if (ts.isTypeNode(node)) return [];
  if (ts.isIdentifier(node)) return isMember(node) ? [] : [node.text];
  const names: string[] = [];
  node.forEachChild((child) => {
    names.push(...namesIn(child));
  });
  return names;
}

function isMember(node: ts.Identifier): boolean {
  const {parent} = node;
  return (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) && parent.name === node;
}
