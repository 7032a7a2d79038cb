import {spawnSync} from 'node:child_process';
import {describe, expect, test} from 'vitest';
import {emptyFolder} from './folder.ts';
import {tether} from './tether.ts';

const folder = emptyFolder();
folder.write('scenario.yaml', 'name: a\n');
folder.write('complete.sh', tether(['completion', 'bash']).out);

/** What bash would offer for the last of the words. */
function offered(...words: readonly string[]): readonly string[] {
  const list = words.map((word) => `'${word}'`).join(' ');
  const script = `source complete.sh; COMP_WORDS=(tether ${list}); COMP_CWORD=${words.length}; _tether; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const {stdout, stderr} = spawnSync('bash', ['--norc', '-c', script], {cwd: folder.path, encoding: 'utf8'});
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

describe('bash', () => {
  test('completes commands', () => {
    expect(offered('exp')).toEqual(['explore', 'explain']);
    expect(offered('')).toContain('render');
  });

  test('completes the flags of a command, and only its own', () => {
    expect(offered('test', '--ju')).toEqual(['--junit']);
    expect(offered('render', '--obs')).toEqual(['--observed-resources']);
    expect(offered('serve', '--obs')).toEqual([]);
    expect(offered('explore', '--st')).toEqual(['--states']);
  });

  test('completes files', () => {
    expect(offered('test', 'scen')).toEqual(['scenario.yaml']);
  });

  test('completes shells and commands where those are meant, and no files', () => {
    expect(offered('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(offered('help', 'exp')).toEqual(['explore', 'explain']);
    expect(offered('help', '-')).toEqual(['--help']);
  });
});

describe('the other shells', () => {
  test('zsh describes commands and adds flags', () => {
    const {code, out} = tether(['completion', 'zsh']);
    expect(code).toBe(0);
    expect(out).toMatch(/^#compdef tether\n/);
    expect(out).toMatch(/^ {4}render\) flags=\(.*--observed-resources .*--help\) taken=\(\) ;;$/m);
    // The description is in single quotes and parted by a colon: it may hold neither.
    for (const [, description = ''] of out.matchAll(/^ {4}'[a-z]+:(.*)'$/gm)) expect(description).not.toMatch(/['":]/);
  });

  test('fish has a line for each command and flag', () => {
    const {out} = tether(['completion', 'fish']);
    expect(out).toContain("complete -c tether -n '__fish_seen_subcommand_from render' -l observed-resources\n");
    expect(out).toContain("complete -c tether -n '__fish_seen_subcommand_from render' -s o\n");
  });

  test('one that is not known is refused', () => {
    expect(tether(['completion', 'fisch'])).toMatchObject({
      code: 2,
      err: 'tether: unknown shell "fisch": did you mean "fish"?\n',
    });
    expect(tether(['completion'])).toMatchObject({
      code: 2,
      err: 'tether: no shell: expected one of bash, zsh, fish\n',
    });
  });
});
