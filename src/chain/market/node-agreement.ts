import type { PairState } from '../../engine/market/pair.js'
import { MalformedDocument } from '../../engine/snapshot/json-cursor.js'
import { attempt } from '../../platform/attempt.js'
import { fromBase64, toBase64 } from '../../platform/encoding.js'
import { memberIn } from '../../platform/json-object.js'
import { decodeBook } from '../queries/pair.js'
import { smartQuery } from '../queries/questions.js'
import { abciCall, readAnswer } from '../rpc/abci.js'
import { ask } from '../rpc/ask.js'
import type { Endpoint } from '../rpc/endpoint.js'
import { NodeFault, unlessFaulty } from '../rpc/faults.js'
import { callAt, type RpcOutcome } from '../rpc/http/json-rpc.js'
import {
  check,
  isCompared,
  isOnlyBehind,
  isTrusted,
  type Pool,
  soonDone,
} from '../rpc/node-pool.js'
import { bookDifference } from './self-test.js'

/** Number of pairs whose books are compared; the selection rotates with the height. */
const SAMPLE = 4

/** Levels of a book that are compared. */
const LEVELS = 30

/** The values of one node at a height, by subject. */
type NodeAnswer = {
  readonly endpoint: string
  readonly values: readonly (readonly [subject: string, value: string])[]
}

/** A market that was read from one of the nodes. */
type ReadMarket = {
  readonly pairs: readonly string[]
  readonly height: number
  readonly stateOf: (pair: string) => PairState | undefined
}

/** What a node is asked about a pair. */
const bookQuestion = (pair: string) =>
  smartQuery(pair, { book: { limit: LEVELS } }, decodeBook(LEVELS))

/**
 * Compares the nodes of one chain at the height of a market: the hash of its block, and the books of a few pairs, which
 * have to be those of the market as well. Nodes that do not answer are skipped, and a single node is not compared.
 *
 * @param disputed pairs about which they differed: compared at every height, and removed once the nodes agree
 * @returns a sentence about the first difference, or `undefined`
 */
export async function disagreement(
  pool: Pool,
  { pairs, height, stateOf }: ReadMarket,
  deadlineAt: number,
  disputed: Set<string>,
): Promise<string | undefined> {
  const endpoints = pool.endpoints.filter(isCompared)
  if (endpoints.length < 2) return undefined
  const again = pairs.filter((pair) => disputed.has(pair))
  const sample = [...new Set([...again, ...sampleOf(pairs, height)])]
  const answers = await Promise.all(
    endpoints.map((endpoint) => nodeAnswer(pool, endpoint, sample, height, deadlineAt)),
  )
  const [first, ...others] = answers.filter((answer) => answer !== undefined)
  if (first === undefined || others.length === 0) return undefined
  for (const pair of sample) disputed.delete(pair)
  const differences = first.values.flatMap(([subject, value], at) => {
    const other = others.find(({ values }) => values[at]?.[1] !== value)
    if (other === undefined) return []
    const pair = sample[at - 1]
    if (pair !== undefined) disputed.add(pair)
    return [`${subject} at height ${height}: ${first.endpoint} and ${other.endpoint} differ`]
  })
  if (differences[0] !== undefined) return differences[0]
  for (const [at, pair] of sample.entries()) {
    const why = marketDifference(stateOf(pair), pair, first.values[at + 1]![1])
    if (why === undefined) continue
    disputed.add(pair)
    return `pair ${pair} at height ${height}: the market that one of them gave and the nodes differ: ${why}`
  }
  return undefined
}

/** How a pair of the market differs from its book, as all nodes answer it. */
function marketDifference(
  state: PairState | undefined,
  pair: string,
  value: string,
): string | undefined {
  if (state === undefined || value === REFUSED || value === '') return undefined
  const read = () => bookDifference(state, bookQuestion(pair).read(fromBase64(value)))
  return attempt(read, MalformedDocument)
}

function sampleOf(pairs: readonly string[], height: number): readonly string[] {
  const count = Math.min(SAMPLE, pairs.length)
  return Array.from({ length: count }, (_, i) => pairs[(height * count + i) % pairs.length]!)
}

const nodeAnswer = (
  pool: Pool,
  endpoint: Endpoint,
  sample: readonly string[],
  height: number,
  deadlineAt: number,
): Promise<NodeAnswer | undefined> =>
  unlessFaulty(async () => {
    const calls = sample.map((pair) => abciCall(bookQuestion(pair), height))
    const [block, ...books] = await soonDone(endpoint, async () => {
      if (!isTrusted(pool, endpoint)) await checkAt(pool, endpoint, height, deadlineAt)
      return ask(endpoint, [callAt('commit', height), ...calls], deadlineAt)
    })
    const hash = hashIn(block)
    if (hash === undefined) return undefined
    return {
      endpoint: endpoint.shown,
      values: [
        ['the block', hash],
        ...sample.map((pair, at) => [`pair ${pair}`, bookOf(endpoint, books[at], height)] as const),
      ],
    }
  })

/** Checks a node. One that is behind the others is compared at a height that it has. @throws NodeFault */
async function checkAt(pool: Pool, endpoint: Endpoint, height: number, deadlineAt: number) {
  try {
    await check(pool, endpoint, deadlineAt)
  } catch (error) {
    const isBehind = error instanceof NodeFault && isOnlyBehind(error)
    if (!isBehind || endpoint.height < height) throw error
  }
}

/** The hash of the block that `commit` answers; `undefined` where there is none. */
export function hashIn(outcome: RpcOutcome | undefined): string | undefined {
  const result = outcome?.ok === true ? outcome.result : undefined
  const value = memberIn(result, 'signed_header', 'commit', 'block_id', 'hash')
  return typeof value === 'string' && /^[0-9A-F]{64}$/i.test(value) ? value : undefined
}

const REFUSED = 'refused'

/** The bytes of a book, or `REFUSED`: error texts differ between versions of nodes. */
function bookOf(endpoint: Endpoint, outcome: RpcOutcome | undefined, height: number): string {
  if (outcome === undefined) return ''
  const answer = readAnswer(endpoint, outcome, height)
  return answer.ok ? toBase64(answer.value) : REFUSED
}
