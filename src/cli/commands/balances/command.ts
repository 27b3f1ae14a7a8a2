import { type Command, flag } from '../../command.js'

export const balancesCommand: Command = {
  name: 'balances',
  summary: 'Show the balances of an account and their value',
  usage: {
    'swap balances <address>': 'every coin with its dollar value; also of a key or a name',
    'swap balances': 'of the default key',
  },
  examples: {
    'swap balances main': 'of a key; the most valuable first',
    "swap balances demo1... --json | jq -r '.balances[].denom'": 'for a script',
    'swap balances demo1... -q': 'dollars',
  },
  arguments: [{ form: '[address]', meaning: 'the address', values: ['account'] }],
  flags: { ACCOUNT: [flag('--from <address>', 'the same as the argument', { value: 'account' })] },
  exit: '0 ok, 2 usage, 4 unreachable, 7 a key file',
  answer: async () =>
    (await import('../../../operations/account/balances-documents.js')).BalancesAnswer,
  load: async () => (await import('./run.js')).runBalances,
}
