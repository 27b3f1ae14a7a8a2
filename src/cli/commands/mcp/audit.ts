import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SwapError } from '../../../engine/errors.js'
import type { Context } from '../../command.js'
import { stateFolder } from '../../quotes/quote-store.js'

const FILE = 'mcp-audit.ndjson'

/**
 * Writes one line for each call of a tool that signs to `mcp-audit.ndjson` in the state folder, before its answer is sent. A
 * call whose line cannot be written is answered all the same: the journal has what was signed.
 */
export function audited({ surroundings, out }: Pick<Context, 'surroundings' | 'out'>) {
  const folder = stateFolder(surroundings)
  const write = (line: object): void => {
    if (folder === undefined) return
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      appendFileSync(join(folder, FILE), `${JSON.stringify(line)}\n`, { mode: 0o600 })
    } catch (error) {
      out.note(
        `the audit line cannot be written: ${error instanceof Error ? error.message : error}`,
      )
    }
  }
  return async (tool: string, request: unknown, work: () => Promise<string>): Promise<string> => {
    const asked = JSON.stringify(request).slice(0, 200)
    const line = (outcome: object) =>
      write({ time: new Date().toISOString(), pid: process.pid, tool, request: asked, ...outcome })
    try {
      const text = await work()
      const { preview_id, sign_doc_sha256, id, status, txs } = JSON.parse(text)
      line({ preview_id, sign_doc_sha256, id, status, tx_hash: txs?.at(-1)?.hash })
      return text
    } catch (error) {
      line({ error: error instanceof SwapError ? error.code : 'INTERNAL' })
      throw error
    }
  }
}
