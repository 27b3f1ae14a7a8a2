import type { Command } from '../../command.js'

export const completionCommand: Command = {
  name: 'completion',
  summary: 'Complete commands, flags, tokens and ids in your shell',
  usage: [
    ['swap completion <shell>', 'prints the script: bash, zsh, fish or powershell'],
    ['swap completion install', 'shows what it would write, asks, writes it'],
    ['swap completion uninstall', 'removes exactly that'],
  ],
  examples: [
    ['source <(swap completion bash)', 'for this shell only'],
    ['swap completion install --shell zsh', 'for every new one'],
    ['swap completion fish >~/.config/fish/completions/swap.fish', 'by hand'],
  ],
  groups: [
    {
      title: 'INSTALL',
      flags: [
        { flags: '--shell <name>', meaning: 'bash, zsh, fish or powershell (default: $SHELL)' },
        { flags: '--yes', meaning: 'without asking' },
      ],
    },
  ],
  exit: '0 ok, 2 usage, 8 you said no',
}
