import assert from 'node:assert/strict'
import { toBech32 } from '@cosmjs/encoding'
import { describe, test } from 'vitest'
import { routerOrigin } from '../../src/config/configured.js'
import type { ConfigSources } from '../../src/config/load.js'
import { homeWith, refusal } from './homes.js'

describe('a network', () => {
  const ownNetworks = `
networks:
  mine: { chain_id: x-1, prefix: x, rpc: ["https://user:secret@rpc.example"], gas_price: "0.1" }
`
  test('has built-in names and aliases, in any case', async () => {
    for (const [typed, name, real] of [
      ['demo', 'demo', false],
      ['mainnet', 'thorchain-1', true],
      ['Mainnet', 'thorchain-1', true],
      ['stagenet', 'stagenet', true],
    ] as const) {
      const { network } = await homeWith().load({ flags: { network: typed } })
      assert.deepEqual([network.name, network.real], [name, real])
    }
  })
  test('is refused if it is unknown, with the nearest name', async () => {
    const { fullMessage } = await refusal(homeWith({ user: 'network: mainet' }).load())
    assert.match(fullMessage, /no network is called "mainet".*did you mean mainnet\?/)
  })
  test("of the user's own is used by its name", async () => {
    const retired = toBech32('x', new Uint8Array(20))
    const user = `network: mine${ownNetworks.replace('gas_price', `retired: [${retired}], gas_price`)}`
    const { network } = await homeWith({ user }).load()
    assert.deepEqual([network.chainId, network.prefix, network.real], ['x-1', 'x', true])
    assert.deepEqual(network.discovery.retired, [retired])
  })
  test('cannot be described by a project', async () => {
    const { load } = homeWith({ project: ownNetworks })
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
    test(`is refused as an invalid entry: ${sentence}`, async () => {
      const { load } = homeWith({ user: `networks:\n  mine: ${text}` })
      const error = await refusal(load({ flags: { network: 'Mine' } }))
      assert.match(error.fullMessage, pattern)
      assert.equal(error.hint, 'correct it in ~/.swaprc:2')
      const { network, notes } = await load()
      assert.deepEqual([network.name, notes.length], ['demo', 1])
      assert.match(
        notes[0] ?? '',
        /^~\/\.swaprc:2: the network mine .* cannot be used: networks\.mine/,
      )
    })
  test('that a configuration gives the name of a built-in one is refused', async () => {
    const { load } = homeWith({ user: ownNetworks.replace('mine', 'mainnet') })
    const error = await refusal(load({ flags: { network: 'thorchain-1' } }))
    assert.match(error.fullMessage, /another name than the networks that are built in/)
  })
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
    const ownNetworks = `networks:\n  mine:\n    chain_id: x-1\n    prefix: x\n    rpc: https://a.example\n`
    const origin = async (user: string, more: Partial<ConfigSources> = {}) => {
      const { home, load } = homeWith({ user })
      return routerOrigin(await load(more), home)
    }
    assert.equal(await origin(''), 'of the built-in list')
    assert.equal(
      await origin(`network: mine\n${ownNetworks}    router: { address: ${address} }\n`),
      'of your configuration (~/.swaprc:3)',
    )
    const user = `\nrouter:\n  address: ${address}\n`
    assert.equal(await origin(user), 'of your configuration (~/.swaprc:3)')
    const env = { SWAP_ROUTER_ADDRESS: address }
    assert.equal(await origin(user, { env }), 'of the environment (SWAP_ROUTER_ADDRESS)')
    const flags = { routerAddress: address }
    assert.equal(await origin(user, { env, flags }), 'of the flag --router-address')
  })
  test('has the nodes of a variable or a flag, whichever network a file names', async () => {
    const rpc = 'http://127.0.0.1:1'
    const { load } = homeWith({ user: 'network: mainnet' })
    assert.deepEqual((await load({ env: { SWAP_RPC: rpc } })).network.rpc, [rpc])
    assert.deepEqual((await load({ flags: { rpc, network: 'demo' } })).network.rpc, [rpc])
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
