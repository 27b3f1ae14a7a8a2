import { sql } from 'kysely'
import { columnsOf, swaps } from '../../src/history/store/migrations.js'
import type { Db, Flavour } from '../../src/history/store/schema.js'

/** Rows by formula, the same in both databases: two legs a transaction, a transaction a block. */
export const CHAIN = 'bench-1'
export const WHALE = 'demo1whale'
export const AFFILIATE = 'arb'

const BLOCK_MS = 6_000
const GENESIS_MS = Date.UTC(2026, 0, 1)
const CHUNK = 250_000

/** One swap in five is the whale's; three in ten have the affiliate; one in ten is an arbitrage. */
const sender = `case when n % 5 = 0 then '${WHALE}' else 'demo1sender' || (n * 7919 % 50021) end`
const affiliated = 'n % 10 in (1, 4, 7)'
const volume = '(n * 104729 % 1000003) * 1000000000'

const series = (flavour: Flavour, from: number, to: number): string =>
  flavour === 'postgres'
    ? `(select n from generate_series(${from}::bigint, ${to}::bigint) as s(n)) s`
    : `(with recursive s(n) as (select ${from} union all select n + 1 from s where n < ${to}) select n from s) s`

/** 32 bytes that no two transactions share. */
const hash = (flavour: Flavour): string =>
  flavour === 'postgres'
    ? `decode(lpad(to_hex((n / 2) * 2654435761), 64, '0'), 'hex')`
    : `cast(printf('%032d', (n / 2) * 2654435761) as blob)`

const padded = (flavour: Flavour, number: string): string =>
  flavour === 'postgres' ? number : `printf('%060d', ${number})`

const columns =
  'chain_id, height, tx_index, msg_index, event_index, tx_hash, type, sender, recipient, affiliate_code, affiliate_address, input_denom, input_amount, output_denom, output_amount, path, hops, fee_protocol, fee_referral, fee_affiliate, volume_usd'

const legs = (flavour: Flavour): string => {
  const text = (number: string): string =>
    flavour === 'postgres' ? `(${number})::numeric` : `cast(${number} as text)`
  return `'${CHAIN}', n / 2 + 1, 0, n % 2, 3 + n % 2, ${hash(flavour)},
    case when n % 10 = 3 then 'arbitrage' else 'swap' end, ${sender}, ${sender},
    case when ${affiliated} then '${AFFILIATE}' end, case when ${affiliated} then 'demo1affiliate' end,
    'rune', ${text('n * 31 + 1000')}, 'btc-btc', ${text('n * 17 + 1000')}, '["rune","btc-btc"]',
    '[{"pair":"demo1pair0000000000000000000000000000000000","offer":"123456789","bought":"987654321","fee":"1234"}]',
    ${text('n % 1000')}, ${text('n % 100')}, ${text('n % 10')}, ${text(volume)}`
}

/** Fills the empty tables with so many legs, and the counts and leaderboards that belong to them. */
export async function fill(db: Db, flavour: Flavour, rows: number): Promise<void> {
  const run = (text: string): Promise<unknown> => sql.raw(text).execute(db)
  const indexes = swaps(columnsOf[flavour]).filter((text) => text.startsWith('create index swap'))
  for (const text of indexes) await run(`drop index ${text.split(' ')[2]}`)
  const blocks = Math.ceil(rows / 2)
  for (let from = 0; from < rows; from += CHUNK) {
    const to = Math.min(from + CHUNK, rows) - 1
    await run(
      `insert into swap (${columns}) select ${legs(flavour)} from ${series(flavour, from, to)}`,
    )
  }
  for (let from = 1; from <= blocks; from += CHUNK)
    await run(`insert into block (chain_id, height, time, time_ms, hash)
      select '${CHAIN}', n, '2026-01-01T00:00:00Z', ${GENESIS_MS} + n * ${BLOCK_MS}, ${hash(flavour)}
      from ${series(flavour, from, Math.min(from + CHUNK, blocks + 1) - 1)}`)
  for (const text of indexes) await run(text)
  const key = 'height, tx_index, msg_index, event_index'
  for (const name of ['affiliate_code', 'affiliate_address'])
    await run(`insert into affiliate_swap (affiliate, ${key})
      select ${name}, ${key} from swap where ${name} is not null order by ${key}`)
  const tally = (scope: string, name: string, group: string): Promise<unknown> =>
    run(`insert into tally (scope, name, swaps) select '${scope}', ${name}, count(*) from ${group}`)
  await tally('all', "''", 'swap')
  await tally('type', 'type', 'swap group by type')
  await tally('sender', 'sender', 'swap group by sender')
  await tally('affiliate', 'affiliate', 'affiliate_swap group by affiliate')
  const sum = flavour === 'postgres' ? 'sum(volume_usd)' : 'sum(cast(volume_usd as integer) / 1000)'
  for (const [period, days] of [
    ['1d', 1],
    ['7d', 7],
    ['30d', 30],
  ] as const)
    await run(`insert into top (period, sender, swaps, priced, volume)
      select '${period}', sender, count(*), count(*), ${padded(flavour, sum)} from swap
      where height > ${blocks - (days * 86_400_000) / BLOCK_MS} group by sender`)
  await run(`insert into done (first, last, parent_hash, last_hash)
    select 1, ${blocks}, hash, hash from block where height = ${blocks}`)
  await run(`update store set indexed_height = ${blocks}, indexed_time = '2026-01-01T00:00:00Z',
    indexed_ms = ${GENESIS_MS + blocks * BLOCK_MS}, decoder = 'bench'`)
  if (flavour === 'postgres') await run('vacuum analyze')
}
