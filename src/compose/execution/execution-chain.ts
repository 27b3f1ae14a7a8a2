import { describedToken } from '../../chain/market/pair-config.js'
import type { Network } from '../../chain/networks/network.js'
import { replyOf } from '../../chain/queries/query-batch.js'
import { balance, type Question as ChainQuestion, metadata } from '../../chain/queries/questions.js'
import { routeSimulation } from '../../chain/queries/router.js'
import { abciCall, malformedAnswer, readAnswer } from '../../chain/rpc/abci.js'
import { ask } from '../../chain/rpc/ask.js'
import type { Endpoint } from '../../chain/rpc/endpoint.js'
import { NodeFault } from '../../chain/rpc/faults.js'
import { check, fromEach, soonFrom } from '../../chain/rpc/node-pool.js'
import type { Answer } from '../../chain/rpc/query-source.js'
import { sourceOf } from '../../chain/rpc/source.js'
import { accountInfo } from '../../chain/tx/account.js'
import { broadcast } from '../../chain/tx/broadcast.js'
import { inspectTx } from '../../chain/tx/inspect.js'
import { findTx, scanBlocks } from '../../chain/tx/lookup.js'
import type { Denom, Token } from '../../engine/market/token.js'
import { tokenDifference } from '../../execution/plan/agreement.js'
import type { AccountState, Chain, Comparison, Question } from '../../execution/ports.js'
import { toBase64 } from '../../platform/encoding.js'
import type { Access } from '../chain-access.js'
import { chainPort } from '../chain-port.js'

/** Timeout of each node in milliseconds. */
const NODE_TIMEOUT_MS = 8_000

/** Delay before polling a node again for a block that it does not have yet, in milliseconds. */
const RETRY_DELAY_MS = 300

type ExecutionNetwork = Access & {
  /** Timeout of each node, in milliseconds. */
  readonly patienceMs?: number
  /** Whether this program runs the node itself. */
  readonly isOwn?: boolean
}

/** The chain of an execution, backed by the nodes of a network. */
export function executionChain({
  network,
  nodes,
  patienceMs = NODE_TIMEOUT_MS,
  isOwn = false,
}: ExecutionNetwork): Chain {
  const { rpc } = nodes
  const { feeDenom, gasPrice, endpoints, market, balances, trial } = chainPort({ network, nodes })
  const searched = new Set<string>()
  const onEachEndpoint = <T>(
    work: (endpoint: Endpoint, deadlineAt: number) => Promise<T>,
    waited?: (endpoint: Endpoint, answer: Promise<T>) => Promise<T>,
  ) => fromEach(rpc, rpc.clock.now() + patienceMs, work, waited)
  return {
    network: network.name,
    chainId: network.chainId,
    feeDenom,
    gasPrice,
    endpoints,
    balances,
    trial,
    isGasPriceOfNode: network.gasPrice === undefined,
    isOwn,
    prefix: network.prefix,
    market: () => market(),
    async accountStates(address, height) {
      const states = await onEachEndpoint(async (endpoint, deadlineAt) => {
        const newest = await check(rpc, endpoint, deadlineAt)
        return accountStateAt(endpoint, address, height ?? newest, deadlineAt)
      }, soonFrom)
      return states.flatMap((accountState) => accountState ?? [])
    },
    balanceOfEach: (address, denom) =>
      onEachEndpoint(async (endpoint, deadlineAt) => {
        const newest = await check(rpc, endpoint, deadlineAt)
        const question = balance(address, denom)
        const answer = await answerAt(endpoint, question, newest, deadlineAt)
        if (!answer.ok) throw refusedBy(endpoint, 'balance', answer)
        return { node: endpoint.shown, amount: readOf(endpoint, question, answer.value) }
      }),
    isListed: (denom) => network.tokens.has(denom),
    async compare(height, questions, denoms) {
      const compared = { network, questions, denoms }
      const silent = rpc.endpoints.flatMap(({ dropped }) => dropped?.message ?? [])
      const answers = await onEachEndpoint(async (endpoint, deadlineAt) => {
        try {
          return await answersAt(endpoint, height, compared, deadlineAt)
        } catch (error) {
          if (error instanceof NodeFault) silent.push(error.message)
          throw error
        }
      })
      const [first, ...others] = answers
      return {
        nodes: answers.length,
        silent,
        differences: first === undefined ? [] : differences(first, others, questions),
        returned: first?.answers.map((answer) => answer.returned) ?? [],
        tokens: first?.tokens ?? [],
      }
    },
    broadcast: (txBytes) => broadcast(rpc, txBytes, patienceMs),
    find: (hash) => findTx(rpc, hash, patienceMs),
    inspect: (hash, height) => inspectTx(rpc, { hash, height }, { patienceMs, isOwn }),
    scan: (identity, from, to) => scanBlocks(sourceOf(nodes), identity, from, to, searched),
  }
}

