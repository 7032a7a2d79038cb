// The editor of one file at a time: CodeMirror with YAML, completion from schemas, and what is wrong marked at its place.
// Tab leaves it, as it leaves every field of the page; Ctrl-Space completes.

import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import {defaultKeymap, history, historyKeymap} from '@codemirror/commands';
import {yaml} from '@codemirror/lang-yaml';
import {HighlightStyle, indentOnInput, syntaxHighlighting} from '@codemirror/language';
import {type Diagnostic, setDiagnostics} from '@codemirror/lint';
import {EditorState} from '@codemirror/state';
import {drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers} from '@codemirror/view';
import {tags} from '@lezer/highlight';
import {placeAt, suggestions} from './completion.ts';
import {type KnownSchemas, schemaAt} from './schemas.ts';
import type {Texts} from './workspace.ts';

export interface Editor {
  /** Shows the file; what was typed into another one stays where it was reported to. */
  readonly open: (file: string, text: string) => void;
  readonly complain: (problem: Problem | undefined) => void;
  readonly focus: () => void;
}

export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const colours = HighlightStyle.define([
  {tag: tags.propertyName, class: 'tok-key'},
  {tag: [tags.string, tags.content], class: 'tok-text'},
  {tag: tags.comment, class: 'tok-comment'},
  {tag: [tags.number, tags.bool, tags.keyword], class: 'tok-word'},
]);

export function openEditor(
  parent: HTMLElement,
  known: KnownSchemas,
  texts: () => Texts,
  onChange: (file: string, text: string) => void,
): Editor {
  let file = '';
  const complete = (context: CompletionContext): CompletionResult | null => {
    const text = context.state.doc.toString();
    const place = placeAt(text, context.pos);
    if (place === undefined || (!context.explicit && place.from === context.pos)) return null;
    const found = schemaAt({file, text, offset: context.pos}, place, texts(), known);
    if (found === undefined) return null;
    const options = suggestions(found.schema, found.place).map(({label, detail}) => ({
      label,
      info: detail,
      apply: place.isValue ? label : `${label}: `,
    }));
    return options.length === 0 ? null : {from: place.from, options};
  };
  const extensions = [
    lineNumbers(),
    history(),
    drawSelection(),
    indentOnInput(),
    highlightActiveLine(),
    yaml(),
    syntaxHighlighting(colours),
    autocompletion({override: [complete]}),
    keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.lineWrapping,
    EditorView.updateListener.of(({docChanged, state}) => {
      if (docChanged) onChange(file, state.doc.toString());
    }),
  ];
  const stateOf = (text: string): EditorState =>
    EditorState.create({
      doc: text,
      extensions: [...extensions, EditorView.contentAttributes.of({'aria-label': `text of ${file}`, tabindex: '0'})],
    });
  const view = new EditorView({parent, state: stateOf('')});
  return {
    open: (path, text) => {
      if (path === file && view.state.doc.toString() === text) return;
      file = path;
      view.setState(stateOf(text));
    },
    complain: (problem) => {
      const own: Diagnostic[] =
        problem === undefined || problem.file !== file ? [] : [diagnosticIn(view.state, problem)];
      view.dispatch(setDiagnostics(view.state, own));
    },
    focus: () => view.focus(),
  };
}

function diagnosticIn({doc}: EditorState, {line, column, message}: Problem): Diagnostic {
  const {from, to} = doc.line(Math.min(Math.max(1, line), doc.lines));
  return {from: Math.min(to, from + Math.max(0, column - 1)), to, severity: 'error', message};
}
