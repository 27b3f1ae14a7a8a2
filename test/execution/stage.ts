import { join } from 'node:path'
import { demo } from '../../src/chain/networks/demo.js'
import type { Network } from '../../src/chain/networks/network.js'
import { openNodes } from '../../src/chain/rpc/nodes.js'
import { sourceOf } from '../../src/chain/rpc/source.js'
import { contractsThrough } from '../../src/compose/chain-port.js'
import { executionChain } from '../../src/compose/execution/execution-chain.js'
import type { EmbeddedChain } from '../../src/demo-chain/blocks/embedded-chain.js'
import { FaultBoard } from '../../src/demo-chain/faults/board.js'
import { changedChain, type FaultRequest } from '../../src/demo-chain/faults/fault.js'
import { faultInjectionOf } from '../../src/demo-chain/faults/fault-injection.js'
import { faultyChain } from '../../src/demo-chain/faults/middleware.js'
import type { DemoDocument } from '../../src/demo-chain/market/document.js'
import type { Account as AccountState } from '../../src/demo-chain/modules/accounts.js'
import type { Middleware } from '../../src/demo-chain/node/reply.js'
import { serveChain } from '../../src/demo-chain/node/server.js'
import type { Reader } from '../../src/demo-chain/store/state.js'
import type { Market } from '../../src/engine/market/market.js'
import { execute } from '../../src/execution/execute.js'
import type { Intent, Journal } from '../../src/execution/journal/intent.js'
import { journalIn, newIntentId } from '../../src/execution/journal/journal.js'
import { ledgerIn } from '../../src/execution/journal/ledger-file.js'
import { lockAccount } from '../../src/execution/journal/lock.js'
import type { SwapReport } from '../../src/execution/lifecycle/report-schema.js'
import type { ExecutionResult } from '../../src/execution/lifecycle/result.js'
import { requestedSwapOf } from '../../src/execution/plan/read-quote.js'
import type { SwapView } from '../../src/execution/plan/signing-view.js'
import type { Account, Chain } from '../../src/execution/ports.js'
import type { Session, Step } from '../../src/execution/session.js'
import type { SwapTask, SwapTerms } from '../../src/execution/task.js'
import type { Contracts } from '../../src/operations/chain-port.js'
import { type OperationContext, openOnce } from '../../src/operations/context.js'
import { sroute } from '../../src/operations/split/split.js'
import { findKey } from '../../src/wallet/signer.js'
import { noPauses } from '../chain/rpc/stage.js'
import { chainOf, threePairs, watch } from '../support/chain.js'
import { closing } from '../support/closing.js'
import { temporaryFolder } from '../support/folder.js'

export const btc = 'btc-btc'
export const rune = 'rune'
export const usdc = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

/** A demo chain behind a socket, an account on it, and everything that executing needs. */
export type Stage = {
  readonly real: EmbeddedChain
  readonly rpc: string
  readonly folder: string
  readonly journal: Journal
  readonly chain: Chain
  readonly contracts: Contracts
  readonly account: Account
  readonly steps: Step[]
  readonly views: SwapView[]
  fail(fault: FaultRequest): void
  heal(): void
  /** Shows the sequences of accounts so much too high, or too low where it is negative. */
  lie(by: bigint): void
  /** The next block, unless a fault stands against it. */
  block(): void
  /** A session of a process that has just begun. */
  session(own?: Partial<Session>): Session
  order(own?: Partial<SwapTerms>, amount?: bigint): Promise<SwapTask>
  run(own?: Partial<SwapTerms>, session?: Partial<Session>): Promise<ExecutionResult<SwapReport>>
  /** Transactions of the account that are in blocks, with their codes, oldest first. */
  executed(): readonly { readonly hash: string; readonly code: number; readonly height: number }[]
  intents(): readonly Intent[]
}

export const usualTerms: SwapTerms = {
  mode: 'batch',
  slippage: { flag: undefined, configured: undefined, builtIn: 50 },
  minOut: undefined,
  minProfit: undefined,
  maxImpactBps: 500,
  maxAgeMs: 30_000,
  deadlineBlocks: 20,
  gas: undefined,
  gasAdjustment: 140n,
  fees: undefined,
  to: undefined,
  affiliate: undefined,
  memo: '',
  once: null,
  again: false,
  unattended: true,
  limits: { perTx: undefined, perDay: undefined },
  wait: 'included',
  waitMs: undefined,
}

/** Terms with a tolerance set by a flag. */
export const slippageFlag = (bps: number): Pick<SwapTerms, 'slippage'> => ({
  slippage: { ...usualTerms.slippage, flag: bps },
})

/** What comes between the wire and the chain beside its faults. */
export type Hook = Middleware

