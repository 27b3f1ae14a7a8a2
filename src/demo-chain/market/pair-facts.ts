import { type AssetFact, assets } from './assets.js'

/** The shape of a pair's limit orders (`draw.ts`). */
export type LadderStyle = 'hub' | 'dislocated' | 'volatile' | 'pegged'

/** A deliberate defect of a pair, for commands to report. */
type PairDefect = 'retired' | 'unreadable' | 'no asks'

/** A market maker of the constant-product kind, and the dollars in it, both sides together. */
type MakerFact = { readonly address: string; readonly tvlUsd: bigint }

/** One pair of the real chain. Its address has the same 32 bytes as there, under prefix `demo`. */
export type PairFact = {
  readonly address: string
  readonly base: AssetFact
  readonly quote: AssetFact
  /** Dollars resting on each side in limit orders, roughly. A guess: no public file has it. */
  readonly depthUsd: bigint
  readonly style: LadderStyle
  /** Deviation of the pair's price from the fair one: −1 too low, 1 too high, 0 none. */
  readonly dislocation: bigint
  readonly maker: MakerFact | undefined
  readonly quirk: PairDefect | undefined
}

type Asset = keyof typeof assets
type PairRow = readonly [address: string, base: Asset, depthUsd: number]
type MakerRow = readonly [base: Asset, quote: Asset, tvlUsd: number, address: string]

/** Pairs with this many dollars a side are hubs, which most routes use. */
const HUB_DEPTH_USD = 100_000

/** Gas of the demo chain in percent of the recorded node's (docs/chain.md#gas-estimates). */
export const GAS_PERCENT = 300

/** Derived from sha256('swap demo router'). */
export const ROUTER_ADDRESS = 'demo16sl82ssg7trpxpler375mlkwcg0dwku6yl08339hqxmk7wjjsmwsfv6q08'

/** An affiliate of the router: its own fee, and its share of the router's. */
export type DemoAffiliate = {
  readonly affiliate_fee_bps: number
  readonly referral_fee_share_bps: number
}

/** Affiliates of the router. */
export const affiliateFacts: { readonly [code: string]: DemoAffiliate } = {
  acme: { affiliate_fee_bps: 50, referral_fee_share_bps: 1000 },
  ruji: { affiliate_fee_bps: 0, referral_fee_share_bps: 1000 },
}

/** The reference for dollar prices: USDC of Ethereum. */
export const dollarToken: AssetFact = assets.usdc

/** The denoms scanned for arbitrage with their fixed amounts in atomics, about 7 dollars each. */
export const arbFacts: readonly { readonly asset: AssetFact; readonly amount: bigint }[] = [
  { asset: assets.rune, amount: 1_375_000_000n },
  { asset: assets.btc, amount: 9_000n },
  { asset: assets.eth, amount: 305_000n },
  { asset: assets.usdc, amount: 700_000_000n },
  { asset: assets.usdt, amount: 700_000_000n },
  { asset: assets.tcy, amount: 4_900_000_000n },
  { asset: assets.ruji, amount: 2_800_000_000n },
]

/**
 * The BOW makers. Their addresses are made from sha256('swap demo maker BASE/QUOTE') with the two
 * denoms; their sizes are guesses.
 */
