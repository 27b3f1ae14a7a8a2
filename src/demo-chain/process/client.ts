import { request } from 'node:http'
import { SwapError } from '../../engine/errors.js'
import type { FaultRequest } from '../faults/fault.js'
import type { Given, Told } from './control.js'
import type { ProcessRecord } from './record.js'
import type { DemoStatus, FaultStatus } from './status.js'

/** How long a running chain may take to answer; a payment waits for its block. */
const PATIENCE_MS = 60_000

/** Asks the process that runs the chain. @throws SwapError of the process, or NOT_READY */
export async function askProcess(
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
      hint: 'try again in a moment, or start it anew: swap demo stop, swap demo start',
      members: {},
    })
  }
  const value: unknown = JSON.parse(answer.text)
  if (answer.status === 200) return value
  const { code, message, ...facts } = value as Told
  throw new SwapError(code ?? 'NOT_READY', message, facts)
}

function post(url: string, text: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    }
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const call = request(url, { method: 'POST', headers, signal }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      )
    })
    call.on('error', reject)
    call.end(text)
  })
}

/** The controls of a chain that another process runs. */
export const remoteControls = (process: Pick<ProcessRecord, 'rpc' | 'pid'>) => ({
  status: () => askProcess(process, '/demo/status') as Promise<DemoStatus>,
  fail: (fault: FaultRequest) =>
    askProcess(process, '/demo/fail', { fault }) as Promise<readonly FaultStatus[]>,
  off: (kind?: string) =>
    askProcess(process, '/demo/off', { ...(kind !== undefined && { kind }) }) as Promise<
      readonly FaultStatus[]
    >,
  give: (address: string, coins: readonly { denom: string; amount: bigint }[]) =>
    askProcess(process, '/demo/faucet', {
      address,
      coins: coins.map(({ denom, amount }) => ({ denom, amount: `${amount}` })),
    }) as Promise<Given>,
})
