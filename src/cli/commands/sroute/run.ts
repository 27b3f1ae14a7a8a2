import { sroute } from '../../../operations/split/split.js'
import { renderSplitPlain } from '../../quotes/pipe-fields.js'
import { splitCsv } from '../../quotes/quote-csv.js'
import { splitRequestOf } from '../../quotes/route-request.js'
import { runQuote } from '../../quotes/run-quote.js'

export const runSroute = runQuote({
  command: 'sroute',
  request: splitRequestOf,
  answer: sroute,
  csv: splitCsv,
  plain: renderSplitPlain,
  text: async () => (await import('../../quotes/split/render-split.js')).splitText,
})
