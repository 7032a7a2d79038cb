// The sentences in the string literals of a source: messages, help, descriptions.

import {readFileSync} from 'node:fs';
import ts from 'typescript';

/** Literals of three words or more; what stands in `${...}` of a template is left out. */
export function sentencesOf(path: string): string {
  const text = readFileSync(path, 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const sentences: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && /\p{L}+ \p{L}+ \p{L}+/u.test(node.text)) sentences.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return sentences.join('\n').replaceAll(/`[^`\n]*`/g, 'x');
}
