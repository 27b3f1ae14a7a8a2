import type { Command } from '../../command.js'

export const configCommand: Command = {
  name: 'config',
  summary: 'Show and change the configuration, and where each value comes from',
  usage: [
    ['swap config list', 'every key with its value, origin and what it overrode'],
    ['swap config get <key>', 'the value that holds'],
    ['swap config set <key> <value>', 'writes it into your file; comments stay'],
    ['swap config unset <key>', 'removes it; what is below holds again'],
    ['swap config path', 'which files are read'],
    ['swap config edit', 'opens it in $VISUAL or $EDITOR; only what can be used is kept'],
    ['swap config check', 'reads all of it and says what is there'],
  ],
  examples: [
    ['swap config set network mainnet', 'leave the demo'],
    ['swap config set slippage 0.3% --project', 'for the folder you are in'],
    ['swap config set alias.usd usdc', 'a short name of your own'],
    ['swap config set rpc https://rpc.example.com', 'asked for its chain id first'],
    ['swap config list --json', 'for a script'],
  ],
  groups: [
    {
      title: 'SET, UNSET AND EDIT',
      flags: [
        { flags: '--project', meaning: 'the .swaprc of the current folder instead of yours' },
        { flags: '--no-check', meaning: 'without asking the node, or the market about an alias' },
      ],
    },
  ],
  exit: '0 ok, 2 usage or a value that cannot be used, 4 the node does not answer, 8 you said no',
}
