import type { Chain, Included, Question, Standing } from '../app/execute/ports.js'
import { decodeSimulation } from '../chain/decode/router.js'
import { inquire } from '../chain/inquiry.js'
import { smart } from '../chain/question.js'
import { marketReader } from '../chain/read-market.js'
import { abciCall, readAnswer } from '../chain/transport/abci.js'
import { ask } from '../chain/transport/ask.js'
import type { Endpoint } from '../chain/transport/endpoint.js'
import { NodeFault } from '../chain/transport/faults.js'
import { check, noted } from '../chain/transport/pool.js'
import { sourceOf } from '../chain/transport/source.js'
import { accountInfo } from '../chain/tx/account.js'
import { broadcast } from '../chain/tx/broadcast.js'
import { reasonOf } from '../chain/tx/failure.js'
import { findTx, scanBlocks } from '../chain/tx/lookup.js'
import { type Included as InBlock, movementsOf } from '../chain/tx/result.js'
import type { Access } from './chain-access.js'
import { allBalances } from './chain-port.js'
import { codecOf } from './execute-codec.js'
import { trialOf } from './trial.js'

/** How long one node is waited for where the next one can be asked instead. */
const PATIENCE_MS = 8_000

/** How often a node is asked again for a block that it does not have yet, and how long between. */
const TRIES = 8
const PAUSE_MS = 300

/** What executing asks of a network, asked of its nodes. */
export function executionChain({ network, nodes }: Omit<Access, 'embedded' | 'close'>): Chain {
  const { rpc } = nodes
  const source = sourceOf(nodes)
  const reader = marketReader(network, source)
  const each = <T>(work: (endpoint: Endpoint, until: number) => Promise<T>) => eachOf(rpc, work)
  return {
    network: network.name,
    chainId: network.chainId,
    feeDenom: network.feeDenom,
    gasPrice: network.gasPrice,
    real: network.real,
    endpoints: rpc.endpoints.map(({ shown }) => shown),
    codec: codecOf(network.prefix),
    market: () => reader.read(),
    balances: (address, height) =>
      allBalances(
        inquire(source, network.name, height, { queries: 0, batches: 0, bytes: 0 }),
        network.name,
        address,
      ),
    trial: (from, messages) => trialOf(source, from, messages),
    async standings(address) {
      const all = await each((endpoint, until) => standingAt(rpc, endpoint, address, until))
      return all.flatMap((standing) => standing ?? [])
    },
    async disagreements(height, questions) {
      const all = await each((endpoint, until) => answersAt(endpoint, height, questions, until))
      return differences(all, questions)
    },
    broadcast: (txBytes) => broadcast(rpc, txBytes, PATIENCE_MS),
    async find(hash) {
      const found = await findTx(rpc, hash, PATIENCE_MS)
      return found && includedOf(found)
    },
    async scan(wanted, from, to) {
      const scan = await scanBlocks(source, wanted, from, to)
      return scan.kind === 'found' ? { kind: 'found', included: includedOf(scan.included) } : scan
    },
  }
}

const includedOf = ({ events, ...result }: InBlock): Included => ({
  ...result,
  reason: reasonOf(result),
  movements: movementsOf(events),
})

type Rpc = Access['nodes']['rpc']

/** What every node that answers says. @throws NodeFault where none does */
async function eachOf<T>(
  rpc: Rpc,
  work: (endpoint: Endpoint, until: number) => Promise<T>,
): Promise<readonly T[]> {
  const until = rpc.clock.now() + PATIENCE_MS
  const ready = rpc.endpoints.filter(({ dropped }) => dropped === undefined)
  let last = new NodeFault('no_endpoint', 'the chain', 'has no node that can be asked')
  const all = await Promise.all(
    ready.map(async (endpoint): Promise<readonly T[]> => {
      try {
        return [await noted(endpoint, () => work(endpoint, until))]
      } catch (error) {
        if (!(error instanceof NodeFault)) throw error
        last = error
        return []
      }
    }),
  )
  const answers = all.flat()
  if (answers.length === 0) throw last
  return answers
}

/** The account as one node sees it at its newest height; `undefined` where it knows none. */
async function standingAt(
  rpc: Rpc,
  endpoint: Endpoint,
  address: string,
  until: number,
): Promise<Standing | undefined> {
  const height = await check(rpc, endpoint, until)
  const question = accountInfo(address)
  const [outcome] = await ask(endpoint, [abciCall(question, height)], until)
  if (outcome === undefined) throw new NodeFault('bad_answer', endpoint.shown, 'said nothing')
  const answer = readAnswer(endpoint, outcome, height)
  if (!answer.ok) return undefined
  try {
    return { node: endpoint.shown, height, ...question.read(answer.value) }
  } catch {
    throw new NodeFault('bad_answer', endpoint.shown, 'answered with something that is no account')
  }
}

type Said = { readonly shown: string; readonly answers: readonly string[] }

/** What the router says through one node, word for word. */
async function answersAt(
  endpoint: Endpoint,
  height: number,
  questions: readonly Question[],
  until: number,
): Promise<Said> {
  const calls = questions.map(({ contract, funds: { denom, amount }, stages }) => {
    const coin = { denom, amount: `${amount}` }
    return abciCall(smart(contract, { simulate: { coin, stages } }, decodeSimulation), height)
  })
  for (let tries = 1; ; tries += 1) {
    try {
      const outcomes = await ask(endpoint, calls, until)
      const answers = outcomes.map((outcome) => {
        const answer = readAnswer(endpoint, outcome, height)
        return answer.ok ? Buffer.from(answer.value).toString('base64') : `refused ${answer.code}`
      })
      return { shown: endpoint.shown, answers }
    } catch (error) {
      const isLate = error instanceof NodeFault && error.kind === 'height_unavailable'
      if (!isLate || tries >= TRIES || endpoint.clock.now() >= until) throw error
      await new Promise<void>((resolve) => endpoint.clock.after(PAUSE_MS, resolve))
    }
  }
}

function differences(
  [first, ...others]: readonly Said[],
  questions: readonly Question[],
): readonly string[] {
  if (first === undefined) return []
  return others.flatMap(({ shown, answers }) =>
    answers.flatMap((answer, i) =>
      answer === first.answers[i]
        ? []
        : [
            `the router gives one amount through ${first.shown} and another through ${shown} for ${questions[i]!.funds.amount} of ${questions[i]!.funds.denom}`,
          ],
    ),
  )
}
