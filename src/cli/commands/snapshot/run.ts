import { readSnapshot, writeDocument } from '../../../chain/market/snapshot-file.js'
import { encodeSnapshot } from '../../../engine/snapshot/encode.js'
import { snapshot } from '../../../operations/book/snapshot-summary.js'
import { stringify } from '../../../operations/json.js'
import { openOnce } from '../../../operations/open-once.js'
import type { Context } from '../../command.js'
import { renderSnapshot } from './render.js'
import { snapshotCsv } from './snapshot-csv.js'

/** Shows the market that quotes come from, or a saved one. */
export async function show(
  { app, config, out, form, surroundings }: Context,
  [file]: readonly string[],
): Promise<void> {
  const shown = file === undefined ? app : openOnce(() => readSnapshot(file, surroundings.stdin))
  const answer = await snapshot(shown)
  if (form.quiet > 1) return
  if (form.quiet === 1) return out.result(`${answer.height}`)
  if (form.kind === 'json') {
    return out.result(stringify(answer))
  }
  const { market } = await shown.openMarket()
  if (form.kind === 'csv') {
    return out.result(snapshotCsv(answer, { tokens: market.tokens }))
  }
  return out.result(
    renderSnapshot(answer, { tokens: market.tokens, aliases: config.aliases }, out.style),
  )
}

/** Saves the market as one document. */
export async function save(
  { app, out, form }: Context,
  [file = '']: readonly string[],
): Promise<void> {
  const { market } = await app.openMarket()
  const document = encodeSnapshot(market)
  if (file === '-') return out.result(JSON.stringify(document))
  const bytes = await writeDocument(file, document)
  const facts = {
    path: file,
    bytes,
    network: market.network,
    height: market.height,
    pairs: market.books.size,
    excluded: market.excluded.length,
  }
  if (form.quiet > 1) return
  if (form.quiet === 1) return out.result(file)
  if (form.kind === 'json') return out.result(JSON.stringify(facts))
  return out.result(
    `saved ${file}: ${market.network} at block ${market.height}, ${facts.pairs} pairs, ${facts.excluded} left out, ${bytes} bytes`,
  )
}
