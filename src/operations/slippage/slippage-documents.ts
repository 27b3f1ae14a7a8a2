import * as Doc from '../document-schema.js'

/** How the slippage of a quote with `slippage: "auto"` was chosen (docs/tape.md#automatic-slippage). */
export const SlippageChoice = Doc.object(
  'How the slippage was chosen; only with `slippage: "auto"`.',
  {
    source: Doc.oneOf(
      ['recorded', 'limited', 'configured'],
      'recorded: what recorded blocks suggest. limited: they suggest more than is configured. configured: too little was recorded.',
    ),
    bps: Doc.count('The slippage of the answer.'),
    configured_bps: Doc.count('The slippage without `auto`: never exceeded.'),
    reason: Doc.text('The choice in one sentence.'),
    evidence: Doc.orNull(
      Doc.object('What was recorded; null where it is too little.', {
        blocks: Doc.count('Recorded blocks on which the route was quoted.'),
        from_height: Doc.BlockHeight,
        to_height: Doc.BlockHeight,
        executions: Doc.count('Executions of those quotes on the next recorded blocks.'),
        failed: Doc.count('Executions that would have failed at any slippage.'),
        refused: Doc.count('Executions that the slippage would have refused.'),
        quantile_bps: Doc.count('Share of the executions that pass at least.'),
        move_bps: Doc.numberOrNull(
          'How much worse than its quote the worst of that share was, rounded up to 0.01.',
        ),
      }),
    ),
    thinnest: Doc.orNull(
      Doc.object('The pair of the legs of whose depth the largest share is consumed.', {
        address: Doc.PairAddress,
        depth_used_percent: Doc.number('Share of its depth that is consumed.'),
      }),
    ),
  },
)
export type SlippageChoice = Doc.DocumentOf<typeof SlippageChoice>
