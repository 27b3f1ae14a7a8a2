import type { DemoFaultRequest } from '../../../operations/demo-port.js'
import { quote } from '../../../render/width.js'
import { pairNamed } from '../../arguments/pair-name.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { documentCsv } from '../../document-csv.js'
import { numberOf } from '../../flags/checked-flag.js'
import { faultSeedFlag, faultTimeFlag } from '../../flags/command-flags.js'
import { invalidRequest } from '../../invalid-request.js'
import { renderFaultKinds, renderFaults } from './render-faults.js'

/** Switches faults on and off, and lists them. */
export const runFail: Run = async (context, [kind, word], flags) => {
  const { out, form } = context
  const demo = await context.demo()
  if (kind === undefined) {
    if (form.quiet > 0)
      return form.quiet === 1
        ? out.result(demo.kinds.map((each) => each.kind).join('\n'))
        : undefined
    if (form.kind === 'json') return out.result(JSON.stringify({ kinds: demo.kinds }))
    if (form.kind === 'csv') return out.result(documentCsv({ kinds: demo.kinds }))
    return out.result(renderFaultKinds(demo.kinds, out.style))
  }
  const ended = kind === 'off' ? await demo.off(word) : undefined
  const faults = ended ?? (await demo.fail(await requestOf(context, kind, word, flags)))
  if (form.quiet > 0) return
  const document = { [ended ? 'ended' : 'faults']: faults }
  if (form.kind === 'json') return out.result(JSON.stringify(document))
  if (form.kind === 'csv') return out.result(documentCsv(document))
  return out.result(
    ended && faults.length === 0
      ? 'no fault was on'
      : [ended ? 'switched off:' : 'on now:', ...renderFaults(faults, out.style)].join('\n'),
  )
}

async function requestOf(
  context: Context,
  kind: string,
  number: string | undefined,
  flags: FlagValues,
): Promise<DemoFaultRequest> {
  const forMs = numberOf(faultTimeFlag, flags)
  const seed = numberOf(faultSeedFlag, flags)
  const { method, pair } = flags
  return {
    kind,
    once: flags['once'] === true,
    ...(number !== undefined && { n: argumentOf(number) }),
    ...(forMs !== undefined && { forMs }),
    ...(seed !== undefined && { seed }),
    ...(typeof method === 'string' && { method }),
    ...(typeof pair === 'string' && { pair: await addressOf(context, pair) }),
  }
}

/** A pair by its tokens is one of the market; the demo chain itself knows addresses only. */
const addressOf = async (context: Context, text: string): Promise<string> =>
  text.includes('/') ? pairNamed(context, (await context.app.openMarket()).market, text) : text

function argumentOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw invalidRequest(`${quote(text)} is no number of a fault`, '/n', {
    why: 'what follows a kind is a whole number: seconds, blocks, percent',
    hint: 'see what each counts: swap demo fail',
    detail: 'not a whole number',
  })
}
