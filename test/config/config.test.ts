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

/** A home and a project folder with these files in them, and what to load them with. */
function place(files: { user?: string; project?: string; other?: string } = {}) {
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

async function refusal(run: Promise<unknown>): Promise<SwapError & { told: string }> {
  const error = await run.then(
    () => assert.fail('nothing was thrown'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof SwapError, `not a SwapError: ${error}`)
  return Object.assign(error, { told: `${error.message} | ${error.why} | ${error.hint}` })
}

describe('what is built in', () => {
  test('without files, variables and flags the defaults hold', async () => {
    const { values, notes, ignored } = await place().load()
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

  test('without a home folder it works the same', async () => {
    for (const home of [undefined, ''])
      assert.equal((await place().load({ home })).values.slippage, 50)
  })

  for (const text of ['', '# nothing\n', '---\n', 'null\n', '{}\n', 'slippage:\nalias:\n'])
    test(`a file that says nothing changes nothing: ${JSON.stringify(text)}`, async () =>
      assert.equal((await place({ user: text, project: text }).load()).values.slippage, 50))
})

describe('who goes first', () => {
  const user = 'limit: 6\n'
  const project = '# ours\nlimit: 7\n'
  const env = { SWAP_LIMIT: '8' }

  test('flag, variable, project, user, default', async () => {
    const both = place({ user, project })
    assert.equal((await both.load({ env, flags: { limit: '9' } })).values.limit, 9)
    assert.equal((await both.load({ env })).values.limit, 8)
    assert.equal((await both.load()).values.limit, 7)
    assert.equal((await place({ user }).load()).values.limit, 6)
  })

  test('a row names the place of the value and what it overrode', async () => {
    const { home, cwd, load } = place({ user, project })
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

  test('every key has a row, in the order of the table', async () => {
    const { rows } = await place().load()
    assert.deepEqual(
      rows.map(({ key }) => key).filter((key) => !key.startsWith('alias.')),
      settingNames.map(keyOf),
    )
    assert.equal(rows.find(({ key }) => key === 'width')?.value, null)
  })

  test('an empty variable says nothing', async () =>
    assert.equal((await place().load({ env: { SWAP_LIMIT: '' } })).values.limit, 5))

  test('--config replaces both files, and so does SWAP_CONFIG', async () => {
    const { load } = place({ user, project, other: 'max_hops: 2\naffiliate: acme\n' })
    for (const more of [{ configFile: 'other.yaml' }, { env: { SWAP_CONFIG: 'other.yaml' } }]) {
      const { values } = await load(more)
      assert.deepEqual([values.limit, values.maxHops, values.affiliate], [5, 2, 'acme'])
    }
  })

  test('in the home folder the file is the user’s, also by way of a link', async () => {
    const { home, cwd, load } = place({ user: 'affiliate: acme\n' })
    symlinkSync(home, join(cwd, 'link'))
    for (const folder of [home, join(cwd, 'link')]) {
      const { values, notes } = await load({ cwd: folder })
      assert.deepEqual([values.affiliate, notes], ['acme', []])
    }
  })
})

describe('what a project may say', () => {
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
    const { values, ignored, aliases } = await place({ project }).load()
    assert.deepEqual(
      [values.output, values.color, values.width, values.ascii, values.maxHops, values.limit],
      ['json', 'never', 60, true, 2, 3],
    )
    assert.equal(aliases.get('usd'), 'usdc')
    assert.deepEqual(ignored, [])
  })

  test('slippage goes down, never up', async () => {
    assert.equal((await place({ project: 'slippage: 0.3%' }).load()).values.slippage, 30)
    const up = await place({ project: 'slippage: 3%' }).load()
    assert.equal(up.values.slippage, 50)
    assert.deepEqual(
      up.ignored.map(({ key, value, line }) => [key, value, line]),
      [['slippage', '3%', 1]],
    )
    assert.match(up.notes[0] ?? '', /\.swaprc:1 sets slippage, which only your own/)
  })

  test('what is down is measured against the user’s own value', async () => {
    const user = 'slippage: 0.1%'
    assert.equal((await place({ user, project: 'slippage: 0.3%' }).load()).values.slippage, 10)
    const wide = await place({ user: 'slippage: 5%', project: 'slippage: 3%' }).load()
    assert.equal(wide.values.slippage, 300)
  })

  test('a variable may raise it above the project’s', async () => {
    const env = { SWAP_SLIPPAGE: '2%' }
    assert.equal((await place({ project: 'slippage: 0.3%' }).load({ env })).values.slippage, 200)
  })

  test('an affiliate is ignored, with a note', async () => {
    const { values, ignored, notes } = await place({ project: 'affiliate: evil' }).load()
    assert.equal(values.affiliate, undefined)
    assert.equal(ignored.length, 1)
    assert.match(notes[0] ?? '', /sets affiliate/)
  })

  test('a snapshot is taken from inside the project only', async () => {
    const inside = place({ project: 'snapshot: data/market.json' })
    assert.equal((await inside.load()).values.snapshot, join(inside.cwd, 'data/market.json'))
    for (const path of ['/etc/passwd', '../market.json', 'a/../../b', '-', '.'])
      assert.equal(
        (await place({ project: `snapshot: "${path}"` }).load()).values.snapshot,
        undefined,
        path,
      )
  })

  test('a built-in alias cannot be pointed elsewhere', async () => {
    const { aliases, notes } = await place({ project: 'alias: { usdc: base-usdc-0x1 }' }).load()
    assert.match(aliases.get('usdc') ?? '', /^eth-usdc-/)
    assert.match(notes[0] ?? '', /sets alias\.usdc/)
  })
})

describe('networks', () => {
  const mine = `
networks:
  mine: { chain_id: x-1, prefix: x, rpc: ["https://user:secret@rpc.example"], gas_price: "0.1" }
`
  test('the built-in ones have aliases, in any case', async () => {
    for (const [said, name, real] of [
      ['demo', 'demo', false],
      ['mainnet', 'thorchain-1', true],
      ['Mainnet', 'thorchain-1', true],
      ['stagenet', 'stagenet', true],
    ] as const) {
      const { network } = await place().load({ flags: { network: said } })
      assert.deepEqual([network.name, network.real], [name, real])
    }
  })
  test('an unknown one is refused with the nearest', async () => {
    const { told } = await refusal(place({ user: 'network: mainet' }).load())
    assert.match(told, /no network is called "mainet".*did you mean mainnet\?/)
  })
  test('one of your own is used by its name', async () => {
    const { network } = await place({ user: `network: mine${mine}` }).load()
    assert.deepEqual([network.chainId, network.prefix, network.real], ['x-1', 'x', true])
  })
  test('a project cannot describe one', async () => {
    const { load } = place({ project: mine })
    const { ignored, notes } = await load()
    assert.deepEqual(
      ignored.map(({ key }) => key),
      ['networks.mine'],
    )
    assert.match(notes[0] ?? '', /sets networks\.mine, which only your own/)
    assert.match((await refusal(load({ flags: { network: 'mine' } }))).told, /no network is called/)
  })
  const refused: readonly (readonly [sentence: string, text: string, told: RegExp])[] = [
    ['a member that is not known', '{ chain_id: x-1, prefx: x }', /did you mean prefix\?/],
    ['a member that is missing', '{ chain_id: x-1, prefix: x }', /networks\.mine\.rpc must be/],
    ['a list', '[a]', /must be a group/],
    ['text', 'a', /must be a group/],
  ]
  for (const [sentence, text, told] of refused)
    test(`an entry that is none is refused: ${sentence}`, async () =>
      assert.match(
        (await refusal(place({ user: `networks:\n  mine: ${text}` }).load())).told,
        told,
      ))
  test('nodes and router in place of the built-in ones: flag, variable, file, list or one', async () => {
    const urls = ['https://a.example', 'https://b.example']
    for (const more of [{ flags: { rpc: urls.join(' ') } }, { env: { SWAP_RPC: urls.join(',') } }])
      assert.deepEqual((await place().load(more)).network.rpc, urls)
    const listed = place({ user: `rpc: [${urls.join(', ')}]\nrouter: { dialect: stack }` })
    const { network } = await listed.load()
    assert.deepEqual([network.rpc, network.router.dialect], [urls, 'stack'])
    assert.match(network.router.address ?? '', /^demo1/)
    assert.deepEqual((await place({ user: `rpc: ${urls[0]}` }).load()).network.rpc, [urls[0]])
  })
  test('the origin of the router is the built-in list, the file with its line, the variable or the flag', async () => {
    const address = toBech32('x', new Uint8Array(20))
    const mine = `networks:\n  mine:\n    chain_id: x-1\n    prefix: x\n    rpc: https://a.example\n`
    const origin = async (user: string, more: Partial<ConfigSources> = {}) => {
      const { home, load } = place({ user })
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
  test('nodes of a file are for the network that it names, and no other', async () => {
    const { load } = place({ user: 'network: mainnet\nrpc: https://a.example\n' })
    assert.deepEqual((await load()).network.rpc, ['https://a.example'])
    const other = await load({ flags: { network: 'demo' } })
    assert.equal(other.values.rpc, undefined)
    assert.deepEqual(other.network.rpc, ['http://127.0.0.1:26657'])
    assert.deepEqual(other.notes, ['~/.swaprc:2 sets rpc for another network; not used'])
    const same = await load({ flags: { network: 'thorchain-1' } })
    assert.deepEqual(same.network.rpc, ['https://a.example'])
  })
  test('a project may not name nodes, a router or patience', async () => {
    const project = 'rpc: https://a.example\nrouter: { address: x1y }\ntimeout: 60s\nmax_age: 60s\n'
    const { values, ignored } = await place({ project }).load()
    assert.deepEqual(
      [values.rpc, values.routerAddress, values.timeout, values.maxAge],
      [undefined, undefined, 20_000, undefined],
    )
    assert.equal(ignored.length, 4)
    assert.equal((await place({ project: 'timeout: 5s' }).load()).values.timeout, 5000)
  })
  test('secrets of URLs are in no row and in no error', async () => {
    const user = 'rpc: https://me:hunter22@rpc.example/9f86d081884c7d65?key=abcdef\n'
    const { rows, values } = await place({ user }).load()
    const row = rows.find(({ key }) => key === 'rpc')
    assert.equal(row?.value, 'https://***@rpc.example/***?key=***')
    assert.match(values.rpc?.[0] ?? '', /hunter22/)
    const overridden = await place({ user }).load({ env: { SWAP_RPC: 'https://b.example' } })
    assert.doesNotMatch(JSON.stringify(overridden.rows), /hunter22|abcdef|9f86/)
    const project = await place({ project: user }).load()
    assert.doesNotMatch(JSON.stringify([project.ignored, project.notes]), /hunter22|abcdef|9f86/)
    const { told } = await refusal(place().load({ flags: { rpc: 'ftp://me:hunter22@x' } }))
    assert.match(told, /cannot be used for --rpc/)
    assert.doesNotMatch(told, /hunter22/)
  })
})

describe('aliases', () => {
  test('names are lower case, an empty one removes a built-in one', async () => {
    const { aliases } = await place({ user: 'alias:\n  USD: eth-usdc\n  btc:\n' }).load()
    assert.equal(aliases.get('usd'), 'eth-usdc')
    assert.equal(aliases.get('btc'), '')
    assert.equal(aliases.get('eth'), 'eth-eth')
  })

  test('the key with a dot in it means the same', async () =>
    assert.equal((await place({ user: 'alias.usd: usdc' }).load()).aliases.get('usd'), 'usdc'))

  test('they have rows with file and line', async () => {
    const { rows } = await place({ user: '\nalias:\n  usd: usdc\n' }).load()
    const row = rows.find(({ key }) => key === 'alias.usd')
    assert.deepEqual([row?.value, row?.origin, row?.line], ['usdc', 'user', 3])
  })

  const refused: readonly (readonly [sentence: string, text: string, told: RegExp])[] = [
    ['a list is no group of names', 'alias: [a]', /line 1: alias takes a group/],
    ['one word is no group of names', 'alias: usdc', /line 1: alias takes a group/],
    ['a list is no token', 'alias:\n  a: [b]', /line 2: the alias a is defined for one token/],
    ['two words are no token', 'alias:\n  a: b c', /line 2: the alias a is defined for one token/],
    ['a number is no name', 'alias: { 1.5: usdc }', /"1\.5" cannot be the name/],
    ['__proto__ is no name', 'alias: { __proto__: usdc }', /"__proto__" cannot be the name/],
  ]
  for (const [sentence, text, told] of refused)
    test(`${sentence}: ${JSON.stringify(text)}`, async () =>
      assert.match((await refusal(place({ user: text }).load())).told, told))

  test('a name that objects are born with is a name like any other', async () => {
    const { aliases } = await place({ user: 'alias: { constructor: rune }' }).load()
    assert.equal(aliases.get('constructor'), 'rune')
    assert.equal(aliases.get('toString'), undefined)
  })
})

describe('unknown keys', () => {
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
    test(`a note, and nothing changes: ${JSON.stringify(text)}`, async () => {
      const { values, notes } = await place({ user: text }).load()
      assert.match(notes.at(-1) ?? '', note)
      assert.equal(values.slippage, 50)
    })

  test('a variable that is nearly one of ours is noted, another is not', async () => {
    const env = { SWAP_SLIPAGE: '1%', SWAP_HOME: '/x', SWAP_NO_INPUT: '1', OTHER: '1' }
    const { notes } = await place().load({ env })
    assert.deepEqual(notes, ['SWAP_SLIPAGE is not read; did you mean SWAP_SLIPPAGE?'])
  })
})

describe('values that cannot be used', () => {
  const refused: readonly (readonly [sentence: string, text: string, told: RegExp])[] = [
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
  for (const [sentence, text, told] of refused)
    test(`${sentence}: ${JSON.stringify(text)}`, async () => {
      const error = await refusal(place({ user: text }).load())
      assert.equal(error.code, 'INVALID_REQUEST')
      assert.match(error.told, told)
      assert.match(error.message, /^~\/\.swaprc:\d/)
    })

  for (const text of ['1', 'true', 'yes', '0', 'false', 'no', '"yes"'])
    test(`a switch takes ${text}`, async () =>
      assert.equal(typeof (await place({ user: `ascii: ${text}` }).load()).values.ascii, 'boolean'))

  test('a value made of digits stays the text it is', async () =>
    assert.equal((await place({ user: 'affiliate: 007' }).load()).values.affiliate, '007'))

  test('a variable is named', async () => {
    const error = await refusal(place().load({ env: { SWAP_SLIPPAGE: '5' } }))
    assert.equal(error.code, 'INVALID_REQUEST')
    assert.match(error.told, /SWAP_SLIPPAGE=5% or SWAP_SLIPPAGE=5bps/)
  })

  test('a flag keeps its own code', async () => {
    const error = await refusal(place().load({ flags: { slippage: '5' } }))
    assert.equal(error.code, 'INVALID_SLIPPAGE')
    assert.deepEqual(error.members, { min: 0, max: 9999 })
    assert.match(error.told, /--slippage 5%/)
  })

  test('a bad value is an error even where another goes before it', async () =>
    assert.match(
      (await refusal(place({ user: 'limit: x' }).load({ flags: { limit: '3' } }))).message,
      /~\/\.swaprc:1/,
    ))
})

describe('files that cannot be used', () => {
  test('a folder', async () => {
    const { cwd, load } = place()
    mkdirSync(join(cwd, '.swaprc'))
    assert.match((await refusal(load())).told, /\.swaprc cannot be used \| it is a folder/)
  })

  test('a file that may not be read', async (context) => {
    const { home, load } = place({ user: 'limit: 3' })
    chmodSync(join(home, '.swaprc'), 0o000)
    context.skip(process.getuid?.() === 0, 'root reads everything')
    assert.match((await refusal(load())).told, /cannot be read \(EACCES\)/)
  })

  test('bytes that are not text', async () => {
    const { home, load } = place()
    writeFileSync(join(home, '.swaprc'), Buffer.from([0xff, 0xfe, 0x00]))
    assert.match((await refusal(load())).told, /not UTF-8/)
  })

  test('a byte order mark is no part of the first key', async () =>
    assert.equal((await place({ user: '\ufefflimit: 3' }).load()).values.limit, 3))

  test('a file far too large', async () => {
    const error = await refusal(place({ user: '#'.repeat(2_000_000) }).load())
    assert.match(error.told, /larger than 1 MiB/)
  })

  test('a file that was asked for and is not there', async () => {
    const error = await refusal(place().load({ configFile: 'nowhere.yaml' }))
    assert.equal(error.code, 'INVALID_REQUEST')
    assert.match(error.told, /nowhere\.yaml cannot be used \| there is no such file/)
  })

  test('a home that is no folder has no file', async () =>
    assert.equal((await place().load({ home: '/dev/null' })).values.limit, 5))
})

describe('.swaprc.example', () => {
  const text = readFileSync(new URL('../../.swaprc.example', import.meta.url), 'utf8')
  const entries = (parseDocument(text, { schema: 'failsafe' }).toJS() ?? {}) as Record<
    string,
    string
  >

  test('it has every key, with its default, and no other', () =>
    assert.deepEqual(Object.entries(entries), [
      ...settingNames.map((name) => [keyOf(name), settings[name].fallback ?? '']),
      ['alias', ''],
      ['book', ''],
      ['networks', ''],
    ]))

  test('above every key stands what it means', () => {
    for (const name of settingNames)
      assert.ok(text.includes(`\n# ${settings[name].meaning}\n`), name)
    for (const meaning of [aliasMeaning, bookMeaning]) assert.ok(text.includes(`\n# ${meaning}\n`))
    assert.ok(text.includes(`\n# ${networksMeaning}\n`))
  })

  test('loading it changes nothing', async () => {
    const { values, notes } = await place({ user: text, project: text }).load()
    assert.deepEqual(values, (await place().load()).values)
    assert.deepEqual(notes, [])
  })
})