type Refusal = Extract<Answer, { ok: false }>

/** The SDK's code for what does not exist. */
const NOT_FOUND = 22

/** The account on one node at a height; `undefined` if it does not exist. */
async function accountStateAt(
  endpoint: Endpoint,
  address: string,
  height: number,
  deadlineAt: number,
): Promise<AccountState | undefined> {
  const question = accountInfo(address)
  const answer = await answerAt(endpoint, question, height, deadlineAt)
  if (answer.ok)
    return { node: endpoint.shown, height, ...readOf(endpoint, question, answer.value) }
  if (answer.code === NOT_FOUND) return undefined
  throw refusedBy(endpoint, 'account', answer)
}

async function answerAt(
  endpoint: Endpoint,
  question: ChainQuestion<unknown>,
  height: number,
  deadlineAt: number,
): Promise<Answer> {
  const [outcome] = await ask(endpoint, [abciCall(question, height)], deadlineAt)
  if (outcome === undefined) throw new NodeFault('bad_answer', endpoint.shown, 'sent no answer')
  return readAnswer(endpoint, outcome, height)
}

const refusedBy = ({ shown }: Endpoint, what: string, { text, code }: Refusal): NodeFault =>
  new NodeFault('bad_answer', shown, `refused to say of the ${what}: ${text} (${code})`)

/** An answer decoded. @throws NodeFault if it is malformed */
function readOf<T>({ shown }: Endpoint, question: ChainQuestion<T>, value: Uint8Array): T {
  try {
    return question.read(value)
  } catch {
    throw malformedAnswer(shown)
  }
}

type NodeAnswers = {
  readonly shown: string
  /** Each answer byte for byte, and the amount in it; `undefined` if refused. */
  readonly answers: readonly { readonly text: string; readonly returned: bigint | undefined }[]
  readonly tokens: readonly Token[]
}

type Compared = {
  readonly network: Network
  readonly questions: readonly Question[]
  readonly denoms: readonly Denom[]
}

/** The router's simulations and the tokens of denoms through one node. */
async function answersAt(
  endpoint: Endpoint,
  height: number,
  { network, questions, denoms }: Compared,
  deadlineAt: number,
): Promise<NodeAnswers> {
  const simulationQuestions = questions.map(({ contract, funds, stages }) =>
    routeSimulation(contract, funds, stages),
  )
  const tokenQuestions = denoms.map(metadata)
  const calls = [...simulationQuestions, ...tokenQuestions].map((question) =>
    abciCall(question, height),
  )
  for (;;) {
    try {
      const outcomes = await ask(endpoint, calls, deadlineAt)
      const results = outcomes.map((outcome) => readAnswer(endpoint, outcome, height))
      const answers = simulationQuestions.map((question, i) => {
        const answer = results[i]!
        if (!answer.ok) return { text: `refused ${answer.code}`, returned: undefined }
        const { returned } = readOf(endpoint, question, answer.value)
        return { text: toBase64(answer.value), returned }
      })
      const tokens = denoms.map((denom, i) =>
        describedToken(network, denom, replyOf(tokenQuestions[i]!, results[questions.length + i]!)),
      )
      return { shown: endpoint.shown, answers, tokens }
    } catch (error) {
      const isHeightMissing = error instanceof NodeFault && error.kind === 'height_unavailable'
      if (!isHeightMissing || endpoint.clock.now() + RETRY_DELAY_MS >= deadlineAt) throw error
      await new Promise<void>((resolve) => endpoint.clock.after(RETRY_DELAY_MS, resolve))
    }
  }
}

/** What other nodes answer otherwise than the first one: amounts, then tokens. */
function differences(
  first: NodeAnswers,
  others: readonly NodeAnswers[],
  questions: readonly Question[],
): Comparison['differences'] {
  const amounts = others.flatMap(({ shown, answers }) =>
    answers.flatMap((answer, i) =>
      answer.text === first.answers[i]?.text
        ? []
        : [
            `the router gives one amount through ${first.shown} and another through ${shown} for ${questions[i]!.funds.amount} of ${questions[i]!.funds.denom}`,
          ],
    ),
  )
  const tokens = others.flatMap((other) =>
    other.tokens.flatMap((token, i) => {
      const difference = tokenDifference(token, first.tokens[i]!)
      return difference === undefined
        ? []
        : [`${difference} through ${other.shown} and ${first.shown}`]
    }),
  )
  return [...amounts, ...tokens]
}
