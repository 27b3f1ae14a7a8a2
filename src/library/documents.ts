import type { Static } from 'typebox'
import type {
  ArbrouteAnswer,
  ArbrouteRequest,
  ArbsAnswer,
  ArbsRequest,
} from '../operations/arbitrage/arbitrage-documents.js'
import type { HistoryAnswer, HistoryRequest } from '../operations/history/history-documents.js'
import type {
  OrderHistoryAnswer,
  OrderHistoryRequest,
} from '../operations/history/order-history.js'
import type { OrdersAnswer, OrdersRequest } from '../operations/orders/order-operations.js'
import type {
  OrderPreviewAnswer,
  OrderPreviewRequest,
} from '../operations/orders/order-preview-documents.js'
import type { RouteAnswer } from '../operations/route/route-documents.js'
import type { RouteRequest } from '../operations/route/route-request.js'
import type { SimulateAnswer, SimulateRequest } from '../operations/simulate/simulate-documents.js'
import type { SplitAnswer, SplitRequest } from '../operations/split/split-documents.js'
import type { TokensAnswer } from '../operations/tokens/tokens-documents.js'
import type { Problem as ProblemSchema } from '../service/openapi/errors.js'

/*
 * Types of the documents, from the schemas of the operations. The build writes the same types without
 * the schema library, with the descriptions of the members, for the package.
 */
export type {
  ArbrouteAnswer,
  ArbrouteRequest,
  ArbsAnswer,
  ArbsRequest,
  HistoryAnswer,
  HistoryRequest,
  OrderHistoryAnswer as HistoryOrdersAnswer,
  OrderHistoryRequest as HistoryOrdersRequest,
  OrderPreviewAnswer,
  OrderPreviewRequest,
  OrdersAnswer,
  OrdersRequest,
  RouteAnswer,
  RouteRequest,
  SimulateAnswer,
  SimulateRequest,
  SplitAnswer as SrouteAnswer,
  SplitRequest as SrouteRequest,
  TokensAnswer,
}

/** The document of an error (RFC 9457). */
export type ProblemAnswer = Static<typeof ProblemSchema>
