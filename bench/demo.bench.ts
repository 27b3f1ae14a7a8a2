import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoOptions } from '../src/demo-chain/blocks/chain-options.js'
import type { EmbeddedChain } from '../src/demo-chain/blocks/embedded-chain.js'
import { agentsOf } from '../src/demo-chain/genesis/known-accounts.js'
import { demoSnapshot } from '../src/demo-chain/market/snapshot.js'
import { accountOf } from '../src/demo-chain/modules/accounts.js'
import { queryContract } from '../src/demo-chain/modules/dispatch.js'
import { Gas, NO_LIMIT } from '../src/demo-chain/modules/gas.js'
import { openChain } from '../src/demo-chain/process/open-chain.js'
import { executeMessage, signedTx } from '../src/demo-chain/tx/sign.js'

const SWAPS = 100
const document = demoSnapshot(1)
const people = agentsOf(demoOptions.prefix, demoOptions.seed).trader
const usdc = document.usd
const btc = 'btc-btc'
const pairOf = (base: string, quote: string): string =>
  document.pairs.find((pair) => pair.base === base && pair.quote === quote)?.address ?? ''

/** dollars to bitcoin over rune: two hops, one of them with a maker. */
const stages = [
  { address: pairOf('rune', usdc), denom: 'rune' },
  { address: pairOf('rune', btc), denom: btc },
]
const message = JSON.stringify({ swap: { min_return: { denom: btc, amount: '1' }, stages } })

/** Two-hop router swaps of ten dollars, signed by everybody in turn. */
function swaps(chain: EmbeddedChain): readonly Uint8Array[] {
  const state = chain.stateAt(chain.height)
  return Array.from({ length: SWAPS }, (_, at) => {
    const person = people[at % people.length]
    const account = state && person && accountOf(state, person.address)
    if (!person || !account) throw new Error('no account trades')
    return signedTx({
      privateKey: person.privateKey,
      chainId: demoOptions.chainId,
      accountNumber: account.number,
      sequence: account.sequence + BigInt(Math.floor(at / people.length)),
      gas: 20_000_000n,
      messages: [
        executeMessage(person.address, document.router.address, message, [
          { denom: usdc, amount: 1_000_000_000n },
        ]),
      ],
    })
  })
}

const timed = <Result>(work: () => Result): readonly [ms: number, result: Result] => {
  const start = performance.now()
  const result = work()
  return [performance.now() - start, result]
}
const median = (list: readonly number[]): number =>
  [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0
const show = (name: string, value: number, unit: string): void =>
  console.log(name.padEnd(52), value.toFixed(1).padStart(9), unit)

const starts = Array.from(
  { length: 7 },
  () => timed(() => openChain(demoOptions, () => document).chain)[0],
)
show('a new chain, first', starts[0] ?? 0, 'ms')
show('a new chain, median', median(starts), 'ms')

const chain = openChain({ ...demoOptions, life: false }, () => document).chain
const checks = []
const blocks = []
for (let round = 0; round < 25; round++) {
  const txs = swaps(chain)
  checks.push(timed(() => txs.map((tx) => chain.broadcast(tx)))[0])
  const [ms, block] = timed(() => chain.makeBlock())
  if (block.txs.length !== SWAPS || block.txs.some((tx) => tx.result.code !== 0))
    throw new Error('a swap failed')
  blocks.push(ms)
}
show(`checking ${SWAPS} swaps`, median(checks), 'ms')
show(`a block of ${SWAPS} swaps of two hops`, median(blocks), 'ms')
show('blocks a second, checks included', 1000 / (median(checks) + median(blocks)), '')

const state = chain.store.at(chain.height)
const machine = chain.machineAt(chain.height)
const rate = (contract: string, query: object): number => {
  const text = JSON.stringify(query)
  const ask = () => queryContract(machine, state, new Gas(NO_LIMIT), contract, text)
  for (let warm = 0; warm < 200; warm++) ask()
  const [ms] = timed(() => {
    for (let asked = 0; asked < 1000; asked++) ask()
  })
  return 1_000_000 / ms
}
const coin = { denom: usdc, amount: '100000000000' }
show(
  "a pair's simulate ($1,000, with a maker)",
  rate(stages[0]?.address ?? '', { simulate: coin }),
  '/s',
)
show(
  "the router's simulate (two hops)",
  rate(document.router.address, { simulate: { coin, stages } }),
  '/s',
)
show("a pair's book (10 levels)", rate(stages[0]?.address ?? '', { book: { limit: 10 } }), '/s')

const folder = mkdtempSync(join(tmpdir(), 'swap-bench-'))
const path = join(folder, 'chain.jsonl')
const lived = openChain(demoOptions, () => document, path)
const [life] = timed(() => {
  for (let made = 0; made < 1000; made++) lived.chain.makeBlock()
})
lived.close()
show('a block of the inhabitants, written to the file', life / 1000, 'ms')
show('the file after 1,000 blocks', statSync(path).size / 1e6, 'MB')
const opens = Array.from(
  { length: 5 },
  () => timed(() => openChain(demoOptions, () => document, path).close())[0],
)
show('opening it, median', median(opens), 'ms')
rmSync(folder, { recursive: true })
