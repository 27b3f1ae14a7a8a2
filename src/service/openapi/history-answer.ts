import { Type } from 'typebox'
import { CoinAnswer, closedObject, orNull } from './market-schemas.js'

const Dollars = orNull(
  Type.String({
    description: 'At the mid prices of that block; a decimal, rounded down. Null where unknown.',
  }),
)

const Hop = closedObject({
  address: Type.String({ description: 'The pair.' }),
  input: CoinAnswer,
  output: CoinAnswer,
  fee: CoinAnswer,
  unsold: CoinAnswer,
  trades: Type.Integer({ description: 'Price levels that were traded with.' }),
})

const Leg = closedObject({
  tx_hash: Type.String(),
  msg_index: Type.Integer({ description: 'The message of the transaction.' }),
  height: Type.Integer(),
  time: Type.String({ description: 'Of the block, RFC 3339.' }),
  type: Type.String({ description: 'arbitrage where input and output are one denom, else swap' }),
  sender: Type.String({ description: 'The wallet that signed.' }),
  recipient: Type.String(),
  affiliate: orNull(
    Type.String({ description: 'The code; null where it was not registered at that height.' }),
  ),
  input: CoinAnswer,
  output: CoinAnswer,
  path: Type.Array(Type.String(), { description: 'Denoms from the input to the output.' }),
  hops: Type.Array(Hop),
  fees: closedObject({ protocol: CoinAnswer, referral: CoinAnswer, affiliate: CoinAnswer }),
  volume_usd: Dollars,
})

const Legs = closedObject({
  page: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer({ description: 'Of all pages.' }),
  items: Type.Array(Leg, { description: 'Newest first.' }),
  indexed_height: orNull(Type.Integer({ description: 'The newest block of the index.' })),
  indexed_time: orNull(Type.String()),
})

const Top = closedObject(
  {
    period: Type.String({ description: '1d, 7d or 30d' }),
    from: orNull(Type.String({ description: 'Block time, RFC 3339.' })),
    to: orNull(Type.String({ description: 'Of the newest block of the index.' })),
    items: Type.Array(
      closedObject({
        rank: Type.Integer(),
        sender: Type.String(),
        swaps: Type.Integer(),
        volume_usd: Dollars,
      }),
    ),
  },
  { description: 'Where a period is asked for.' },
)

/** The answer of `GET /history`. */
export const HistoryAnswer = Type.Union([Legs, Top])

const coin = (denom: string, amount: string) => ({ denom, amount })
const usdc = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const wallet = 'demo1wyt49zf66drw7lgt60ylgsuhs5tl62ancs33lx'

/** An answer as it may be. */
export const historyExample = {
  page: 1,
  limit: 20,
  total: 1,
  items: [
    {
      tx_hash: '8B7DF143D91C716ECFA5FC1730022F6B421B05CEDEE8FD52B1FC65A96030AD52',
      msg_index: 0,
      height: 118,
      time: '2026-05-01T12:03:56Z',
      type: 'swap',
      sender: wallet,
      recipient: wallet,
      affiliate: 'acme',
      input: coin('btc-btc', '1000000'),
      output: coin(usdc, '77742142960'),
      path: ['btc-btc', usdc],
      hops: [
        {
          address: 'demo1qwq27s3phjuvs98mwuh40wstl9fvwyvmlr5hcy9fvgmgtn5ydyqqwzr4wd',
          input: coin('btc-btc', '1000000'),
          output: coin(usdc, '78054360403'),
          fee: coin(usdc, '117257427'),
          unsold: coin('btc-btc', '0'),
          trades: 1,
        },
      ],
      fees: {
        protocol: coin(usdc, '78054361'),
        referral: coin(usdc, '19513590'),
        affiliate: coin(usdc, '234163082'),
      },
      volume_usd: '782.9',
    },
  ],
  indexed_height: 120,
  indexed_time: '2026-05-01T12:04:00Z',
}
