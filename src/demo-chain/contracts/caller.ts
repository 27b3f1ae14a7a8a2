import type { Contract } from '../modules/contract.js'
import { fieldsOf, parseVariant, writeJson } from './serde.js'

const EXECUTE = 'demo_caller::ExecuteMsg'
const QUERY = 'demo_caller::QueryMsg'

/**
 * Somebody's contract in front of others: hands a message on with whatever was attached, so that what
 * it calls sees a contract for a sender. `{"forward":{"contract":"…","msg":"<base64>"}}`. It takes the
 * callbacks and coins that come back, and keeps the coins.
 */
export const callerContract: Contract = {
  name: 'demo-caller',
  execute(call, message) {
    const { variant, body } = parseVariant(EXECUTE, message, ['forward', 'callback'])
    const fields = fieldsOf(EXECUTE, body)
    if (variant === 'callback') return { messages: [], events: [] }
    return {
      messages: [
        {
          kind: 'execute',
          contract: fields.text('contract'),
          message: Buffer.from(fields.binary('msg')).toString(),
          funds: call.funds,
        },
      ],
      events: [],
    }
  },
  query(_call, message) {
    parseVariant(QUERY, message, ['config'])
    return writeJson({})
  },
}
