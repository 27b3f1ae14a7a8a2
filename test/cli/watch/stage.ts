import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { type FaultyNode, openNode } from '../../chain/rpc/stage.js'
import { chainOf, document, threePairs } from '../../support/chain.js'
import { closingLast } from '../../support/closing.js'
import { type Ended, folder } from '../../support/program.js'

export const bin = resolve('bin/swap.js')
const BLOCK_MS = 300

/** Few pairs, and a second token that is called USDC. */
const market = {
  ...threePairs,
  pairs: [
    ...threePairs.pairs,
    ...document.pairs.filter(({ base }) => base.startsWith('base-usdc')),
  ],
}

/**
 * A node of a chain, served by this process until the end of the file. Blocks are made while it is
 * read: the chain is not far ahead of a program that starts slowly.
 */
export async function liveNode(): Promise<FaultyNode & { readonly network: readonly string[] }> {
  const chain = chainOf({ seed: 9 }, market)
  const node = closingLast(await openNode(chain))
  const blocks = setInterval(() => {
    if (node.asked.splice(0).length > 0) chain.makeBlock()
  }, BLOCK_MS)
  closingLast({ close: () => clearInterval(blocks) })
  return { ...node, network: ['--rpc', node.rpc, '--rest', node.rest] }
}

/** Whether so many blocks have been seen since it began. */
export const seen = (blocks: number) => (rows: readonly string[]) =>
  rows.some((row) => Number(/(\d+) blocks?, \d+ skipped/.exec(row)?.[1]) >= blocks)

/** Runs a line of shell in which `swap` is the built program, while this process serves its network. */
export const shell = (line: string): Promise<Ended> =>
  new Promise((done) => {
    execFile(
      'bash',
      ['--norc', '-c', `swap() { "${process.execPath}" "${bin}" "$@"; }; ${line}`],
      {
        cwd: folder,
        env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', SWAP_HOME: folder },
      },
      (error, stdout, stderr) => done({ status: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
