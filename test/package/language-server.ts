// The YAML language server of VS Code's extension, talked to as an editor does: JSON-RPC with Content-Length headers.

import {spawn} from 'node:child_process';
import {fileURLToPath, pathToFileURL} from 'node:url';

const program = fileURLToPath(
  new URL('../../node_modules/yaml-language-server/bin/yaml-language-server', import.meta.url),
);

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly uri?: string;
    readonly diagnostics?: readonly Diagnostic[];
    readonly items?: readonly unknown[];
  };
  readonly result?: unknown;
}

interface Diagnostic {
  readonly message: string;
  readonly range: {readonly start: {readonly line: number}};
}

interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Editor extends AsyncDisposable {
  /** Opens a text as a file of this name; answers what is marked in it. */
  readonly open: (name: string, text: string) => Promise<readonly Diagnostic[]>;
  /** What is offered at the mark `|` of a text: label and documentation. */
  readonly complete: (name: string, text: string) => Promise<ReadonlyMap<string, string>>;
  /** What is shown over the mark `|` of a text. */
  readonly hover: (name: string, text: string) => Promise<string>;
}

/** `schemas`: which files a schema file is for, as the setting `yaml.schemas` has it. */
export async function openEditor(folder: URL, schemas: {readonly [file: string]: readonly string[]}): Promise<Editor> {
  const child = spawn(process.execPath, [program, '--stdio'], {stdio: ['pipe', 'pipe', 'inherit']});
  const waiting = new Map<number | string, (message: Message) => void>();
  const settings = {schemas, validate: true, hover: true, completion: true, schemaStore: {enable: false}};
  const send = (message: object): void => {
    const text = JSON.stringify({jsonrpc: '2.0', ...message});
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const received = (message: Message): void => {
    const {id, method, params} = message;
    if (method === 'workspace/configuration') {
      send({id, result: (params?.items ?? []).map((item) => sectionOf(item, settings))});
    } else if (method !== undefined && id !== undefined) {
      send({id, result: null});
    } else if (method === 'textDocument/publishDiagnostics') {
      waiting.get(params?.uri ?? '')?.(message);
    } else if (id !== undefined) {
      waiting.get(id)?.(message);
    }
  };
  child.stdout.on('data', framed(received));
  let requests = 0;
  const ask = async (method: string, params: object): Promise<unknown> => {
    const id = ++requests;
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
    send({id, method, params});
    return (await answer).result;
  };
  const uriOf = (name: string): string => new URL(name, folder).href;
  const open = async (name: string, text: string): Promise<readonly Diagnostic[]> => {
    const uri = uriOf(name);
    const marked = new Promise<Message>((resolve) => waiting.set(uri, resolve));
    send({method: 'textDocument/didOpen', params: {textDocument: {uri, languageId: 'yaml', version: 1, text}}});
    return (await marked).params?.diagnostics ?? [];
  };
  const at = async (method: string, name: string, marked: string): Promise<unknown> => {
    const {text, position} = withoutMark(marked);
    await open(name, text);
    return ask(method, {textDocument: {uri: uriOf(name)}, position});
  };
  await ask('initialize', {
    processId: process.pid,
    rootUri: folder.href,
    capabilities: {workspace: {configuration: true}, textDocument: {completion: {completionItem: {}}, hover: {}}},
    workspaceFolders: [{uri: folder.href, name: 'folder'}],
  });
  send({method: 'initialized', params: {}});
  send({method: 'workspace/didChangeConfiguration', params: {settings: {yaml: settings}}});
  return {
    open,
    complete: async (name, text) => {
      const {items} = (await at('textDocument/completion', name, text)) as {readonly items: readonly Offered[]};
      return new Map(items.map(({label, documentation}) => [label, textOf(documentation)]));
    },
    hover: async (name, text) => {
      const shown = (await at('textDocument/hover', name, text)) as {readonly contents?: unknown} | null;
      return textOf(shown?.contents);
    },
    [Symbol.asyncDispose]: async () => {
      await ask('shutdown', {});
      const ended = new Promise((resolve) => child.once('exit', resolve));
      send({method: 'exit'});
      await ended;
    },
  };
}

interface Offered {
  readonly label: string;
  readonly documentation?: unknown;
}

function textOf(content: unknown): string {
  if (typeof content === 'object' && content !== null && 'value' in content) return String(content.value);
  return typeof content === 'string' ? content : '';
}

function sectionOf(item: unknown, settings: object): unknown {
  const section = (item as {readonly section?: string}).section;
  return section === 'yaml' ? settings : {};
}

function withoutMark(marked: string): {readonly text: string; readonly position: Position} {
  const before = marked.slice(0, marked.indexOf('|'));
  const lines = before.split('\n');
  return {text: marked.replace('|', ''), position: {line: lines.length - 1, character: (lines.at(-1) ?? '').length}};
}

/** Calls for each whole message in a stream of them. */
function framed(received: (message: Message) => void): (chunk: Buffer) => void {
  let buffered = Buffer.alloc(0);
  return (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (;;) {
      const head = buffered.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/.exec(buffered.subarray(0, Math.max(head, 0)).toString())?.[1]);
      if (head < 0 || buffered.length < head + 4 + length) return;
      const body = buffered.subarray(head + 4, head + 4 + length).toString();
      buffered = buffered.subarray(head + 4 + length);
      received(JSON.parse(body) as Message);
    }
  };
}

export function schemaUri(file: string): string {
  return pathToFileURL(fileURLToPath(new URL(`../../docs/${file}`, import.meta.url))).href;
}
