import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ChainOptions } from '../../../../src/demo-chain/blocks/chain-options.js'
import type { EmbeddedChain } from '../../../../src/demo-chain/blocks/embedded-chain.js'
import { FaultBoard } from '../../../../src/demo-chain/faults/board.js'
import { faultInjectionOf } from '../../../../src/demo-chain/faults/fault-injection.js'
import { faultyChain } from '../../../../src/demo-chain/faults/middleware.js'
import type { Middleware } from '../../../../src/demo-chain/node/reply.js'
import { serveChain } from '../../../../src/demo-chain/node/server.js'
import { chainOf, type Executed, threePairs, watch } from '../../../support/chain.js'
import { type Ended, runIn } from '../../../support/cli.js'
import { closingLast } from '../../../support/closing.js'
import { temporaryFolder } from '../../../support/folder.js'

export const bin = resolve('bin/swap.js')

/** The address of the key `demo`. */
export const DEMO = 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn'

export type { Ended }

/**
 * A quiet demo chain that makes a block every `blockMs`, and two more whenever the outcome of a
 * transaction is asked for; and a home for the programs that use it. Closed after the tests of the file.
 */
export type Network = {
  readonly real: EmbeddedChain
  readonly board: FaultBoard
  /** What the key `demo` has signed and blocks have, oldest first. */
  readonly executed: readonly Executed[]
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  /** Comes between the wire and the chain. */
  hook: Middleware
  heal(): void
  /** Writes a document, or a text as it is, into the home. @returns its path */
  file(name: string, document: unknown): string
  /** Runs a command line in this process. */
  run(...args: readonly string[]): Promise<Ended>
  /** Runs it as a process of its own, with a way to kill it. */
  begin(...args: readonly string[]): { readonly ended: Promise<Ended>; kill(): void }
}

export async function network(
  blockMs = 1_000,
  market = threePairs,
  options: Partial<ChainOptions> = {},
): Promise<Network> {
  const real = chainOf({ life: false, blockTimeMs: blockMs, ...options }, market)
  const board = new FaultBoard()
  const faultInjection = faultInjectionOf(real, board)
  const faulty = faultyChain(real, board, faultInjection.accepted)
  const served = closingLast(
    await serveChain(faulty.chain, {
      rpcPort: 0,
      restPort: 0,
      async middleware(request, next) {
        const reply = await own.hook(request, () => faulty.middleware(request, next))
        if (request.body.includes('"method":"tx"')) for (let i = 0; i < 2; i += 1) makeBlock()
        return reply
      },
    }),
  )
  const makeBlock = () => {
    if (faultInjection.producing()) real.makeBlock(faultInjection.blockInjection)
  }
  const timer = setInterval(makeBlock, blockMs)
  closingLast({ close: () => clearInterval(timer) })
  const home = temporaryFolder()
  const env = {
    SWAP_HOME: home,
    XDG_STATE_HOME: join(home, 'state-home'),
    SWAP_RPC: served.rpc,
    SWAP_REST: served.rest,
  }
  const own: Network = {
    real,
    board,
    executed: watch(real, DEMO),
    home,
    env,
    hook: (_request, next) => next(),
    heal() {
      board.clear()
      faultInjection.release()
    },
    file(name, document) {
      const path = join(home, name)
      writeFileSync(path, typeof document === 'string' ? document : JSON.stringify(document))
      return path
    },
    run: (...args) => runIn({ home, env }, args),
    begin: (...args) => beginIn(home, env, args),
  }
  return own
}

/** Runs a command line as a process of its own in a home. */
export function beginIn(
  home: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): ReturnType<Network['begin']> {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Ended>((done) => {
    child.on('close', (status) => done({ status, stdout, stderr }))
  })
  return { ended, kill: () => void child.kill('SIGKILL') }
}

/** Signs the transaction of a file with the demo key. */
export const sign = (net: Network, path: string, ...flags: readonly string[]): Promise<Ended> =>
  net.run('tx', 'sign', path, '--from', 'demo', '--yes', '--slippage', '5%', ...flags)

/** The document of an error. */
export const problem = ({ stdout }: Ended) =>
  JSON.parse(stdout) as { code: string; [member: string]: unknown }

/** A document with another value for one member; the path has dots. */
export function changed(text: string, path: string, value: unknown): unknown {
  const document = JSON.parse(text)
  const names = path.split('.')
  const last = names.pop()!
  names.reduce((at, name) => at[name], document)[last] = value
  return document
}
