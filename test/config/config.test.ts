import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toBech32 } from '@cosmjs/encoding'
import { describe, test } from 'vitest'
import { parseDocument } from 'yaml'
import { routerOrigin } from '../../src/config/configured.js'
import { type ConfigSources, loadConfig } from '../../src/config/load.js'
import { keyOf } from '../../src/config/naming.js'
import {
  aliasMeaning,
  bookMeaning,
  networksMeaning,
  settingNames,
  settings,
} from '../../src/config/schema.js'
import { SwapError } from '../../src/engine/errors.js'

/** A home and a project folder with these files, and the options to load them. */
function homeWith(files: { user?: string; project?: string; other?: string } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'swap-config-'))
  const [home, cwd] = [join(root, 'home'), join(root, 'project')]
  for (const folder of [home, cwd]) mkdirSync(folder)
  if (files.user !== undefined) writeFileSync(join(home, '.swaprc'), files.user)
  if (files.project !== undefined) writeFileSync(join(cwd, '.swaprc'), files.project)
  if (files.other !== undefined) writeFileSync(join(cwd, 'other.yaml'), files.other)
  const sources = { env: {}, cwd, home, flags: {} }
  return {
    home,
    cwd,
    load: (more: Partial<ConfigSources> = {}) => loadConfig({ ...sources, ...more }),
  }
}

