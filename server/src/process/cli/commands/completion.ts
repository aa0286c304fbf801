import { Argument, type Command } from 'commander'

type Names = { path: string; names: string[] }

/** Every command by its path (`shop delete`), with the names that may follow it: its subcommands and options. */
function namesOf(command: Command, path: string[] = []): Names[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command)
  const options = help.visibleOptions(command)
  const names = [...commands.map((one) => one.name()), ...options.flatMap(({ long }) => long ?? [])]
  const below = commands.filter((one) => one.name() !== 'help')
  return [{ path: path.join(' '), names }, ...below.flatMap((one) => namesOf(one, [...path, one.name()]))]
}

/**
 * A script for bash, which zsh also runs. It completes commands, then options, and file names where neither fits. The
 * script contains the names, so a completion starts no program.
 */
function scriptOf(program: Command, shell: 'bash' | 'zsh'): string {
  const all = namesOf(program)
  const cases = all.map(({ path, names }) => `    '${path}') names='${names.join(' ')}' ;;`)
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_shopbell() {
  local word path='' names='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "\${path:+$path }$word" in
${all
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      '${path}') path='${path}' ;;`)
  .join('\n')}
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$names" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o bashdefault -o default -F _shopbell shopbell
`
}

/** Adds `completion`, which prints the script. Must be added last, so that it knows all commands. */
export function completionCommand(program: Command): void {
  program
    .command('completion')
    .description(
      'print a script that completes commands: add `eval "$(shopbell completion bash)"` to ~/.bashrc',
    )
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh']))
    .action((shell: 'bash' | 'zsh') => {
      process.stdout.write(scriptOf(program, shell))
    })
}
