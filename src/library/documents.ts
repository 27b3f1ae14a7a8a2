import type { Static } from 'typebox'
import type { ArbrouteAnswer, ArbsAnswer } from '../operations/arbitrage/arbitrage-answers.js'
import type { ArbrouteRequest, ArbsRequest } from '../operations/arbitrage/requests.js'
import type { HistoryAnswer } from '../operations/history/history-answer.js'
import type { HistoryRequest } from '../operations/history/history-request.js'
import type {
  OrderHistoryAnswer,
  OrderHistoryRequest,
} from '../operations/history/order-history.js'
import type { OrderPreviewAnswer } from '../operations/orders/order-preview-answer.js'
import type { OrderPreviewRequest } from '../operations/orders/order-preview-request.js'
import type { OrdersAnswer, OrdersRequest } from '../operations/orders/orders-operation.js'
import type { RouteAnswer } from '../operations/route/route-answer.js'
import type { RouteRequest } from '../operations/route/route-request.js'
import type { SimulateAnswer } from '../operations/simulate/simulate-answer.js'
import type { SimulateRequest } from '../operations/simulate/simulate-request.js'
import type { SplitAnswer } from '../operations/split/split-answer.js'
import type { SplitRequest } from '../operations/split/split-request.js'
import type { TokensAnswer } from '../operations/tokens/tokens-answer.js'
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