export async function stage(
  options: {
    readonly hook?: Hook
    /** With two, the second one is honest. */
    readonly nodes?: number
    /** Whether the program runs the node itself. */
    readonly isOwn?: boolean
    readonly life?: boolean
    readonly routerBuild?: 'source' | 'published'
    /** Of the network, instead of the consensus parameters. */
    readonly gasLimit?: bigint
    /** The network's own tokens, instead of the demo's. */
    readonly tokens?: Network['tokens']
    /** That the node demands, in 10^-8 atomics; the network has none configured then. */
    readonly gasPrice?: bigint
    readonly patienceMs?: number
    /** The books; three by default. */
    readonly market?: DemoDocument
  } = {},
): Promise<Stage> {
  const real = chainOf(
    {
      life: options.life ?? false,
      ...(options.routerBuild && { routerBuild: options.routerBuild }),
      ...(options.gasPrice !== undefined && { gasPrice: options.gasPrice }),
    },
    options.market ?? threePairs,
  )
  const board = new FaultBoard()
  const faultInjection = faultInjectionOf(real, board)
  let lie = 0n
  const shown = changedChain(real, {
    stateAt(height) {
      const state = real.stateAt(height)
      return lie === 0n ? state : state && lyingState(state, lie)
    },
  })
  const faulty = faultyChain(shown, board, faultInjection.accepted)
  const middleware: Middleware = (request, next) => {
    const inner = () => faulty.middleware(request, next)
    return options.hook ? options.hook(request, inner) : inner()
  }
  const served = closing(await serveChain(faulty.chain, { rpcPort: 0, restPort: 0, middleware }))
  const second =
    options.nodes === 2 ? [closing(await serveChain(real, { rpcPort: 0, restPort: 0 })).rpc] : []
  const gas = { ...demo.gas, limit: options.gasLimit }
  const gasPrice = options.gasPrice === undefined ? demo.gasPrice : undefined
  const { tokens = demo.tokens } = options
  const network = {
    ...demo,
    tokens,
    gas,
    gasPrice,
    rpc: [served.rpc, ...second],
    rest: [served.rest],
  }
  const folder = temporaryFolder('execute')
  const journal = journalIn(join(folder, 'journal'))
  const nodes = closing(
    openNodes({
      chainId: demo.chainId,
      rpc: network.rpc,
      rest: network.rest,
      deadlineMs: 5_000,
      limits: noPauses,
    }),
  )
  const { patienceMs = 8_000, isOwn = false } = options
  const chain = executionChain({ network, nodes, patienceMs, isOwn })
  const contracts = contractsThrough(sourceOf(nodes), demo.name)
  const account = await accountNamed('demo')
  const watched = watch(real, account.address)
  const steps: Step[] = []
  const views: SwapView[] = []
  const block = () => {
    if (faultInjection.producing()) real.makeBlock(faultInjection.blockInjection)
  }
  let now = 0
  const session = (own: Partial<Session> = {}): Session => ({
    chain,
    journal,
    ledger: ledgerIn(join(folder, 'limits')),
    clock: {
      now: () => now,
      // Time passes only while a call waits, and every wait ends with a new block.
      async sleep(ms, signal) {
        now += ms
        if (!signal.aborted) block()
      },
      time: () => new Date().toISOString(),
    },
    progress: (step) => void steps.push(step),
    interrupt: new AbortController().signal,
    lock: (owner) => lockAccount(join(folder, 'locks'), owner, 0),
    confirm: async (view) => void (view.kind === 'swap' && views.push(view)),
    waiting: { wait: 'included', waitMs: undefined },
    pollIntervalMs: 1_000,
    stallMs: 30_000,
    ...own,
  })
  const order = async (own: Partial<SwapTerms> = {}, amount = 10n ** 10n): Promise<SwapTask> => {
    const market = await chain.market()
    return orderOf(market, account, { ...usualTerms, ...own }, amount)
  }
  return {
    real,
    rpc: served.rpc,
    folder,
    journal,
    chain,
    contracts,
    account,
    steps,
    views,
    fail: (fault) => void board.add(fault, real.height),
    heal() {
      lie = 0n
      board.clear()
      faultInjection.release()
    },
    lie(by) {
      lie = by
    },
    block,
    session,
    order,
    run: async (terms = {}, own = {}) => execute(session(own), await order(terms), newIntentId),
    executed: () => watched,
    intents: () => journal.recent(1_000).intents,
  }
}

/** Accounts as a node shows them that has counted wrongly. */
const lyingState = (state: Reader, by: bigint): Reader => ({
  get: (space, key) => {
    const value = state.get(space, key)
    if (space !== 'auth' || !value) return value as never
    const account = value as AccountState
    const sequence = account.sequence + by
    return { ...account, sequence: sequence < 0n ? 0n : sequence } as never
  },
  keys: (space, start) => state.keys(space, start),
})

/** The best split of an amount of RUNE into USDC, wanted on some terms. */
export async function orderOf(
  market: Market,
  account: Account,
  terms: SwapTerms,
  amount: bigint,
): Promise<SwapTask> {
  const app: OperationContext = openOnce(async () => market)
  const answer = await sroute(app, {
    input: { denom: rune, amount: `${amount}` },
    output: { denom: usdc },
    limit: 1,
  })
  const requested = requestedSwapOf(JSON.parse(JSON.stringify(answer)), market, null)
  return { requested, account, terms }
}

/** The built-in key of the demo chain, which needs no password. */
export async function accountNamed(name: string): Promise<Account> {
  const store = { folder: '/nowhere', home: undefined }
  const key = await findKey(
    store,
    { name },
    {
      chainId: demo.chainId,
      prefix: demo.prefix,
      demoChainId: demo.chainId,
    },
  )
  return {
    name: key.name,
    address: key.address,
    publicKey: key.publicKey,
    unlock: () => key.unlock({ tries: 1, read: async () => Buffer.alloc(0) }),
  }
}