const makers: readonly MakerRow[] = [
  ['eth', 'btc', 250_000, 'demo1gezkvhumsw4j4jzaw2zpqrvqxr8nz368c3ygz62lvldhy2yueqcq5a5k9k'],
  ['lqdy', 'btc', 60_000, 'demo1rdc2yr8j2ze4h9j3hsxrtspq3klff35n7e6pyylhw2cftvprjpwsstefsr'],
  ['avax', 'usdc', 60_000, 'demo1svw24wuv3dlf2caax7p0726z0vw4czhazvchdvmga7pq2l6em6gs80afl2'],
  ['bch', 'usdc', 50_000, 'demo15njkk6ekyps8xwmhahac99tjpcgsq4m00qh9a5lm33fg3zmnjk9sqhhv3r'],
  ['bnb', 'usdc', 60_000, 'demo130am00vym76v5pmd2sqveutct469c8ak7ks6ftgwkgppcag952eq8hsf96'],
  ['btc', 'usdc', 600_000, 'demo1390l6w0wt48kje6nqlunwwn5r5jpm7rgeztkt2hh7w0ptyxge2usmmg6vf'],
  ['doge', 'usdc', 60_000, 'demo16ufw2ach35wfapdp5t2rv7ntj2nf2qlv2y6mxkucpft2a6nfcacq99cxnk'],
  ['eth', 'usdc', 350_000, 'demo1jf0pwmcgqkr5jjzf0k5843mhy8f9u3p0de7s9kqjrqz20lylmu3sgzvqsd'],
  ['atom', 'usdc', 60_000, 'demo1e8w33ml2ahwadk0j9mly9fjwne9ejf8jnhkxnk94dkvmjkzzlezsyy2nme'],
  ['ltc', 'usdc', 60_000, 'demo1guqqxyvhuq8khgrk6gkqu2u76jmp0qxyzx2zcu6x7at3yqmrlu6s6tyjaw'],
  ['auto', 'usdc', 50_000, 'demo1nmn4djeaufuzwv0ara0wyg6aj8ztcvh9w2l6a8uxla5mta7f7n9qntr6tc'],
  ['lqdy', 'usdc', 90_000, 'demo1afkx9vu9x4hwf5vc79dqhddupw6n23t39tqgl9tedr02a02njnxqeyqf4c'],
  ['nami', 'usdc', 50_000, 'demo1csc6awgt4ag9k6qdezqhu5elhxq3mt42qk8gj9zuar5tke30hkdqw4ztf7'],
  ['ruji', 'usdc', 180_000, 'demo1l64adqe6mk9ktdnltna8zk8h836kff0mtef9zt0p79aylg3jmgzs3vzzs7'],
  ['xrp', 'usdc', 80_000, 'demo1xx974l5aync8ukppuj4yse7q2lj0g9q0mk88phr8q9e85yqcwf5scau4ha'],
]

/**
 * RUNE is underpriced in dollars and overpriced in BTC, and BTC is overpriced in dollars, so the loop
 * USDC → RUNE → BTC → USDC is profitable.
 */
const dislocations: readonly (readonly [Asset, Asset, bigint])[] = [
  ['rune', 'usdc', -1n],
  ['rune', 'btc', 1n],
  ['btc', 'usdc', 1n],
]

const quirks: readonly (readonly [Asset, Asset, PairDefect])[] = [
  ['cbbtc', 'btc', 'retired'],
  ['usdtAvax', 'usdt', 'unreadable'],
  ['lqdy', 'eth', 'no asks'],
]

