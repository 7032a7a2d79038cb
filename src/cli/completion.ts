// Completion scripts for shells. They are made of the commands and of the flags their help texts name, so that nothing is
// listed twice.

export interface DescribedCommand {
  readonly name: string;
  readonly summary: string;
  readonly help: string;
  /** What it takes; files where left out. */
  readonly words?: readonly string[];
}

export type Shell = 'bash' | 'zsh' | 'fish';

export const shells: readonly Shell[] = ['bash', 'zsh', 'fish'];

export const completionHelp = `tether completion SHELL prints a script that completes commands, flags and files in bash, zsh or fish.

  bash   source <(tether completion bash)                                    in ~/.bashrc
  zsh    source <(tether completion zsh)                                     in ~/.zshrc, after compinit
  fish   tether completion fish > ~/.config/fish/completions/tether.fish

Example: source <(tether completion bash)

Exit codes: 0 printed, 2 no such shell.`;

export function completionScript(shell: Shell, commands: readonly DescribedCommand[]): string {
  switch (shell) {
    case 'bash':
      return bash(commands);
    case 'zsh':
      return zsh(commands);
    case 'fish':
      return fish(commands);
  }
}

/** The flags a help text names, in its order. */
function flagsOf(help: string): readonly string[] {
  const found = help.matchAll(/(?:^|[\s,[(])(--[a-z][a-z0-9-]*|-[a-z])(?=[\s,\])|]|$)/gm);
  return [...new Set([...found].map(([, flag = '']) => flag))];
}

function bash(commands: readonly DescribedCommand[]): string {
  const cases = commands.map(({name, help, words = []}) => {
    return `    ${name}) flags="${[...flagsOf(help), '--help'].join(' ')}" words="${words.join(' ')}" ;;`;
  });
  return `# bash completion of tether: source <(tether completion bash)
_tether() {
  local word=\${COMP_WORDS[COMP_CWORD]} flags= words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({name}) => name).join(' ')}" -- "$word"))
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
  const names = commands.map(({name, summary}) => `    '${name}:${quoted(summary)}'`);
  const cases = commands.map(({name, help, words = []}) => {
    return `    ${name}) flags=(${[...flagsOf(help), '--help'].join(' ')}) taken=(${words.join(' ')}) ;;`;
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
  const lines = commands.flatMap(({name, summary, help, words = []}) => [
    `complete -c tether -n __fish_use_subcommand -f -a ${name} -d '${quoted(summary)}'`,
    ...(words.length === 0
      ? []
      : [`complete -c tether -n '__fish_seen_subcommand_from ${name}' -f -a '${words.join(' ')}'`]),
    ...flagsOf(help).map((flag) => {
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
