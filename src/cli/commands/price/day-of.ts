import { SwapError } from '../../../engine/errors.js'
import type { DayOf } from '../../../operations/price/price.js'
import type { Context } from '../../command.js'

/** The day of the local history index. A saved market has none; a fault of the index is a note. */
export function dayOf({ config, history, out, form }: Context): DayOf {
  return async (time) => {
    if (config.values.snapshot !== undefined) return undefined
    try {
      const access = await history()
      return await access.day(time).finally(() => access.close())
    } catch (error) {
      if (!(error instanceof SwapError)) throw error
      if (form.quiet === 0) out.note(`without the last 24 hours: ${error.message}`)
      return undefined
    }
  }
}

/** How to have the figures of the last 24 hours where they are not there. */
export const NO_DAY = 'not in the history index; fill it: swap history --sync'
