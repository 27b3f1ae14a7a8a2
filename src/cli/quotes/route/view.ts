import type { Explanation } from '../../../operations/route/explain.js'
import type { RouteAnswer } from '../../../operations/route/route.js'
import type { RouteDocument } from '../../../operations/route-document.js'
import type { Names, Naming } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'

/** What a quote's renderers are told beside the answer. */
export type RouteContext = Naming & {
  /** The id under which the quote was stored. */
  readonly quoteId?: string | undefined
  /** For people even in a pipe: `-o human`. */
  readonly human?: boolean | undefined
}

/** What every section of a quote is rendered from. */
export type RouteView = {
  readonly answer: RouteAnswer
  /** `routes[0]`, the one to use. */
  readonly best: RouteDocument
  readonly quoteId: string | undefined
  readonly names: Names
  readonly style: Style
}

/** What every section of an explanation is rendered from. */
export type ExplainView = {
  readonly explanation: Explanation
  readonly answer: RouteAnswer
  readonly names: Names
  readonly style: Style
}
