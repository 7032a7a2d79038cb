import {expect, test} from 'vitest';
import {lastOutput} from '../../../src/harness/functions/function-process.ts';

const words = (...lines: string[]) => lastOutput(lines.join('\n'), ['npm', 'run', 'serve']);

test.each([
  ['nothing', [], ''],
  ['one line', ['listening on 9443'], ': listening on 9443'],
  [
    'an error of Node',
    [
      'fn.js:1',
      "throw new Error('x')",
      '^',
      '',
      'Error: no such table: users',
      '    at Module.load (node:1)',
      '',
      'Node.js v24.0.0',
    ],
    ': Error: no such table: users (it said more: run npm run serve)',
  ],
  [
    'a package that is not there',
    [
      'npm error code E404',
      'npm error 404 Not Found - GET https://registry.example.org/gone',
      'npm error 404',
      'npm error 404 Note that you can also install from a tarball.',
      'npm error A complete log of this run can be found in: /home/me/.npm/_logs/debug-0.log',
    ],
    ': Not Found - GET https://registry.example.org/gone (the whole is in /home/me/.npm/_logs/debug-0.log)',
  ],
  [
    'a script of npm that failed',
    [
      'fn: cannot read credentials',
      'npm ERR! code ELIFECYCLE',
      'npm ERR! errno 1',
      'npm ERR! A complete log of this run can be found in:',
      'npm ERR!     /home/me/.npm/_logs/debug.log',
    ],
    ': fn: cannot read credentials (it said more: run npm run serve)',
  ],
  ['a panic under go run', ['panic: boom', '', 'goroutine 1 [running]:', 'exit status 2'], ': panic: boom'],
  [
    'Python',
    [
      'Traceback (most recent call last):',
      '  File "fn.py", line 1, in <module>',
      "ModuleNotFoundError: No module named 'x'",
    ],
    ": ModuleNotFoundError: No module named 'x'",
  ],
])('of %s', (_, lines, said) => {
  expect(words(...lines)).toBe(said);
});
