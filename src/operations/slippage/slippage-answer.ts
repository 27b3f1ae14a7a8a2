import {
  BlockHeight,
  countOf,
  type DocumentOf,
  numberOf,
  numberOrNull,
  objectOf,
  oneOf,
  orNull,
  PairAddress,
  textOf,
} from '../document-schema.js'

/** How the slippage of a quote with `slippage: "auto"` was chosen (docs/tape.md#automatic-slippage). */
export const SlippageChoice = objectOf(
  'How the slippage was chosen; only with `slippage: "auto"`.',
  {
    source: oneOf(
      ['recorded', 'limited', 'configured'],
      'recorded: what recorded blocks suggest. limited: they suggest more than is configured. configured: too little was recorded.',
    ),
    bps: countOf('The slippage of the answer.'),
    configured_bps: countOf('The slippage without `auto`: never exceeded.'),
    reason: textOf('The choice in one sentence.'),
    evidence: orNull(
      objectOf('What was recorded; null where it is too little.', {
        blocks: countOf('Recorded blocks on which the route was quoted.'),
        from_height: BlockHeight,
        to_height: BlockHeight,
        executions: countOf('Executions of those quotes on the next recorded blocks.'),
        failed: countOf('Executions that would have failed at any slippage.'),
        refused: countOf('Executions that the slippage would have refused.'),
        quantile_bps: countOf('Share of the executions that pass at least.'),
        move_bps: numberOrNull(
          'How much worse than its quote the worst of that share was, rounded up to 0.01.',
        ),
      }),
    ),
    thinnest: orNull(
      objectOf('The pair of the legs of whose depth the largest share is consumed.', {
        address: PairAddress,
        depth_used_percent: numberOf('Share of its depth that is consumed.'),
      }),
    ),
  },
)
export type SlippageChoice = DocumentOf<typeof SlippageChoice>
