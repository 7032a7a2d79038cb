// Completion scripts for shells, made of the commands' option tables.

import {type CommandLine, flagsOf} from '../command-line/option-table.ts';

export interface DescribedCommand {
  readonly summary: string;
  readonly line: CommandLine;
}

export type Shell = 'bash' | 'zsh' | 'fish';

export const shells: readonly Shell[] = ['bash', 'zsh', 'fish'];

export const completionLine = {
  name: 'completion',
  takes: 'SHELL',
  words: shells,
  does: 'prints a script that completes commands, flags and files in bash, zsh or fish.',
  options: {},
  more: `  bash   source <(tether completion bash)                                    in ~/.bashrc
  zsh    source <(tether completion zsh)                                     in ~/.zshrc, after compinit
  fish   tether completion fish > ~/.config/fish/completions/tether.fish`,
  example: 'source <(tether completion bash)',
  exitCodes: '0 printed, 2 no such shell.',
} satisfies CommandLine;

export function completionScript(shell: Shell, commands: readonly DescribedCommand[]): string {
  return {bash, zsh, fish}[shell](commands);
}

function bash(commands: readonly DescribedCommand[]): string {
  const cases = commands.map(({line}) => {
    return `    ${line.name}) flags="${flagsOf(line).join(' ')}" words="${(line.words ?? []).join(' ')}" ;;`;
  });
  return `# bash completion of tether: source <(tether completion bash)
_tether() {
  local word=\${COMP_WORDS[COMP_CWORD]} flags= words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({line}) => line.name).join(' ')}" -- "$word"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *) COMPREPLY=($([ -n "$words" ] && compgen -W "$words" -- "$word" || compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _tether tether
`;
}

function zsh(commands: readonly DescribedCommand[]): string {
  const names = commands.map(({line, summary}) => `    '${line.name}:${quoted(summary)}'`);
  const cases = commands.map(({line}) => {
    return `    ${line.name}) flags=(${flagsOf(line).join(' ')}) taken=(${(line.words ?? []).join(' ')}) ;;`;
  });
  return `#compdef tether
# zsh completion of tether: source <(tether completion zsh)
_tether() {
  local -a commands flags taken
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case \${words[2]} in
${cases.join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    compadd -- $flags
  elif (( $#taken )); then
    compadd -- $taken
  else
    _files
  fi
}
compdef _tether tether
`;
}

function fish(commands: readonly DescribedCommand[]): string {
  const lines = commands.flatMap(({summary, line, line: {name, words = []}}) => [
    `complete -c tether -n __fish_use_subcommand -f -a ${name} -d '${quoted(summary)}'`,
    ...(words.length === 0
      ? []
      : [`complete -c tether -n '__fish_seen_subcommand_from ${name}' -f -a '${words.join(' ')}'`]),
    ...flagsOf(line).map((flag) => {
      const option = flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
      return `complete -c tether -n '__fish_seen_subcommand_from ${name}' ${option}`;
    }),
  ]);
  return `# fish completion of tether\n${lines.join('\n')}\n`;
}

/** For single quotes; a backtick would be nothing special there. */
function quoted(text: string): string {
  return text.replaceAll("'", '').replaceAll(':', ',');
}
