import type { Command } from '../../command.js'

export const balancesCommand: Command = {
  name: 'balances',
  summary: 'Show what an account holds, and what that is worth',
  usage: [['swap balances <address>', 'every coin with its dollar value']],
  examples: [
    ['swap balances demo1...', 'the most valuable first'],
    ["swap balances demo1... --json | jq -r '.balances[].denom'", 'for a script'],
    ['swap balances demo1... -q', 'dollars'],
  ],
  groups: [
    {
      title: 'ACCOUNT',
      flags: [{ flags: '--from <address>', meaning: 'the same as the argument' }],
    },
  ],
  exit: '0 ok, 2 usage, 4 unreachable',
}