async function refusal(run: Promise<unknown>): Promise<SwapError & { fullMessage: string }> {
  const error = await run.then(
    () => assert.fail('nothing was thrown'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof SwapError, `not a SwapError: ${error}`)
  return Object.assign(error, { fullMessage: `${error.message} | ${error.why} | ${error.hint}` })
}

describe('the built-in configuration', () => {
  test('holds without files, variables and flags', async () => {
    const { values, notes, ignored } = await homeWith().load()
    assert.deepEqual(values, {
      network: 'demo',
      rpc: undefined,
      rest: undefined,
      routerAddress: undefined,
      routerDialect: undefined,
      timeout: 20_000,
      maxAge: undefined,
      output: 'human',
      slippage: 50,
      autoSlippageBlocks: 300,
      autoSlippageQuantile: 9_900,
      maxHops: 4,
      limit: 5,
      color: 'auto',
      width: undefined,
      ascii: undefined,
      snapshot: undefined,
      database: undefined,
      historyFromHeight: undefined,
      affiliate: undefined,
      from: undefined,
      confirmAbove: 100_000_000n,
      limitsPerTxUsd: undefined,
      limitsPerDayUsd: undefined,
    })
    assert.deepEqual([notes, ignored], [[], []])
  })

  test('holds without a home folder', async () => {
    for (const home of [undefined, ''])
      assert.equal((await homeWith().load({ home })).values.slippage, 50)
  })

  for (const text of ['', '# nothing\n', '---\n', 'null\n', '{}\n', 'slippage:\nalias:\n'])
    test(`is not changed by a file with the content ${JSON.stringify(text)}`, async () =>
      assert.equal((await homeWith({ user: text, project: text }).load()).values.slippage, 50))
})

describe('the precedence of settings', () => {
  const user = 'limit: 6\n'
  const project = '# ours\nlimit: 7\n'
  const env = { SWAP_LIMIT: '8' }

  test('is flag, variable, project, user, default', async () => {
    const both = homeWith({ user, project })
    assert.equal((await both.load({ env, flags: { limit: '9' } })).values.limit, 9)
    assert.equal((await both.load({ env })).values.limit, 8)
    assert.equal((await both.load()).values.limit, 7)
    assert.equal((await homeWith({ user }).load()).values.limit, 6)
  })

  test('is shown by a row with the source of the value and the value it overrode', async () => {
    const { home, cwd, load } = homeWith({ user, project })
    const { rows } = await load({ env })
    const nowhere = { file: null, line: null, env: null }
    assert.deepEqual(
      rows.find(({ key }) => key === 'limit'),
      {
        ...nowhere,
        key: 'limit',
        value: '8',
        origin: 'env',
        env: 'SWAP_LIMIT',
        overrides: [
          { ...nowhere, value: '7', origin: 'project', file: join(cwd, '.swaprc'), line: 2 },
          { ...nowhere, value: '6', origin: 'user', file: join(home, '.swaprc'), line: 1 },
          { ...nowhere, value: '5', origin: 'default' },
        ],
      },
    )
  })

  test('has a row for every key, in the order of the table', async () => {
    const { rows } = await homeWith().load()
    assert.deepEqual(
      rows.map(({ key }) => key).filter((key) => !key.startsWith('alias.')),
      settingNames.map(keyOf),
    )
    assert.equal(rows.find(({ key }) => key === 'width')?.value, null)
  })

  test('ignores an empty variable', async () =>
    assert.equal((await homeWith().load({ env: { SWAP_LIMIT: '' } })).values.limit, 5))

  test('lets --config and SWAP_CONFIG replace both files', async () => {
    const { load } = homeWith({ user, project, other: 'max_hops: 2\naffiliate: acme\n' })
    for (const more of [{ configFile: 'other.yaml' }, { env: { SWAP_CONFIG: 'other.yaml' } }]) {
      const { values } = await load(more)
      assert.deepEqual([values.limit, values.maxHops, values.affiliate], [5, 2, 'acme'])
    }
  })

  test('takes a file in the home folder as the user’s, also through a link', async () => {
    const { home, cwd, load } = homeWith({ user: 'affiliate: acme\n' })
    symlinkSync(home, join(cwd, 'link'))
    for (const folder of [home, join(cwd, 'link')]) {
      const { values, notes } = await load({ cwd: folder })
      assert.deepEqual([values.affiliate, notes], ['acme', []])
    }
  })
})

describe('a project file may set', () => {
  test('output, network, display, limits of a quote and aliases', async () => {
    const project = `
network: demo
output: json
color: never
width: 60
ascii: yes
max_hops: 2
limit: 3
alias: { usd: usdc }
`
    const { values, ignored, aliases } = await homeWith({ project }).load()
    assert.deepEqual(
      [values.output, values.color, values.width, values.ascii, values.maxHops, values.limit],
      ['json', 'never', 60, true, 2, 3],
    )
    assert.equal(aliases.get('usd'), 'usdc')
    assert.deepEqual(ignored, [])
  })

  test('a lower slippage, never a higher one', async () => {
    assert.equal((await homeWith({ project: 'slippage: 0.3%' }).load()).values.slippage, 30)
    const up = await homeWith({ project: 'slippage: 3%' }).load()
    assert.equal(up.values.slippage, 50)
    assert.deepEqual(
      up.ignored.map(({ key, value, line }) => [key, value, line]),
      [['slippage', '3%', 1]],
    )
    assert.match(up.notes[0] ?? '', /\.swaprc:1 sets slippage, which only your own/)
  })

  test('a slippage that is lower than the user’s own value', async () => {
    const user = 'slippage: 0.1%'
    assert.equal((await homeWith({ user, project: 'slippage: 0.3%' }).load()).values.slippage, 10)
    const wide = await homeWith({ user: 'slippage: 5%', project: 'slippage: 3%' }).load()
    assert.equal(wide.values.slippage, 300)
  })

  test('a slippage that a variable may raise again', async () => {
    const env = { SWAP_SLIPPAGE: '2%' }
    assert.equal((await homeWith({ project: 'slippage: 0.3%' }).load({ env })).values.slippage, 200)
  })

  test('no affiliate, which is ignored with a note', async () => {
    const { values, ignored, notes } = await homeWith({ project: 'affiliate: evil' }).load()
    assert.equal(values.affiliate, undefined)
    assert.equal(ignored.length, 1)
    assert.match(notes[0] ?? '', /sets affiliate/)
  })

  test('a snapshot inside the project only', async () => {
    const inside = homeWith({ project: 'snapshot: data/market.json' })
    assert.equal((await inside.load()).values.snapshot, join(inside.cwd, 'data/market.json'))
    for (const path of ['/etc/passwd', '../market.json', 'a/../../b', '-', '.'])
      assert.equal(
        (await homeWith({ project: `snapshot: "${path}"` }).load()).values.snapshot,
        undefined,
        path,
      )
  })

  test('no other token for a built-in alias', async () => {
    const { aliases, notes } = await homeWith({ project: 'alias: { usdc: base-usdc-0x1 }' }).load()
    assert.match(aliases.get('usdc') ?? '', /^eth-usdc-/)
    assert.match(notes[0] ?? '', /sets alias\.usdc/)
  })
})

describe('a network', () => {
  const mine = `
networks:
  mine: { chain_id: x-1, prefix: x, rpc: ["https://user:secret@rpc.example"], gas_price: "0.1" }
`
  test('has built-in names and aliases, in any case', async () => {
    for (const [said, name, real] of [
      ['demo', 'demo', false],
      ['mainnet', 'thorchain-1', true],
      ['Mainnet', 'thorchain-1', true],
      ['stagenet', 'stagenet', true],
    ] as const) {
      const { network } = await homeWith().load({ flags: { network: said } })
      assert.deepEqual([network.name, network.real], [name, real])
    }
  })
  test('is refused if it is unknown, with the nearest name', async () => {
    const { fullMessage } = await refusal(homeWith({ user: 'network: mainet' }).load())
    assert.match(fullMessage, /no network is called "mainet".*did you mean mainnet\?/)
  })
  test("of the user's own is used by its name", async () => {
    const { network } = await homeWith({ user: `network: mine${mine}` }).load()
    assert.deepEqual([network.chainId, network.prefix, network.real], ['x-1', 'x', true])
  })
  test('cannot be described by a project', async () => {
    const { load } = homeWith({ project: mine })
    const { ignored, notes } = await load()
    assert.deepEqual(
      ignored.map(({ key }) => key),
      ['networks.mine'],
    )
    assert.match(notes[0] ?? '', /sets networks\.mine, which only your own/)
    assert.match(
      (await refusal(load({ flags: { network: 'mine' } }))).fullMessage,
      /no network is called/,
    )
  })
  const refused: readonly (readonly [sentence: string, text: string, pattern: RegExp])[] = [
    ['a member that is not known', '{ chain_id: x-1, prefx: x }', /did you mean prefix\?/],
    ['a member that is missing', '{ chain_id: x-1, prefix: x }', /networks\.mine\.rpc must be/],
    ['a list', '[a]', /must be a group/],
    ['text', 'a', /must be a group/],
  ]
  for (const [sentence, text, pattern] of refused)
    test(`is refused as an invalid entry: ${sentence}`, async () =>
      assert.match(
        (await refusal(homeWith({ user: `networks:\n  mine: ${text}` }).load())).fullMessage,
        pattern,
      ))
  test('has nodes and router from flag, variable, project, file, list or single value', async () => {
    const urls = ['https://a.example', 'https://b.example']
    for (const more of [{ flags: { rpc: urls.join(' ') } }, { env: { SWAP_RPC: urls.join(',') } }])
      assert.deepEqual((await homeWith().load(more)).network.rpc, urls)
    const listed = homeWith({ user: `rpc: [${urls.join(', ')}]\nrouter: { dialect: stack }` })
    const { network } = await listed.load()
    assert.deepEqual([network.rpc, network.router.dialect], [urls, 'stack'])
    assert.match(network.router.address ?? '', /^demo1/)
    assert.deepEqual((await homeWith({ user: `rpc: ${urls[0]}` }).load()).network.rpc, [urls[0]])
  })
  test('has a router whose origin is the built-in list, the file with its line, the variable or the flag', async () => {
    const address = toBech32('x', new Uint8Array(20))
    const mine = `networks:\n  mine:\n    chain_id: x-1\n    prefix: x\n    rpc: https://a.example\n`
    const origin = async (user: string, more: Partial<ConfigSources> = {}) => {
      const { home, load } = homeWith({ user })
      return routerOrigin(await load(more), home)
    }
    assert.equal(await origin(''), 'of the built-in list')
    assert.equal(
      await origin(`network: mine\n${mine}    router: { address: ${address} }\n`),
      'of your configuration (~/.swaprc:3)',
    )
    const user = `\nrouter:\n  address: ${address}\n`
    assert.equal(await origin(user), 'of your configuration (~/.swaprc:3)')
    const env = { SWAP_ROUTER_ADDRESS: address }
    assert.equal(await origin(user, { env }), 'of the environment (SWAP_ROUTER_ADDRESS)')
    const flags = { routerAddress: address }
    assert.equal(await origin(user, { env, flags }), 'of the flag --router-address')
  })
  test('has only those nodes of a file that are for it', async () => {
    const { load } = homeWith({ user: 'network: mainnet\nrpc: https://a.example\n' })
    assert.deepEqual((await load()).network.rpc, ['https://a.example'])
    const other = await load({ flags: { network: 'demo' } })
    assert.equal(other.values.rpc, undefined)
    assert.deepEqual(other.network.rpc, ['http://127.0.0.1:26657'])
    assert.deepEqual(other.notes, ['~/.swaprc:2 sets rpc for another network; not used'])
    const same = await load({ flags: { network: 'thorchain-1' } })
    assert.deepEqual(same.network.rpc, ['https://a.example'])
  })
  test('cannot get nodes, a router or a deadline from a project', async () => {
    const project = 'rpc: https://a.example\nrouter: { address: x1y }\ntimeout: 60s\nmax_age: 60s\n'
    const { values, ignored } = await homeWith({ project }).load()
    assert.deepEqual(
      [values.rpc, values.routerAddress, values.timeout, values.maxAge],
      [undefined, undefined, 20_000, undefined],
    )
    assert.equal(ignored.length, 4)
    assert.equal((await homeWith({ project: 'timeout: 5s' }).load()).values.timeout, 5000)
  })
  test('never shows the secrets of its URLs in a row or an error', async () => {
    const user = 'rpc: https://me:hunter22@rpc.example/9f86d081884c7d65?key=abcdef\n'
    const { rows, values } = await homeWith({ user }).load()
    const row = rows.find(({ key }) => key === 'rpc')
    assert.equal(row?.value, 'https://***@rpc.example/***?key=***')
    assert.match(values.rpc?.[0] ?? '', /hunter22/)
    const overridden = await homeWith({ user }).load({ env: { SWAP_RPC: 'https://b.example' } })
    assert.doesNotMatch(JSON.stringify(overridden.rows), /hunter22|abcdef|9f86/)
    const project = await homeWith({ project: user }).load()
    assert.doesNotMatch(JSON.stringify([project.ignored, project.notes]), /hunter22|abcdef|9f86/)
    const { fullMessage } = await refusal(
      homeWith().load({ flags: { rpc: 'ftp://me:hunter22@x' } }),
    )
    assert.match(fullMessage, /cannot be used for --rpc/)
    assert.doesNotMatch(fullMessage, /hunter22/)
  })
})

describe('the aliases of a configuration', () => {
  test('have lower-case names, and an empty one removes a built-in one', async () => {
    const { aliases } = await homeWith({ user: 'alias:\n  USD: eth-usdc\n  btc:\n' }).load()
    assert.equal(aliases.get('usd'), 'eth-usdc')
    assert.equal(aliases.get('btc'), '')
    assert.equal(aliases.get('eth'), 'eth-eth')
  })

  test('may be written as keys with a dot', async () =>
    assert.equal((await homeWith({ user: 'alias.usd: usdc' }).load()).aliases.get('usd'), 'usdc'))

  test('have rows with file and line', async () => {
    const { rows } = await homeWith({ user: '\nalias:\n  usd: usdc\n' }).load()
    const row = rows.find(({ key }) => key === 'alias.usd')
    assert.deepEqual([row?.value, row?.origin, row?.line], ['usdc', 'user', 3])
  })

  const refused: readonly (readonly [sentence: string, text: string, pattern: RegExp])[] = [
    ['a list is no group of names', 'alias: [a]', /line 1: alias takes a group/],
    ['one word is no group of names', 'alias: usdc', /line 1: alias takes a group/],
    ['a list is no token', 'alias:\n  a: [b]', /line 2: the alias a is defined for one token/],
    ['two words are no token', 'alias:\n  a: b c', /line 2: the alias a is defined for one token/],
    ['a number is no name', 'alias: { 1.5: usdc }', /"1\.5" cannot be the name/],
    ['__proto__ is no name', 'alias: { __proto__: usdc }', /"__proto__" cannot be the name/],
  ]
  for (const [sentence, text, pattern] of refused)
    test(`are refused: ${sentence}: ${JSON.stringify(text)}`, async () =>
      assert.match((await refusal(homeWith({ user: text }).load())).fullMessage, pattern))

  test('may have the name of a member of every object', async () => {
    const { aliases } = await homeWith({ user: 'alias: { constructor: rune }' }).load()
    assert.equal(aliases.get('constructor'), 'rune')
    assert.equal(aliases.get('toString'), undefined)
  })
})

describe('an unknown key or variable', () => {
  const rows: readonly (readonly [text: string, note: RegExp])[] = [
    ['slipage: 1%', /~\/\.swaprc:1: no setting is called "slipage"; did you mean slippage\?/],
    [
      'a: 1\nmax-hops: 2',
      /~\/\.swaprc:2: no setting is called "max-hops"; did you mean max_hops\?/,
    ],
    ['router: x', /"router"; did you mean router\.address, router\.dialect\?$/],
    [
      'router: { adress: x }',
      /no setting is called "router\.adress"; did you mean router\.address\?/,
    ],
    ['networkz: {}', /did you mean network, networks\?/],
    ['__proto__: { slippage: 5% }', /no setting is called "__proto__"$/],
    ['constructor: 1', /no setting is called "constructor"$/],
    ['<<: { slippage: 5% }', /no setting is called "<<"$/],
  ]
  for (const [text, note] of rows)
    test(`is noted and changes nothing: ${JSON.stringify(text)}`, async () => {
      const { values, notes } = await homeWith({ user: text }).load()
      assert.match(notes.at(-1) ?? '', note)
      assert.equal(values.slippage, 50)
    })

  test('is noted if it is nearly a known variable', async () => {
    const env = { SWAP_SLIPAGE: '1%', SWAP_HOME: '/x', SWAP_NO_INPUT: '1', OTHER: '1' }
    const { notes } = await homeWith().load({ env })
    assert.deepEqual(notes, ['SWAP_SLIPAGE is not read; did you mean SWAP_SLIPPAGE?'])
  })
})

describe('a configuration value', () => {
  const refused: readonly (readonly [sentence: string, text: string, pattern: RegExp])[] = [
    [
      'a slippage without a unit',
      '\nslippage: 0.5',
      /~\/\.swaprc:2: "0\.5".*unit.*slippage: 0\.5%/,
    ],
    ['a number out of range', 'max_hops: 7', /:1: "7".*from 1 to 6/],
    ['a number with a fraction', 'limit: 2.5', /:1: "2\.5"/],
    ['a number in another base', 'limit: 0x5', /:1: "0x5"/],
    ['a word that is not on the list', 'output: jsno', /did you mean json\?/],
    ['on is not yes', 'ascii: on', /1, true, yes, 0, false, no/],
    ['TRUE is not true', 'ascii: TRUE', /1, true, yes, 0, false, no/],
    ['a list', 'slippage: [1%]', /line 1: slippage takes one value/],
    ['a group', 'slippage: { a: 1% }', /line 1: slippage takes one value/],
    ['a reference', 'limit: &a 3\nmax_hops: *a', /line 2: max_hops takes one value/],
    ['a tag', 'limit: !!js/function 3', /line 1: Unresolved tag/],
    ['a key twice', 'limit: 3\nlimit: 4', /line 2: Map keys must be unique/],
    ['two documents', 'limit: 3\n---\nlimit: 4', /line 2: .*multiple documents/],
    ['a list at the top', '- limit', /line 1: it is no list of "key: value"/],
    ['text at the top', 'hello', /line 1: it is no list of "key: value"/],
    ['a key that is a list', '? [a]\n: 1', /line 1: a key is one word/],
    ['something that is not YAML', 'limit: 3\noutput: [', /line [23]: /],
    ['tabs', '\tlimit: 3', /line 1: Tabs/],
  ]
  for (const [sentence, text, pattern] of refused)
    test(`is refused: ${sentence}: ${JSON.stringify(text)}`, async () => {
      const error = await refusal(homeWith({ user: text }).load())
      assert.equal(error.code, 'INVALID_REQUEST')
      assert.match(error.fullMessage, pattern)
      assert.match(error.message, /^~\/\.swaprc:\d/)
    })

  for (const text of ['1', 'true', 'yes', '0', 'false', 'no', '"yes"'])
    test(`may be ${text} for a switch`, async () =>
      assert.equal(
        typeof (await homeWith({ user: `ascii: ${text}` }).load()).values.ascii,
        'boolean',
      ))

  test('may be digits without being read as a number', async () =>
    assert.equal((await homeWith({ user: 'affiliate: 007' }).load()).values.affiliate, '007'))

  test('of a variable is refused with the name of the variable', async () => {
    const error = await refusal(homeWith().load({ env: { SWAP_SLIPPAGE: '5' } }))
    assert.equal(error.code, 'INVALID_REQUEST')
    assert.match(error.fullMessage, /SWAP_SLIPPAGE=5% or SWAP_SLIPPAGE=5bps/)
  })

  test('of a flag is refused with its own code', async () => {
    const error = await refusal(homeWith().load({ flags: { slippage: '5' } }))
    assert.equal(error.code, 'INVALID_SLIPPAGE')
    assert.deepEqual(error.members, { min: 0, max: 9999 })
    assert.match(error.fullMessage, /--slippage 5%/)
  })

  test('is refused even where another source overrides it', async () =>
    assert.match(
      (await refusal(homeWith({ user: 'limit: x' }).load({ flags: { limit: '3' } }))).message,
      /~\/\.swaprc:1/,
    ))
})

describe('a configuration file is refused or read:', () => {
  test('a folder', async () => {
    const { cwd, load } = homeWith()
    mkdirSync(join(cwd, '.swaprc'))
    assert.match((await refusal(load())).fullMessage, /\.swaprc cannot be used \| it is a folder/)
  })

  test('a file without read permission', async (context) => {
    const { home, load } = homeWith({ user: 'limit: 3' })
    chmodSync(join(home, '.swaprc'), 0o000)
    context.skip(process.getuid?.() === 0, 'root reads everything')
    assert.match((await refusal(load())).fullMessage, /cannot be read \(EACCES\)/)
  })

  test('bytes that are not text', async () => {
    const { home, load } = homeWith()
    writeFileSync(join(home, '.swaprc'), Buffer.from([0xff, 0xfe, 0x00]))
    assert.match((await refusal(load())).fullMessage, /not UTF-8/)
  })

  test('a byte order mark, which is not part of the first key', async () =>
    assert.equal((await homeWith({ user: '\ufefflimit: 3' }).load()).values.limit, 3))

  test('a file that is too large', async () => {
    const error = await refusal(homeWith({ user: '#'.repeat(2_000_000) }).load())
    assert.match(error.fullMessage, /larger than 1 MiB/)
  })

  test('a missing file that --config names', async () => {
    const error = await refusal(homeWith().load({ configFile: 'nowhere.yaml' }))
    assert.equal(error.code, 'INVALID_REQUEST')
    assert.match(error.fullMessage, /nowhere\.yaml cannot be used \| there is no such file/)
  })

  test('a home that is not a folder, which has no file', async () =>
    assert.equal((await homeWith().load({ home: '/dev/null' })).values.limit, 5))
})

describe('.swaprc.example', () => {
  const text = readFileSync(new URL('../../.swaprc.example', import.meta.url), 'utf8')
  const entries = (parseDocument(text, { schema: 'failsafe' }).toJS() ?? {}) as Record<
    string,
    string
  >

  test('has every key with its default, and no other', () =>
    assert.deepEqual(Object.entries(entries), [
      ...settingNames.map((name) => [keyOf(name), settings[name].fallback ?? '']),
      ['alias', ''],
      ['book', ''],
      ['networks', ''],
    ]))

  test('has a description above every key', () => {
    for (const name of settingNames)
      assert.ok(text.includes(`\n# ${settings[name].meaning}\n`), name)
    for (const meaning of [aliasMeaning, bookMeaning]) assert.ok(text.includes(`\n# ${meaning}\n`))
    assert.ok(text.includes(`\n# ${networksMeaning}\n`))
  })

  test('changes nothing when it is loaded', async () => {
    const { values, notes } = await homeWith({ user: text, project: text }).load()
    assert.deepEqual(values, (await homeWith().load()).values)
    assert.deepEqual(notes, [])
  })
})
