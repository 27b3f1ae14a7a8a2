import { Type } from 'typebox'
import { tokens } from '../../operations/tokens.js'
import { validate } from '../../operations/validate.js'
import { operation } from '../endpoint.js'
import { TokensAnswer } from '../openapi/tokens-answer.js'

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
  read: (input) => validate(NoParameters, input),
  run: (app) => tokens(app),
})
