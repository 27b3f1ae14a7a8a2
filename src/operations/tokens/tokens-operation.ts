import * as Type from 'typebox'
import { operation } from '../operation.js'
import { validate } from '../validate.js'
import { tokens } from './tokens.js'
import { TokensAnswer } from './tokens-answer.js'

const NoParameters = Type.Object({}, { additionalProperties: false })

export const tokensOperation = operation({
  name: 'tokens',
  method: 'GET',
  path: '/swap/tokens',
  tag: 'swap',
  summary: 'Every token that can be swapped',
  description: 'The same list for input and output. A token that no open book trades is not in it.',
  request: NoParameters,
  example: {},
  response: TokensAnswer,
  codes: [],
  weight: 'light',
  deadline: 5_000,
  read: (input) => validate(NoParameters, input, { cli: 'tokens', http: 'GET /swap/tokens' }),
  run: (context) => tokens(context),
})
