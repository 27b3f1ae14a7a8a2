import assert from 'node:assert/strict'
import { fromBech32 } from '@cosmjs/encoding'
import { describe, test } from 'vitest'
import { networkNamed, networks } from '../../../src/chain/networks/index.js'
import { routerBuilds } from '../../../src/chain/networks/network.js'
import { InvalidNetwork, ownNetwork } from '../../../src/chain/networks/own.js'
import { ROUTER_ADDRESS } from '../../../src/demo-chain/market/pair-facts.js'
import { demoSnapshot } from '../../../src/demo-chain/market/snapshot.js'

describe('the built-in networks', () => {
  for (const network of networks) {
    test(`have valid addresses, endpoints and tokens: ${network.name}`, () => {
      const { router, discovery, prefix } = network
      for (const address of [
        ...(router.address ? [router.address] : []),
        ...(discovery.pairs ?? []),
      ]) {
        const { prefix: found, data } = fromBech32(address, 90)
        assert.equal(found, prefix)
        assert.equal(data.length, 32)
      }
      assert.equal(new Set(discovery.pairs).size, discovery.pairs?.length ?? 0)
      for (const url of [...network.rpc, ...network.rest]) assert.ok(new URL(url).hostname)
      assert.ok(network.rpc.length > 0)
      assert.match(network.hdPath, /^m(\/\d+'?){5}$/)
      assert.ok(network.tokens.has(network.feeDenom))
      for (const [denom, token] of network.tokens) {
        assert.equal(token.denom, denom)
        assert.match(denom, /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/)
        assert.ok(token.decimals === 8 || token.symbol === 'HANS')
        assert.ok(token.symbol && token.name && token.chain)
      }
    })

    test(`scan seven known denoms for arbitrage: ${network.name}`, () => {
      assert.equal(new Set(network.arbs.map(({ denom }) => denom)).size, 7)
      for (const { denom, amount } of network.arbs) {
        assert.ok(network.tokens.has(denom), denom)
        assert.ok(amount > 0n)
      }
      assert.ok(network.usd !== undefined && network.tokens.has(network.usd))
    })

    test(`are found by each of their names, in any case: ${network.name}`, () => {
      for (const name of [network.name, ...network.aliases]) {
        assert.equal(networkNamed(name), network)
        assert.equal(networkNamed(name.toUpperCase()), network)
      }
    })
  }

  test('have distinct names, and all but the demo network have real money', () => {
    const names = networks.flatMap(({ name, aliases }) => [name, ...aliases])
    assert.equal(new Set(names).size, names.length)
    assert.deepEqual(
      networks.filter(({ real }) => !real).map(({ name }) => name),
      ['demo'],
    )
    assert.equal(networkNamed('mainnet')?.chainId, 'thorchain-1')
    assert.equal(networkNamed('nowhere'), undefined)
  })

  test('have the tokens of the demo chain in the demo network', () => {
    const demo = networkNamed('demo')
    const document = demoSnapshot(1)
    assert.equal(demo?.router.address, ROUTER_ADDRESS)
    assert.equal(demo?.usd, document.usd)
    assert.deepEqual(
      demo?.arbs.map(({ denom, amount }) => ({ denom, amount: `${amount}` })),
      document.arbs,
    )
    for (const { logo_uri, ...token } of document.tokens)
      assert.deepEqual(demo?.tokens.get(token.denom), { ...token, logoUri: logo_uri })
  })
})

describe('a network of the configuration', () => {
  const pair = 'thor1e5dmfdtpveprsznzyqjdygy2fd782d0q9zm7246e7jhvmq04nqnqm78vek'
  const entry = {
    chain_id: 'x-1',
    prefix: 'thor',
    hd_path: "m/44'/118'/0'/0/0",
    fee_denom: 'ux',
    gas_price: '0.025',
    rpc: ['https://rpc.example', 'https://rpc2.example'],
    rest: ['https://api.example'],
    router: { address: pair, dialect: 'stack' },
    pairs: [pair],
    usd: 'eth-usdc',
    explorer: 'https://scan.example/tx/',
    arbs: [{ denom: 'ux', amount: '7000000' }],
  }

  test('has the members of its entry', () => {
    const network = ownNetwork('mine', entry)
    assert.equal(network.chainId, 'x-1')
    assert.equal(network.gasPrice, 25n * 10n ** 15n)
    assert.deepEqual(network.rpc, entry.rpc)
    assert.deepEqual(network.router, { address: pair, dialect: 'stack', builds: routerBuilds })
    assert.deepEqual(network.discovery, { pairs: [pair] })
    assert.deepEqual(network.arbs, [{ denom: 'ux', amount: 7_000_000n }])
    assert.equal(network.explorer, 'https://scan.example/tx/')
    assert.equal(network.real, true)
  })

  test('has defaults for most members', () => {
    const network = ownNetwork('mine', {
      chain_id: 'x-1',
      prefix: 'thor',
      rpc: 'http://localhost:1',
    })
    assert.deepEqual(network.rpc, ['http://localhost:1'])
    assert.deepEqual(network.discovery, { name: 'rujira-fin' })
    assert.deepEqual(network.router, {
      address: undefined,
      dialect: 'auto',
      builds: routerBuilds,
    })
  })

  test('finds its pairs by the codes of its entry', () => {
    const { discovery } = ownNetwork('mine', { ...entry, pairs: null, code_ids: [140, '73'] })
    assert.deepEqual(discovery.codes, { ids: [140n, 73n], label: 'rujira-fin' })
  })

  test('has the list of retired pairs, however pairs are found', () => {
    for (const found of [{}, { pairs: null }, { pairs: null, code_ids: [140] }])
      assert.deepEqual(
        ownNetwork('mine', { ...entry, ...found, retired: [pair] }).discovery.retired,
        [pair],
      )
  })

  test('that is invalid is refused with the key of the fault', () => {
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ chain_id: undefined }, /chain_id must be text/],
      [{ prefix: 'Thor' }, /prefix/],
      [{ rpc: [] }, /rpc must name/],
      [{ rpc: ['ftp://x'] }, /rpc\.0/],
      [{ rpc: ['http://a b'] }, /rpc\.0/],
      [
        { pairs: [`${pair.slice(0, -1)}q`] },
        /pairs\.0 must be an address .*checksum does not hold/,
      ],
      [{ pairs: [pair.toUpperCase()] }, /pairs\.0 must be an address .*capital letters/],
      [{ prefix: 'x' }, /begins with x1/],
      [{ router: { address: pair, dialect: 'both' } }, /router\.dialect/],
      [{ arbs: [{ denom: 'ux', amount: 7 }] }, /arbs\.0\.amount/],
      [{ gas_price: '-1' }, /gas_price/],
      [{ hd_path: 'm/44' }, /^$/],
      [{ hd_path: '44/0' }, /hd_path/],
      [{ pairs: null, code_ids: [0] }, /code_ids\.0/],
      [{ retired: ['x1'] }, /retired\.0 must be an address/],
    ]
    for (const [change, pattern] of wrong) {
      const run = () => ownNetwork('mine', { ...entry, ...change })
      if (pattern.source === '^$') assert.doesNotThrow(run)
      else
        assert.throws(
          run,
          (error) => error instanceof InvalidNetwork && pattern.test(error.why ?? ''),
        )
    }
    for (const name of ['demo', 'mainnet', 'MINE', 'a b'])
      assert.throws(() => ownNetwork(name, entry), InvalidNetwork)
    assert.throws(() => ownNetwork('mine', 'x'), InvalidNetwork)
  })
})
