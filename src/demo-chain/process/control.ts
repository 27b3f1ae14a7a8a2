import { request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { SwapError } from '../../engine/errors.js'
import { type Chain, inclusion, newestState } from '../blocks/chain.js'
import type { FaultBoard } from '../faults/board.js'
import { faultKind } from '../faults/catalogue.js'
import type { FaultRequest } from '../faults/fault.js'
import type { FaultInjection } from '../faults/fault-injection.js'
import { isPair } from '../faults/market-faults.js'
import { type Coin, wireCoin } from '../modules/contract.js'
import { contractInfo } from '../modules/dispatch.js'
import { jsonReply, type Reply } from '../node/reply.js'
import { type PendingPayment, payFromFaucet } from './faucet.js'
import type { Log } from './log.js'
import type { ProcessRecord } from './record.js'
import { type DemoStatus, faultStatus } from './status.js'

/** The control requests of a demo chain, running or not, beyond those of a node. */
export type Controls = ReturnType<typeof controlsOf>

/** The controls of a chain that this process has open. */
export const controlsOf = (
  chain: Chain,
  board: FaultBoard,
  faultInjection: FaultInjection,
  log: Log,
  status: () => DemoStatus,
) => ({
  status,
  /** Switches a fault on; returns all active faults. */
  fail(request: FaultRequest) {
    requireContract(chain, request)
    const fault = board.add(request, chain.height)
    log.write('fault', { kind: fault.kind, n: fault.n, once: fault.once })
    return board.active().map(faultStatus)
  },
  /** Switches off all faults, or one kind; returns those that were active. */
  off(kind?: string) {
    const ended = board.clear(kind)
    faultInjection.release(kind)
    log.write('faults_off', { count: ended.length })
    return ended.map(faultStatus)
  },
  /** Submits a payment. */
  give(address: string, coins: readonly Coin[]): PendingPayment {
    const payment = payFromFaucet(chain, address, coins)
    log.write('faucet', { address, hash: payment.hash })
    return payment
  },
})

/** A fault of a contract that does not exist would do nothing. @throws SwapError NOT_FOUND */
function requireContract(chain: Chain, { kind, pair }: FaultRequest): void {
  if (pair === undefined) return
  const state = newestState(chain)
  const needsPair = faultKind(kind)?.group === 'market'
  const isKnown = needsPair ? isPair(state, pair) : contractInfo(state, pair) !== undefined
  if (isKnown) return
  const what = needsPair ? 'pair' : 'contract'
  throw new SwapError('NOT_FOUND', `the demo chain has no ${what} ${pair.slice(0, 80)}`, {
    why: `--pair is the address of a ${what} of the demo chain, or two tokens with a slash`,
    hint: 'list the pairs: swap snapshot show',
    members: { pair: pair.slice(0, 80) },
  })
}

/** A payment, and the block that holds it; `null` when none did in time. */
export const faucetPayment = ({ hash, address, coins }: PendingPayment, height: number | null) => ({
  tx_hash: hash,
  height,
  address,
  coins: coins.map(wireCoin),
})

/** Time to wait for a payment's block: in block times, at least, and at most: less than `PATIENCE_MS`. */
const PATIENCE = 5
const LEAST_MS = 3_000
const MOST_MS = 50_000

type ControlRequest = {
  readonly address?: unknown
  readonly coins?: readonly { readonly denom: string; readonly amount: string }[]
  readonly kind?: unknown
  readonly fault?: FaultRequest
}

/** Answers the requests below `/demo/` that a running chain takes from the command line. */
export const answerControl =
  (chain: Chain, controls: Controls) =>
  (path: string, body: Buffer): Promise<Reply> | undefined => {
    const asked = (): ControlRequest => JSON.parse(body.toString() || '{}') as ControlRequest
    const routes: Readonly<Record<string, () => unknown>> = {
      '/demo/status': () => controls.status(),
      '/demo/fail': () => controls.fail(asked().fault as FaultRequest),
      '/demo/off': () => controls.off(asked().kind as string | undefined),
      '/demo/faucet': async () => {
        const { address, coins = [] } = asked()
        const payment = controls.give(
          String(address),
          coins.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) })),
        )
        const waitMs = Math.max(LEAST_MS, PATIENCE * chain.options.blockTimeMs)
        const block = await inclusion(chain, payment.hash, Math.min(MOST_MS, waitMs))
        return faucetPayment(payment, block?.header.height ?? null)
      },
    }
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined
    return route && answerRoute(route)
  }

/** An error as the process sends it to the command. */
type ErrorDocument = Pick<SwapError, 'code' | 'message' | 'members'> & {
  why?: string
  hint?: string
}

async function answerRoute(route: () => unknown): Promise<Reply> {
  try {
    return jsonReply(200, JSON.stringify(await route()))
  } catch (error) {
    if (!(error instanceof SwapError)) throw error
    const { code, message, why, hint, members } = error
    return jsonReply(400, JSON.stringify({ code, message, why, hint, members }))
  }
}

/** Milliseconds that a running chain may take to answer; a payment waits for its block. */
const PATIENCE_MS = 60_000

/** Sends a control request to the process that runs the chain. @throws SwapError of the process, or NOT_READY */
async function askProcess(
  { rpc, pid }: Pick<ProcessRecord, 'rpc' | 'pid'>,
  path: string,
  body: object = {},
): Promise<unknown> {
  let answer: { readonly status: number; readonly text: string }
  try {
    answer = await post(`${rpc}${path}`, JSON.stringify(body))
  } catch (error) {
    throw new SwapError('NOT_READY', 'the demo chain does not answer', {
      why: `process ${pid} runs it at ${rpc}: ${error instanceof Error ? error.message : ''}`,
      hint: 'try again in a moment, or restart it: swap demo stop, swap demo start',
      members: {},
    })
  }
  const value: unknown = JSON.parse(answer.text)
  if (answer.status === 200) return value
  const { code, message, ...facts } = value as ErrorDocument
  throw new SwapError(code ?? 'NOT_READY', message, facts)
}

function post(url: string, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const call = request(url, { method: 'POST', headers, signal }, (response) => {
      textOf(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
    })
    call.on('error', reject)
    call.end(body)
  })
}

/** The controls of a chain that another process runs. */
export const remoteControls = (process: Pick<ProcessRecord, 'rpc' | 'pid'>) => ({
  status: () => askProcess(process, '/demo/status') as Promise<DemoStatus>,
  fail: (fault: FaultRequest) =>
    askProcess(process, '/demo/fail', { fault }) as Promise<ReturnType<Controls['fail']>>,
  off: (kind?: string) =>
    askProcess(process, '/demo/off', { kind }) as Promise<ReturnType<Controls['off']>>,
  give: (address: string, coins: readonly Coin[]) =>
    askProcess(process, '/demo/faucet', { address, coins: coins.map(wireCoin) }) as Promise<
      ReturnType<typeof faucetPayment>
    >,
})
