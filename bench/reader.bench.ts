import { marketReader } from '../src/chain/market/read-market.js'
import { demo } from '../src/chain/networks/demo.js'
import type { Source } from '../src/chain/rpc/query-source.js'
import { demoOptions } from '../src/demo-chain/blocks/chain-options.js'
import { demoSnapshot } from '../src/demo-chain/market/snapshot.js'
import { queries } from '../src/demo-chain/node/queries/all-queries.js'
import { nodeOf } from '../src/demo-chain/node/queries/node.js'
import { answerAbci } from '../src/demo-chain/node/queries/query.js'
import { jsonArgs } from '../src/demo-chain/node/rpc/arguments.js'
import { methods, run } from '../src/demo-chain/node/rpc/jsonrpc.js'
import { openChain } from '../src/demo-chain/process/open-chain.js'

/** What it takes to read the whole market of 58 pairs: the first time, and block after block. */
const chain = openChain(demoOptions, () => demoSnapshot(1)).chain
const node = nodeOf(chain, { queryGas: 10n ** 12n })

/** Asks the chain in this process: what is measured is the reader and the node, no transport. */
const sourceOf = (refusesStorage: boolean): Source => ({
  newestHeight: async () => chain.height,
  queries: async (questions, height) =>
    questions.map(({ path, data }) => {
      const answer = answerAbci(node, queries, { path, data, height: BigInt(height) })
      const isRefused = refusesStorage && path.endsWith('/AllContractState')
      return answer.code === 0 && !isRefused
        ? { ok: true, value: answer.value ?? new Uint8Array() }
        : { ok: false, code: answer.code, codespace: answer.codespace, text: answer.log }
    }),
  call: async (method, params) => {
    const found = methods.get(method)
    if (found === undefined) throw new Error(`no method ${method}`)
    return JSON.parse(JSON.stringify(await run(node, found, jsonArgs(found.names, params))))
  },
  rest: () => Promise.reject(new Error('no REST door')),
  close: () => {},
})

const median = (list: readonly number[]): number =>
  [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0

type Row = readonly [calls: number, queries: number, kilobytes: number, ms: number]

const show = (name: string, [calls, asked, kilobytes, ms]: Row): void =>
  console.log(
    name.padEnd(34),
    `${calls} calls`.padStart(9),
    `${asked} queries`.padStart(13),
    `${kilobytes} kB`.padStart(9),
    `${ms.toFixed(1)} ms`.padStart(10),
  )

/** Reads of one reader: the first, those that only read books, those that read everything again. */
async function measure(name: string, refusesStorage: boolean): Promise<void> {
  const reader = marketReader(demo, sourceOf(refusesStorage))
  const rows: Row[] = []
  for (let read = 0; read < 32; read++) {
    chain.makeBlock()
    await reader.read()
    const report = reader.lastRead()
    if (report === undefined) throw new Error('nothing was read')
    rows.push([report.batches, report.queries, Math.round(report.bytes / 1000), report.ms])
  }
  const [first, ...next] = rows
  if (first === undefined) throw new Error('nothing was read')
  show(`${name}: the first read`, first)
  const middle = (pick: 0 | 1 | 2 | 3) => median(next.map((row) => row[pick]))
  show(`${name}: each next, median`, [middle(0), middle(1), middle(2), middle(3)])
}

await measure('from storage', false)
await measure('from books', true)
