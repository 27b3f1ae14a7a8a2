import * as Type from 'typebox'
import { encodeSnapshot } from '../engine/snapshot/encode.js'
import { NeedsWorker } from './context.js'
import { closedObject, flagOf } from './document-schema.js'
import { operation } from './operation.js'
import { tokens } from './tokens/tokens.js'
import { TokensAnswer } from './tokens/tokens-answer.js'
import { validate } from './validate.js'

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

const SnapshotRequest = closedObject({
  compact: Type.Optional(
    flagOf(
      'Leave out the books of pairs whose pools and makers are known: an eighth of the size, and the same quotes.',
    ),
  ),
})

const anything = Type.Array(Type.Unknown())

/** The members of the snapshot document (docs/api.md#snapshot-members); its decoder checks what is in them. */
const SnapshotDocument = Type.Object({
  format: Type.Literal('swap.snapshot/1'),
  network: Type.String(),
  chain_id: Type.String(),
  height: Type.Integer(),
  time: Type.String(),
  tokens: anything,
  usd: Type.Union([Type.String(), Type.Null()]),
  router: Type.Unknown(),
  arbs: anything,
  pairs: anything,
})

/** The market itself. It has a handler of its own, which compresses, and is no tool for agents: it is large. */
export const snapshotOperation = operation({
  name: 'snapshot',
  method: 'GET',
  path: '/swap/snapshot',
  tag: 'swap',
  summary: 'Everything that a quote is computed from, as of one block',
  description:
    'The bytes of `swap snapshot save` at this height. The `ETag` is strong; `br` and `gzip` are negotiated, and each block is compressed once.',
  request: SnapshotRequest,
  example: { compact: true },
  response: SnapshotDocument,
  codes: [],
  weight: 'heavy',
  deadline: 10_000,
  read: (input) =>
    validate(SnapshotRequest, input, { cli: 'snapshot', http: 'GET /swap/snapshot' }),
  async run({ openMarket, inline }, { compact: isCompact = false }) {
    if (inline) throw new NeedsWorker()
    return encodeSnapshot((await openMarket()).market, { isCompact })
  },
})
