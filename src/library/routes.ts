/**
 * Method and path of the endpoints that the client calls, except `batch` and `stream`, by the name of the operation
 * in camel case. A test compares them with the service's API document.
 */
export const routes = {
  tokens: 'GET /swap/tokens',
  route: 'POST /swap/route',
  sroute: 'POST /swap/sroute',
  simulate: 'POST /swap/simulate',
  arbs: 'GET /swap/arbs',
  arbroute: 'POST /swap/arbroute',
  orders: 'GET /orders',
  orderPreview: 'POST /orders/preview',
  history: 'GET /history',
  historyOrders: 'GET /history/orders',
  readyz: 'GET /readyz',
  snapshot: 'GET /swap/snapshot',
  version: 'GET /version',
} as const
