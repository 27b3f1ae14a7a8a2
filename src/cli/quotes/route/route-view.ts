import type { Explanation } from '../../../operations/route/explain.js'
import type { RouteAnswer } from '../../../operations/route/route.js'
import type { RouteDocument } from '../../../operations/route-document.js'
import type { Names, Naming } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'

/** Context of a quote's renderers. */
export type RouteContext = Naming & {
  /** The id under which the quote was stored. */
  readonly quoteId?: string | undefined
  /** Human-readable output even in a pipe: `-o human`. */
  readonly human?: boolean | undefined
}

/** Input of the renderers of a quote's sections. */
export type RouteView = {
  readonly answer: RouteAnswer
  /** `routes[0]`, the best one. */
  readonly best: RouteDocument
  readonly quoteId: string | undefined
  readonly names: Names
  readonly style: Style
}

/** Input of the renderers of an explanation's sections. */
export type ExplainView = {
  readonly explanation: Explanation
  readonly answer: RouteAnswer
  readonly names: Names
  readonly style: Style
}