/** The pairs of the real chain: 57 that trade and the retired one of cbBTC. */
export const pairFacts: readonly PairFact[] = [
  ...quotedIn('btc', [
    ['demo1ar3grsxufvmr3fq8j92ssvc8vcyzdkhh9rlg5mdmuw8we552htxs5fq9ad', 'cbbtc', 4_000],
    ['demo1g3mymxjlmvyeadfys6lsj98sgg7mxut5pwz99q5rat7ny698elwqrzuw7w', 'eth', 150_000],
    ['demo1e5dmfdtpveprsznzyqjdygy2fd782d0q9zm7246e7jhvmq04nqnqxzu303', 'wbtc', 20_000],
    ['demo1qqql3tugjuwnslfgf9a9zfqenywn2h8zy9v025vh3398xtzpaqcsmgxmjc', 'rune', 250_000],
    ['demo1jshw3secvxhzfyza6aj530hrc73zave42zgs525n0xkc3e9d6wkq78u08r', 'tcy', 12_000],
    ['demo1t76lvqjq7avt6kxnul4pt0zaq6y06fhkw29wxs5rm4kt873s6y9ssau7sw', 'lqdy', 8_000],
    ['demo1a7jw3r8we32guc0cp0zwe5zw2fltt9ns0h9txhc923xd88d0mqlqgj7s88', 'ruji', 10_000],
  ]),
  ...quotedIn('eth', [
    ['demo1624v08rr5na2hv5jazw5tmyyjyqg8lfy78zvck52ep3nqxa7lljqjnzgs8', 'baseEth', 15_000],
    ['demo15gdwez2jt8tdpukx4x4upul4pjtl8f4hx8dsj9a7htsszmas89gqa2avqw', 'lqdy', 5_000],
  ]),
  ...quotedIn('usdc', [
    ['demo1dw8tadkwy746ytvaugv26g5jwekwpfyjyvlvncvryukm07rc998sgqd34v', 'avax', 25_000],
    ['demo14sk3vqzt6rpp8c06ynfhw30ctk0wy5mqhvedccg8gnnlcdcyc9csq4ww7v', 'usdcAvax', 8_000],
    ['demo1mj73004rhycffu6k56dalt0zmefzdc3ana6egkh4aes9aw43lxqqx4mhs0', 'usdtAvax', 4_000],
    ['demo1kkuhwaqnlnvchx6fzttp7l9vhman9ll9u6dyhx65v4c7gcpflvcqt3hr5z', 'usdcBase', 9_000],
    ['demo1s4jpxtz0jsh6elyqcdujd303ptefz53gknmcp437rm9ykxnfhysq780257', 'bch', 20_000],
    ['demo1g49m6re9vgrte8twpgx0qcnvr92575tqhcgmnwq3g5s94msk4ersavln8p', 'bnb', 25_000],
    ['demo1f9zc2sdua4n6nreuxzhed9435n0cf6v6lpx6nrjdadtkr294a26q2vprv5', 'usdcBsc', 6_000],
    ['demo1mgjtf976cnurac63yh2tldmw2mme5f4a8n0u7m3d5yvxk6x5yrwsgq2r0h', 'usdtBsc', 5_000],
    ['demo1dwsnlqw3lfhamc5dz3r57hlsppx3a2n2d7kppccxfdhfazjh06rsfn9rx9', 'btc', 400_000],
    ['demo1w8agselh7k2e4ty369v39lngkckljxfafm35d06f7wj3ar90h2es3z0kgx', 'doge', 25_000],
    ['demo1qa2l2rrzjq30j2wphc3hcz3ykjz8aaqcjlrnzmp00hy0cpk233ysxec78l', 'dai', 7_000],
    ['demo1tnd06uswj8033d0kzd5d7zre73u3uc44r2vvez26z5m4kr68vtus5ktw66', 'eth', 300_000],
    ['demo19pdw7vjkhk0qhvn7r3xgj6f5zyyj700w6my3z28cv9ugzu7gp5rq3g0cvc', 'gusd', 3_000],
    ['demo1n52wjhf8mvfe2lymev08grpwtjh8n6jse5zku0cewlhyzl77yauqdhp7ck', 'lusd', 3_000],
    ['demo1zj84djje5t0cn3veezmlfewmzmn6yn793nkrtfkjhcywdyyca9tqcguhjw', 'usdp', 3_000],
    ['demo14qg8r6u7x4yt57565ztm6v8fwkd2t0j8wqnx6k872yt49ynx8d0q8v9tkg', 'usdt', 9_000],
    ['demo1s8rxcvg83cwar87ehv4c866auxujkfj3k4wjkxkaren7vmvn9nasdm5yqx', 'atom', 15_000],
    ['demo1ks9qq0nwv7qxtnznesys6ylflwruqlf85er6zls4erwgzkvw0m0qddc4p9', 'ltc', 25_000],
    ['demo1y8g3yhzmnwyt6g7jque36eyregf85kgtzem6dgzqxuzrpmzpumvqkv9pme', 'rune', 300_000],
    ['demo1kyjky2yprmamj0gfkevyc6tunxev0054gpxjap8k9vkyutkkf5lqel5mst', 'tcy', 20_000],
    ['demo15t4cykf3mj8fsvd6ha8j0lnavcyex2h4a4l2pv8zkctandwck3zs2v7hyr', 'auto', 5_000],
    ['demo1ax94w4rldvdgc4xgsfwgve7g7xfyxhvuvquvx57vtmr6y4alev0qndqz6y', 'lqdy', 12_000],
    ['demo1txmrchsrzycmzvlwsjl20q9zkdsp0nywctefuceepf02phpudvxsmhexar', 'nami', 5_000],
    ['demo1x2l2d3vh73uuzlur2dxhzwgc2zu3p56jnzxen6rry9e5zvks6g8sawvskk', 'xusk', 4_000],
    ['demo1wj7vzfp7lasyuqga35hcvhg5xuyxh3auh5epxqns8p9f0yhhwelqpzdae9', 'trx', 15_000],
    ['demo1zl5fcaexljnyz6udcsp6sr9d2l7qjftneayad9x4qnyc9t4n95eqhjrzfk', 'usdtTron', 5_000],
    ['demo17cawwg2lsnvcne69fek6nsqkf8snma6gc5ccceshul86rl0u3q4sfr0se6', 'ruji', 30_000],
    ['demo14v89h32ztmfg9d230cjly7ac26fvdkhgq7nkntsw4uy2f3yh2v7q77p2xf', 'xrp', 30_000],
  ]),
  ...quotedIn('usdt', [
    ['demo1cwahyj3lsu9ug6qhxg2hppas3c9vmhjsuml964um5vx9j034zknqmfzrhv', 'usdtAvax', 3_000],
    ['demo1sttnfysg5e92d82gu9vg7jl9dhu29h4w8mujg7hsfdy3qj6ryuwsqu4pzu', 'btc', 60_000],
    ['demo1fekmqh9crnzdaudrsqxk5gmwcch6xrfre288nqmx4hpk8sscw6hqc2dm9a', 'eth', 50_000],
    ['demo10a8nuh9r3xywm77km3upqk08lqac7sj9avl082cnm39teae4w9cs8fdua9', 'ltc', 10_000],
    ['demo1pvs37p0gplq9gf6d9zgyt7zkfpp88rgtr089tfh50suxh6tnar9sn9x6s4', 'rune', 40_000],
    ['demo1lqxf7qk46wm3xt2t45csmejw2l88tq57tdwkpj89jeer6m6jdnxs0nyml7', 'trx', 10_000],
    ['demo1kcr3rujeadytx3l594c3ugx2mklwqt59v5krj8e3h2d4amrdpcmqzknkdn', 'usdtTron', 4_000],
    ['demo1r836nj58g6mzve87avwww72hc449canxu6a9yusxycgy44pswuyq7zxs84', 'ruji', 12_000],
  ]),
  ...quotedIn('rune', [
    ['demo1k4lepg7umfncsuvv4lnq95vqzeu0xx6awp74e384sfv0pecyqhyspka8z3', 'avax', 15_000],
    ['demo1zr7z5get5shhtr0xmvvc84tjjc376y2re3kws8y2txzcj8l69afsmjsmeg', 'bch', 12_000],
    ['demo12dkmw3r63c6afuc7kffe7hv23gg3az43l2yrwe4egxsgydhd07cse9up69', 'bnb', 15_000],
    ['demo1akzwwcsjfff34y2lf389a4c692n5zfqsfd6nn4wcrwgaj3jrnpts8r63l2', 'doge', 12_000],
    ['demo1sjl0uwl7kftjj00qklknv6n0gcx8upaawsatlyxt4v57ekpmfjtq3kv5v8', 'eth', 80_000],
    ['demo1ahe7skh640utwefpt7362tkvzkm58cwwe5afy95rgs670fuuj4yq5pegym', 'wbtc', 15_000],
    ['demo17aspfgv75azl5j25jte3dd48gruf36u2v5l48ey5hmd55tkfr8sq9tq5c9', 'atom', 10_000],
    ['demo17xet7zhcx0yf3ts2qfskrv5audzxa7aufp0n9zq468wg2ksnm5tq7jh8e6', 'ltc', 12_000],
    ['demo12ds7fxj5g47jwzfzvzzhzxxd3cp6v55flgwxva0803r8k5mzm44sthv8c6', 'tcy', 25_000],
    ['demo13ut45ze59tdxjtuv4jhranujxx73qvpqfmwx2cmpt5ddzeualthqdea8tr', 'trx', 8_000],
    ['demo1vk6trmz42cjrh4zcxczeaacnsv3snv4f22x8ccu203dqde7vtaxse9hz0l', 'brune', 10_000],
    ['demo1j9euq8fjd5zdxdkx7auser7kp84tmwtx3snuptpec6azakzwv3dqaxx2cx', 'ruji', 25_000],
    ['demo13u7fhdsv8xjrlx2hj5tmwt0j5d7wlrg89g9z4h9562xw3wcaj68qwnukmh', 'xrp', 15_000],
  ]),
]

