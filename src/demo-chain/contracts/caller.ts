import type { Contract } from '../modules/contract.js'
import { fieldsOf, parseVariant, writeJson } from './serde.js'

const EXECUTE = 'demo_caller::ExecuteMsg'
const QUERY = 'demo_caller::QueryMsg'

/**
 * A third-party contract: forwards a message with the attached coins, so that the called contract sees
 * a contract as the sender. `{"forward":{"contract":"…","msg":"<base64>"}}`. It takes the
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
