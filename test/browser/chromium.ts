import {type ChildProcess, spawn} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

// A real browser without a package for it: Chromium speaks its DevTools protocol over a WebSocket, and Node has one.

export interface Tab {
  /** Sends a DevTools command. */
  readonly send: <T = unknown>(method: string, parameters?: object) => Promise<T>;
  /** The value of an expression in the page. Throws what it throws. */
  readonly evaluate: <T>(expression: string) => Promise<T>;
  /** Opens a page and waits until it is loaded. */
  readonly open: (url: string) => Promise<void>;
  readonly press: (key: string) => Promise<void>;
  /** Every address the page asked for, and what its console and its policy complained of. */
  readonly requested: readonly string[];
  readonly complaints: readonly string[];
}

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--hide-scrollbars',
  '--remote-debugging-port=0',
];

/** Where Chromium is: CHROMIUM, or Debian's place. Throws a sentence where it is not. */
export function chromiumPath(): string {
  const path = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  if (existsSync(path)) return path;
  throw new Error(
    `cannot start Chromium: expected it at ${path}, got no such file. Install it (Debian: apt-get install chromium) or set CHROMIUM to its path`,
  );
}

/** Starts a browser for `use` and ends it afterwards. */
export async function withTab<T>(
  size: {readonly width: number; readonly height: number},
  use: (tab: Tab) => Promise<T>,
): Promise<T> {
  const profile = mkdtempSync(join(tmpdir(), 'tether-browser-'));
  const window = `--window-size=${size.width},${size.height}`;
  const browser = spawn(chromiumPath(), [...flags, window, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => browser.once('exit', resolve));
  try {
    return await use(await openTab(await addressOf(browser)));
  } finally {
    browser.kill('SIGKILL');
    await ended;
    rmSync(profile, {recursive: true, force: true, maxRetries: 5});
  }
}

/** The browser says on stderr where it listens. */
function addressOf(browser: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let said = '';
    browser.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (address !== undefined) resolve(new URL(address));
    });
    browser.once('exit', (code) => reject(new Error(`Chromium ended with ${code} before it listened: ${said}`)));
    browser.once('error', reject);
  });
}

interface Target {
  readonly type: string;
  readonly webSocketDebuggerUrl: string;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {readonly [name: string]: unknown};
  readonly result?: unknown;
  readonly error?: {readonly message: string};
}

async function openTab(browser: URL): Promise<Tab> {
  const targets = (await (await fetch(`http://${browser.host}/json/list`)).json()) as readonly Target[];
  const target = targets.find(({type}) => type === 'page');
  if (target === undefined) throw new Error('Chromium has no page');
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('cannot connect to Chromium')));
  });
  const tab = tabOn(socket);
  for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await tab.send(`${domain}.enable`);
  return tab;
}

function tabOn(socket: WebSocket): Tab {
  const answers = new Map<number, (message: Message) => void>();
  const requested: string[] = [];
  const complaints: string[] = [];
  let loaded = (): void => {};
  let count = 0;
  socket.addEventListener('message', ({data}) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) answers.get(message.id)?.(message);
    if (message.method === 'Page.loadEventFired') loaded();
    if (message.method === 'Network.requestWillBeSent')
      requested.push((message.params?.['request'] as {readonly url: string} | undefined)?.url ?? '');
    if (message.method === 'Runtime.exceptionThrown' || message.method === 'Log.entryAdded')
      complaints.push(JSON.stringify(message.params));
    if (message.method === 'Runtime.consoleAPICalled') complaints.push(JSON.stringify(message.params?.['args']));
  });
  const send = async <T>(method: string, parameters: object = {}): Promise<T> => {
    const id = ++count;
    const answer = new Promise<Message>((resolve) => answers.set(id, resolve));
    socket.send(JSON.stringify({id, method, params: parameters}));
    const {result, error} = await answer;
    answers.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result as T;
  };
  const evaluate = async <T>(expression: string): Promise<T> => {
    const options = {expression, returnByValue: true, awaitPromise: true};
    const {result, exceptionDetails} = await send<{
      readonly result: {readonly value: T};
      readonly exceptionDetails?: {readonly exception?: {readonly description?: string}};
    }>('Runtime.evaluate', options);
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? 'it threw');
    return result.value;
  };
  return {
    send,
    evaluate,
    open: async (url) => {
      const done = new Promise<void>((resolve) => {
        loaded = resolve;
      });
      await send('Page.navigate', {url});
      await done;
    },
    press: async (key) => {
      const codes: {readonly [key: string]: number} = {
        Tab: 9,
        Enter: 13,
        Escape: 27,
        ArrowLeft: 37,
        ArrowUp: 38,
        ArrowRight: 39,
        ArrowDown: 40,
        End: 35,
        Home: 36,
      };
      const event = {key, code: key, windowsVirtualKeyCode: codes[key] ?? 0};
      const text = key === 'Enter' ? '\r' : key.length === 1 ? key : '';
      await send('Input.dispatchKeyEvent', {type: text === '' ? 'rawKeyDown' : 'keyDown', ...event, text});
      await send('Input.dispatchKeyEvent', {type: 'keyUp', ...event});
    },
    requested,
    complaints,
  };
}
