import { type Command, choices, flag } from '../../command.js'
import { type Shell, shells } from '../../flags/command-flags.js'

const yesFlag = flag('--yes', 'without asking')
const shellFlag = flag('--shell <name>', 'bash, zsh, fish or powershell (default: $SHELL)', {
  value: choices(...shells),
})

const HERE = 'for this shell only'
const byHand: Readonly<Record<Shell, NonNullable<Command['examples']>>> = {
  bash: { 'source <(swap completion bash)': HERE },
  zsh: { 'source <(swap completion zsh)': HERE },
  fish: { 'swap completion fish >~/.config/fish/completions/swap.fish': 'by hand' },
  powershell: { 'swap completion powershell | Out-String | Invoke-Expression': HERE },
}

const printing = (shell: Shell): Command => ({
  name: shell,
  summary: `Print the script for ${shell}`,
  examples: byHand[shell],
  exit: '0 ok, 2 usage',
  load: async () => (await import('./install.js')).printScript(shell),
})

const commands: readonly Command[] = [
  ...shells.map(printing),
  {
    name: 'install',
    summary: 'Install the completion of your shell',
    examples: { 'swap completion install --shell zsh': 'for every new one' },
    flags: { INSTALL: [shellFlag, yesFlag] },
    answer: async () => (await import('../command-answers.js')).CompletionChange,
    load: async () => (await import('./install.js')).install,
  },
  {
    name: 'uninstall',
    summary: 'Remove exactly what install wrote',
    examples: { 'swap completion uninstall --shell zsh': 'the line in .zshrc' },
    flags: { UNINSTALL: [shellFlag] },
    formerFlags: [yesFlag],
    exit: '0 ok, 2 usage',
    answer: async () => (await import('../command-answers.js')).CompletionChange,
    load: async () => (await import('./install.js')).uninstall,
  },
]

export const completionCommand: Command = {
  name: 'completion',
  summary: 'Complete commands, flags, tokens and ids in your shell',
  commands,
  exit: '0 ok, 2 usage, 8 not confirmed',
}
