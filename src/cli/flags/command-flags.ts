import { invalidRequest } from '../../engine/errors.js'
import { DIALECTS } from '../../engine/market/market.js'
import { MOST_STEPS } from '../../engine/orders/ladder.js'
import { BOOK_LEVELS } from '../../operations/defaults.js'
import { DAY_MS } from '../../platform/clock.js'
import type { FlagValues, FormerFlag } from '../command.js'
import { durationFlag, ratioFlag, valueName, wholeFlag, wordFlag } from './checked-flag.js'

/** Where the service listens without `--listen`. */
export const DEFAULT_LISTEN = '127.0.0.1:8555'

export const levelsFlag = wholeFlag('--levels <n>', 'levels of each side', BOOK_LEVELS.range, {
  usual: BOOK_LEVELS.usual,
})

const SEEDS = [0, 4_294_967_295] as const

/** Options of a demo chain. The port is that of the RPC; REST uses the next one. */
export const chainFlags = {
  port: wholeFlag('--port <n>', 'of the RPC, REST takes the next', [0, 65_534], {
    fallback: '26657 and 1317, or free ones if they are taken; 0 takes any',
  }),
  blockTimeMs: durationFlag('--block-time <2s>', 'between two blocks', [50, 600_000], {
    fallback: '2s',
  }),
  seed: wholeFlag('--seed <n>', 'of the market and its traders', SEEDS, { fallback: '1' }),
  dialect: wordFlag('--dialect <name>', 'dialect of the router message', DIALECTS, {
    fallback: 'forward',
  }),
  routerBuild: wordFlag(
    '--router-build <name>',
    'build of the router contract; published rounds affiliate fees up',
    ['source', 'published'],
    { fallback: 'source' },
  ),
}
export const faultTimeFlag = durationFlag('--for <30s>', 'how long', [1, DAY_MS], {
  fallback: 'until it is switched off',
})
export const faultSeedFlag = wholeFlag('--seed <n>', 'of the choices that the fault makes', SEEDS)
export const linesFlag = wholeFlag('--lines <n>', 'lines of the log to show', [0, 1_000_000], {
  usual: 20,
})

/** Files of tax programs (docs/operations.md#tax-files). */
const TAX_FORMATS = ['koinly', 'ctc', 'rotki', 'generic'] as const
export type TaxFormat = (typeof TAX_FORMATS)[number]

export const formatFlag = wordFlag(
  '--format <name>',
  'CSV for a tax program, oldest first',
  TAX_FORMATS,
)

export const fromHeightFlag = wholeFlag(
  '--from-height <n>',
  "begin at this block, by default the router's first",
  [1, 2_000_000_000],
)

/** Number of rows of a page; a CSV is not paged. */
export const limitFlag = wholeFlag('--limit <n>', 'maximum number of entries', [1, 100_000], {
  usual: 20,
})

/** Largest accepted durations, in milliseconds: an hour. */
const TIMES = [0, 3_600_000] as const

/** Options of the service: of its clients, its work and its end. */
export const serveFlags = {
  keepAlive: durationFlag(
    '--keep-alive <time>',
    'keep idle connections; longer than a proxy does',
    TIMES,
    { usual: 5_000 },
  ),
  leastShare: ratioFlag(
    '--min-books <80%>',
    'quote only while at least this share of the pairs can be read',
    { fallback: '80%' },
  ),
  maxInflight: wholeFlag('--max-inflight <n>', 'long answers that may wait', [1, 10_000], {
    usual: 64,
  }),
  threads: wholeFlag('--threads <n>', 'threads for long answers', [1, 64], {
    fallback: 'cores less one',
  }),
  log: wordFlag('--log <form>', 'form of the log on stderr', ['text', 'json'], {
    fallback: 'text on a terminal, else json',
  }),
  drainDelay: durationFlag(
    '--drain-delay <time>',
    'after SIGTERM, stay unready this long first',
    TIMES,
    { usual: 0 },
  ),
  grace: durationFlag('--shutdown-grace <time>', 'requests in flight may take this long', TIMES, {
    usual: 10_000,
  }),
}

// Flags of plans.
export const slicesFlag = wholeFlag('--slices <n>', 'number of slices', [2, 1000])
export const sliceIntervalFlag = durationFlag(
  '--every <time>',
  'time between two slices',
  [1_000, DAY_MS],
  { example: '5m' },
)

// Flags of orders.
export const maxCrossFlag = ratioFlag(
  '--max-cross <percent>',
  'refuse a price further across the best one of the other side',
  { usual: 500 },
)

export const stepsFlag = wholeFlag('--steps <n>', 'number of orders', [1, MOST_STEPS], { usual: 5 })

export const weightFlag = wordFlag(
  '--weight <name>',
  'how the amount is divided; linear: step n gets n times what the first one gets',
  ['flat', 'linear'],
  { usual: 'flat' },
)

/** Heights that a flag of tapes may name, and the number of blocks. */
const HEIGHTS = [1, 9_999_999_999] as const

export const blocksFlag = wholeFlag('--blocks <n>', 'end after so many blocks', HEIGHTS)
export const fromBlockFlag = wholeFlag('--from-block <n>', 'begin at this block', HEIGHTS, {
  fallback: 'the first',
})
export const runsFlag = wholeFlag('--runs <n>', 'begin on so many of its blocks', [1, 1_000], {
  usual: 20,
})
export const toBlockFlag = wholeFlag('--to-block <n>', 'end at this block', HEIGHTS, {
  fallback: 'the last',
})

/** `--slippage` in whole basis points. */
export const slippageBpsFlag: FormerFlag = {
  flags: '--slippage-bps <n>',
  now: (text) => ({ slippage: /^\d+$/.test(text) ? `${text}bps` : text }),
}

/** `--to` of commands that quote. */
export const recipientFlag: FormerFlag = { flags: '--recipient <address>', now: (to) => ({ to }) }

/** Part of `--explain`. */
export const frontierFlag: FormerFlag = { flags: '--frontier', now: () => ({ explain: true }) }

/** Shares of any size, the default without `--split-step`. */
export const gridFlag: FormerFlag = { flags: '--no-grid' }

/** `swap tx resume`. */
export const resumeFlag: FormerFlag = { flags: '--resume <id>' }

/** `--csv` of the journal. */
export const exportFlag: FormerFlag = { flags: '--export <form>', now: (output) => ({ output }) }

/** Translates flags of earlier releases. @throws SwapError INVALID_REQUEST if both forms are given */
export function presentFlags(flags: FlagValues, former: readonly FormerFlag[] = []): FlagValues {
  return former.reduce((given, { flags: spelled, now }) => {
    const { [valueName(spelled)]: value, ...rest } = given
    if (now === undefined || value === undefined) return given
    const present = now(String(value))
    for (const [name, meant] of Object.entries(present))
      if (rest[name] !== undefined && rest[name] !== meant) {
        const flag = spelled.replace(/ .*/, '')
        throw invalidRequest(`${flag} and --${name} are the same flag`, '', {
          why: `${flag} is its name of earlier releases, and the values differ`,
          hint: `give --${name} alone`,
        })
      }
    return { ...rest, ...present }
  }, flags)
}

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

export const isShell = (word: string): word is Shell => (shells as readonly string[]).includes(word)