/** Every asset that a pair trades; the first of several with one symbol is the best known. */
export const assetFacts: readonly AssetFact[] = [
  ...new Set([
    assets.rune,
    assets.btc,
    assets.eth,
    assets.usdc,
    assets.usdt,
    ...pairFacts.flatMap(({ base, quote }) => [base, quote]),
  ]),
]

function quotedIn(quote: Asset, rows: readonly PairRow[]): readonly PairFact[] {
  return rows.map(([address, base, depthUsd]) => {
    const maker = rowOf(makers, base, quote)
    const dislocation = rowOf(dislocations, base, quote)?.[2] ?? 0n
    return {
      address,
      base: assets[base],
      quote: assets[quote],
      depthUsd: BigInt(depthUsd),
      style: dislocation === 0n ? styleOf(assets[base], assets[quote], depthUsd) : 'dislocated',
      dislocation,
      maker: maker && { address: maker[3], tvlUsd: BigInt(maker[2]) },
      quirk: rowOf(quirks, base, quote)?.[2],
    }
  })
}

function styleOf(base: AssetFact, quote: AssetFact, depthUsd: number): LadderStyle {
  if (base.peg !== null && base.peg === quote.peg) return 'pegged'
  return depthUsd >= HUB_DEPTH_USD ? 'hub' : 'volatile'
}

function rowOf<Row extends readonly [Asset, Asset, ...unknown[]]>(
  rows: readonly Row[],
  base: Asset,
  quote: Asset,
): Row | undefined {
  return rows.find((row) => row[0] === base && row[1] === quote)
}
