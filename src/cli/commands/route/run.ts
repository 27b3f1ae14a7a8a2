import { route } from '../../../operations/route/route.js'
import { renderRoutePlain } from '../../quotes/pipe-fields.js'
import { routeCsv } from '../../quotes/quote-csv.js'
import { routeRequestOf } from '../../quotes/route-request.js'
import { runQuote } from '../../quotes/run-quote.js'

export const runRoute = runQuote({
  command: 'route',
  request: routeRequestOf,
  answer: route,
  csv: routeCsv,
  plain: renderRoutePlain,
  text: async () => (await import('../../quotes/route/render-route.js')).routeText,
})
