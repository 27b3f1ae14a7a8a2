import { readSnapshot, writeDocument } from '../../../chain/market/snapshot-file.js'
import { counted } from '../../../engine/math/counted.js'
import { encodeSnapshot } from '../../../engine/snapshot/encode.js'
import { snapshot } from '../../../operations/book/snapshot-summary.js'
import { openOnce } from '../../../operations/context.js'
import { sentence } from '../../../render/layout.js'
import type { Context, Run } from '../../command.js'
import { clashing } from '../../invalid-request.js'
import { printAnswer } from '../../print-answer.js'
import { renderSnapshot, snapshotCsv } from './render.js'

/** Shows the market that quotes are computed from, or a saved one. */
export const show: Run = async (context, [file], flags) => {
  const { app, config, out, surroundings } = context
  const other = ['height', 'tape', 'snapshot'].find((name) => flags[name] !== undefined)
  if (file !== undefined && other !== undefined)
    throw clashing(`--${other}`, 'the file', 'both name the market', `/${other}`)
  const shown = file === undefined ? app : openOnce(() => readSnapshot(file, surroundings.stdin))
  const answer = await snapshot(shown)
  return printAnswer(context, answer, {
    quiet: () => `${answer.height}`,
    csv: async () => snapshotCsv(answer, { tokens: (await shown.openMarket()).market.tokens }),
    async human() {
      const { tokens } = (await shown.openMarket()).market
      return renderSnapshot(answer, { tokens, aliases: config.aliases }, out.style)
    },
  })
}

/** Saves the market as one document. */
export async function save(context: Context, [file = '']: readonly string[]): Promise<void> {
  const { app, out } = context
  const { market } = await app.openMarket()
  const document = encodeSnapshot(market)
  if (file === '-') return out.result(JSON.stringify(document))
  const bytes = writeDocument(file, document)
  const { network, height } = market
  const [pairs, excluded] = [market.books.size, market.excluded.length]
  const saved = `saved ${file}: ${network} at block ${height}, ${counted(pairs, 'pair')}, ${excluded} left out, ${counted(bytes, 'byte')}`
  const facts = { path: file, bytes, network, height, pairs, excluded }
  const forms = { quiet: () => file, human: () => sentence(saved, out.style) }
  return printAnswer(context, facts, forms)
}
