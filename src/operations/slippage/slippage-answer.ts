import * as Type from 'typebox'
import {
  BlockHeight,
  closedObject,
  type DocumentOf,
  orNull,
  PairAddress,
} from '../document-schema.js'

/** Why a quote with `slippage: "auto"` has its slippage (docs/tape.md#automatic-slippage). */
export const SlippageChoice = closedObject(
  {
    source: Type.Union(
      [Type.Literal('recorded'), Type.Literal('limited'), Type.Literal('configured')],
      {
        description:
          'recorded: what recorded blocks suggest. limited: they suggest more than is configured. configured: too little was recorded.',
      },
    ),
    bps: Type.Integer({ description: 'The slippage of the answer.' }),
    configured_bps: Type.Integer({ description: 'The slippage without `auto`: never exceeded.' }),
    reason: Type.String({ description: 'The choice in one sentence.' }),
    evidence: orNull(
      closedObject({
        blocks: Type.Integer({ description: 'Recorded blocks on which the route was quoted.' }),
        from_height: BlockHeight,
        to_height: BlockHeight,
        executions: Type.Integer({
          description: 'Executions of those quotes on the next recorded blocks.',
        }),
        failed: Type.Integer({ description: 'Executions that would have failed at any slippage.' }),
        refused: Type.Integer({ description: 'Executions that the slippage would have refused.' }),
        quantile_bps: Type.Integer({ description: 'Share of the executions that pass at least.' }),
        move_bps: orNull(
          Type.Number({
            description:
              'How much worse than its quote the worst of that share was, rounded up to 0.01.',
          }),
        ),
      }),
    ),
    thinnest: orNull(
      closedObject({
        address: PairAddress,
        depth_used_percent: Type.Number({ description: 'Share of its depth that is consumed.' }),
      }),
    ),
  },
  { description: 'How the slippage was chosen; only with `slippage: "auto"`.' },
)
export type SlippageChoice = DocumentOf<typeof SlippageChoice>
