import type { Command } from '../../command.js'

export const demoCommand: Command = {
  name: 'demo',
  summary: 'Run the embedded chain, fill purses, and make it fail on purpose',
  usage: [
    ['swap demo', 'what it is and how it stands'],
    ['swap demo tour', 'the first five minutes, step by step'],
    ['swap demo start', 'runs it as a process of its own, which later commands find'],
    ['swap demo status', 'where it answers, its height, its faucet, what is switched on'],
    ['swap demo stop', 'ends the process; the chain stays in its file'],
    ['swap demo reset', 'ends the process and removes the chain'],
    ['swap demo faucet <address> [coins]', 'pays play money: 100rune 2btc'],
    ['swap demo fail [kind] [number]', 'switches a fault on; alone it lists them'],
    ['swap demo fail off [kind]', 'switches all faults off, or one'],
    ['swap demo logs', 'blocks, failed transactions, starts, stops and faults'],
  ],
  examples: [
    ['swap demo start --block-time 500ms', 'a chain with quick blocks'],
    ['swap demo status --json | jq -r .rpc', 'for a script'],
    ['swap demo fail slippage --once', 'the next swap is refused by its own floor'],
    ['swap demo fail slow 10 --for 30s', 'half a minute of slow answers'],
    ['swap demo fail 429 --method abci_query', 'only this method is refused'],
  ],
  groups: [
    {
      title: 'START',
      flags: [
        {
          flags: '--port <n>',
          meaning: 'of the RPC, REST takes the next; 0 takes any (default 26657 and 1317, or any)',
        },
        { flags: '--block-time <2s>', meaning: 'between two blocks (default 2s)' },
        { flags: '--seed <n>', meaning: 'of the market and its inhabitants (default 1)' },
        { flags: '--dialect <name>', meaning: 'of the router: forward or stack' },
        { flags: '--foreground', meaning: 'stay in the terminal until ctrl-c' },
      ],
    },
    {
      title: 'FAIL',
      flags: [
        { flags: '--for <30s>', meaning: 'how long; until it is switched off if left out' },
        { flags: '--once', meaning: 'for the next call only' },
        { flags: '--method <name>', meaning: 'only calls of this method, e.g. abci_query' },
        { flags: '--pair <address>', meaning: 'only this contract' },
      ],
    },
    {
      title: 'FAUCET AND LOGS',
      flags: [
        { flags: '--atomic', meaning: 'amounts in base units' },
        { flags: '-f, --follow', meaning: 'go on with what happens from now on' },
        { flags: '--lines <n>', meaning: 'lines of the log to show (default 20)' },
      ],
    },
  ],
  exit: '0 ok, 2 usage, 4 it does not answer, 13 another process holds the chain or the port',
}
