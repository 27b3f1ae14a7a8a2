import type { Topic } from './topic.js'

export const amountsTopic: Topic = {
  name: 'amounts',
  summary: 'How amounts and tokens are written',
  parts: [
    'Amounts are exact. What could be read in two ways is refused, and nothing is rounded.',
    [
      ['1.5 btc   1.5btc   1.5 BTC', 'one and a half bitcoin'],
      ['1.5 btc to rune', 'a to, for or -> between the tokens is left out'],
      ['25_000 usdc', '25,000; the underscore is the only separator'],
      ['usdc 40000 rune', 'the amount to receive: 40,000 RUNE'],
      ['$500 usdc', 'worth 500 dollars at the mid price'],
      ['--atomic 150000000 btc', 'base units'],
    ],
    'Refused: 0, -1, 1,5 (1.5 or 1500?), 1e6, 1k, 0x10, and more digits than the token has.',
    'A token is named by its denom (btc-btc), by an alias, by its symbol where one listed token has it, or by its name (bitcoin, "usd coin"); usdc.base says which chain. Two tokens of one name are an error with the candidates, and a typing error gets a suggestion, never a substitution.',
  ],
}

export const splittingTopic: Topic = {
  name: 'splitting',
  summary: 'Why dividing an amount pays, and how it is done',
  parts: [
    'A book gets worse the deeper one trades into it. Dividing an amount over several paths takes the best of each: swap sroute finds how much goes where, and says what it gains over the best single path.',
    [
      ['--split-step 5', 'shares are multiples of 5 % (1 to 10); without it they are of any size'],
      ['--max-legs 3', 'at most three calls to sign'],
      ['--explain', 'also the best with 1, 2, 3 ... legs and other steps'],
      ['--legs 0.9:btc/usdc,rune/usdc', 'exactly this leg, again for the next'],
    ],
    'Legs run one after the other, and each is quoted on the books as the ones before it leave them. Each is a call of its own with its own least return; the shares add up to the amount to the atomic. "optimum" in the answer is a proved bound on what any other division could add.',
  ],
}

export const watchingTopic: Topic = {
  name: 'watching',
  summary: 'Following a quote, a book or the arbitrage loops block by block',
  parts: [
    'route, sroute, arbs, book and history take --watch. On a terminal they draw in place, at most fourteen lines; where TERM is dumb or CI is set they write a line a block; anywhere else an event a line (NDJSON) and no escape codes.',
    [
      ['--watch', 'at every block until ctrl-c'],
      ['--watch=10s', 'at most every ten seconds'],
      ['--on-change 5', 'only what moved five basis points since the last report'],
      ['--count 10', 'end after ten results'],
      ["--until 'output>=39500'", 'end once that holds: exit 0'],
      ['--fullscreen', 'on a screen of its own, as tall as it is; the last frame stays'],
    ],
    'Conditions of a quote: output, input, price, impact, and gain for sroute; of a book: mid, spread; of loops: percent, usd, loops. --count with --until ends with exit 5 where the condition never held.',
    [
      ['quote, book', 'the answer of the single call under the same name, and delta_bps'],
      ['opened, changed, closed', 'a loop, with its id'],
      ['problem', 'what went wrong at one block; the next one comes all the same'],
      ['heartbeat', 'after thirty seconds without anything else'],
      ['end', 'why it ended, and the exit status'],
    ],
    '-q prints one value a line. Keys on a terminal: enter takes the quote, c compares, q quits.',
  ],
}

export const scriptsTopic: Topic = {
  name: 'scripts',
  summary: 'Output for programs: documents, events, tables, one value',
  parts: [
    'Standard output holds the answer and nothing else; notes, warnings and errors are on standard error.',
    [
      [
        '--json',
        'the document of the service, also of an error: its very bytes in a pipe, indented on a terminal',
      ],
      ['--ndjson', 'the same; with --watch an event a line'],
      ['--csv', 'rows with a heading, amounts in atomics and in units'],
      ['-q', 'the one value that a script wants'],
      ['in a pipe', 'key and value, or rows, with tabs; no colour; not a stable interface'],
    ],
    'swap schema route prints the JSON Schema of its documents. swap help exit lists the exit statuses. In the demo every code can be tried: swap demo fail.',
    'Colour: --color, then NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM=dumb, then whether a terminal is there, each stream on its own. --ascii, or a locale that is not UTF-8, draws without blocks and arrows.',
  ],
}
