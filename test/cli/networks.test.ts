import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { faucetAddress } from '../../src/demo-chain/genesis/known-accounts.js'
import { freshHome, jsonOf, runIn, wordsOf } from '../support/cli.js'
import { temporaryFolder } from '../support/folder.js'
import { network } from './commands/execute/stage.js'

const { home, swap: run } = freshHome()

const faucet = faucetAddress('demo')

const net = await network()

describe('networks on the command line', () => {
  test('every endpoint is named with its fault and without its secrets', async () => {
    const ended = await run(
      ...['route', '1', 'btc', 'rune', '-n', 'mainnet', '--timeout', '3s', '--json'],
      ...['--rpc', 'http://me:hunter22@127.0.0.1:1/9f86d081884c7d65'],
      ...['--rpc', 'http://127.0.0.1:2?key=abcdef01'],
    )
    const problem = jsonOf(ended)
    assert.deepEqual([ended.status, problem.code], [4, 'UPSTREAM_ERROR'])
    assert.deepEqual(
      problem.upstreams.map(({ upstream, fault }: Record<string, string>) => [upstream, fault]),
      [
        ['http://***@127.0.0.1:1/***', 'refused'],
        ['http://127.0.0.1:2?key=***', 'refused'],
      ],
    )
    assert.doesNotMatch(ended.stdout + ended.stderr, /hunter22|9f86|abcdef01/)
    const list = (await run('config', 'list', '--rpc', 'http://me:hunter22@127.0.0.1:1')).stdout
    assert.match(list, /rpc\thttp:\/\/\*\*\*@127\.0\.0\.1:1/)
  })

  test('a node of another chain is a fault, not a market', async () => {
    const rpc = net.env['SWAP_RPC']!
    const ended = await run('tokens', '-n', 'mainnet', '--rpc', rpc, '--json')
    assert.deepEqual([ended.status, jsonOf(ended).fault], [4, 'wrong_chain'])
    assert.match(jsonOf(ended).detail, /is of the chain "demo-1"/)
    const own = await run(
      ...['route', '0.1', 'btc', 'rune', '--json'],
      ...['--rpc', 'http://127.0.0.1:1', '--rpc', rpc],
    )
    assert.equal(jsonOf(own).chain_id, 'demo-1')
  })

  test('a network of the configuration is used, and titles have its name in capitals', async () => {
    const home = temporaryFolder()
    const run = (...args: readonly string[]) => runIn({ home }, args)
    const rpc = net.env['SWAP_RPC']
    const router = jsonOf(await net.run('snapshot', 'show', '--json')).router.address
    const entry = { chain_id: 'demo-1', prefix: 'demo', rpc, code_ids: [1, 2] }
    const more = { label: 'rujira-fin:', router: { address: router }, chain: 'thor' }
    writeFileSync(
      join(home, '.swaprc'),
      JSON.stringify({ network: 'mine', networks: { mine: { ...entry, ...more } } }),
    )
    const answer = jsonOf(await run('tokens', '--json'))
    assert.deepEqual([answer.network, answer.chain_id], ['mine', 'demo-1'])
    assert.match(
      (await run('route', '0.1', 'btc-btc', 'rune', '-o', 'human')).stdout,
      / MINE · block/,
    )
    const red = (await run('route', '0.1', 'btc-btc', 'rune', '-o', 'human', '--color', 'always'))
      .stdout
    assert.ok(red.includes('\u001b[91mMINE'))
    const old = /^note: the newest block \d+ is of 2026-05-01T\S+Z, and this clock shows \d{4}-/
    assert.match((await run('tokens')).stderr, old)
    assert.equal((await run('tokens', '--height', String(answer.height))).stderr, '')
  })

  test('meaningless values are refused with their reason', async () => {
    const rows: readonly (readonly [readonly string[], string, RegExp])[] = [
      [['tokens', '-n', 'mainet'], 'INVALID_REQUEST', /did you mean mainnet/],
      [['tokens', '--rpc', 'localhost:26657'], 'INVALID_REQUEST', /http:\/\/ or https:\/\//],
      [['tokens', '--timeout', '20'], 'INVALID_REQUEST', /ms, s, m or h/],
      [['tokens', '--height', '1.5'], 'INVALID_REQUEST', /is not a block/],
      [['book'], 'INVALID_REQUEST', /the pair is missing/],
      [['book', 'btc'], 'NOT_FOUND', /two tokens with a slash/],
      [['book', 'btc/btc'], 'NOT_FOUND', /no book trades these two/],
      [['book', 'btc/runr'], 'UNKNOWN_TOKEN', /did you mean/],
      [['book', 'btc/usdc', '--levels', '0'], 'INVALID_REQUEST', /from 1 to 1000/],
      [['balances', 'mian'], 'INVALID_ADDRESS', /neither an address nor a name/],
      [['balances', 'thor1xyz'], 'INVALID_ADDRESS', /not have the form of an address/],
      [['simulate'], 'INVALID_REQUEST', /the quote is missing/],
      [['simulate', 'q_00000000'], 'NOT_FOUND', /no quote q_00000000 is kept/],
      [
        ['simulate', '1', 'btc', 'rune', '--from', 'demo1x'],
        'INVALID_ADDRESS',
        /not an account.* form of an address/s,
      ],
      [['simulate', '1', 'btc', 'rune', '--tolerance', '5'], 'INVALID_REQUEST', /unit is missing/],
      [['doctor', 'nod'], 'INVALID_REQUEST', /did you mean node/],
    ]
    for (const [args, code, text] of rows) {
      const ended = await run(...args)
      assert.equal(ended.status, 2, args.join(' '))
      assert.ok(wordsOf(ended).includes(`code ${code}`), `${args.join(' ')}: ${wordsOf(ended)}`)
      assert.match(wordsOf(ended), text, args.join(' '))
      assert.equal(jsonOf(await run(...args, '--json')).code, code)
    }
  })

  test('a saved market refuses commands that need a chain', async () => {
    const file = join(home, 'market.json')
    await run('snapshot', 'save', file)
    for (const args of [
      ['balances', faucet],
      ['simulate', '1', 'btc', 'rune'],
      ['route', '1', 'btc', 'rune', '--verify'],
    ])
      assert.match(
        wordsOf(await run(...args, '--snapshot', file)),
        /needs a chain that can be queried/,
      )
    const refused: readonly (readonly [readonly string[], string])[] = [
      [['tokens', '-n', 'mainnet'], 'the saved market is of demo, not of mainnet'],
      [['tokens', '--rpc', 'http://127.0.0.1:1'], '--snapshot does not go with --rpc'],
      [['tokens', '--rest', 'http://127.0.0.1:1'], '--snapshot does not go with --rest'],
      [['tokens', '--max-age', '10s'], '--snapshot does not go with --max-age'],
      [['serve', '--database', 'x'], 'a saved market does not go with --database'],
      [['serve', '--no-index'], 'a saved market does not go with --no-index'],
      [['serve', '--min-books', '90%'], 'a saved market does not go with --min-books'],
    ]
    for (const [args, message] of refused) {
      const ended = await run(...args, '--snapshot', file)
      assert.equal(ended.status, 2)
      assert.ok(wordsOf(ended).includes(message), wordsOf(ended))
    }
    assert.equal((await run('tokens', '-n', 'demo', '--snapshot', file)).status, 0)
    assert.equal(jsonOf(await run('book', 'btc/usdc', '--snapshot', file, '--json')).height, 120)
    assert.equal((await run('tokens', '--snapshot', file, '--height', '119')).status, 2)
  })
})

test('a bundle of the doctor has its checks, shortened addresses and no secret', async () => {
  const file = join(home, 'report.json')
  const ended = await run(
    ...['doctor', '--bundle', file, '--timeout', '3s'],
    ...['--rpc', 'http://me:hunter22@127.0.0.1:1', '--router-address', faucet],
  )
  assert.equal(ended.status, 1)
  const text = readFileSync(file, 'utf8')
  assert.equal(JSON.parse(text).doctor.failed, 1)
  assert.doesNotMatch(text, /hunter22/)
  assert.ok(!text.includes(faucet) && !text.includes(home))
  // The home folder of a user without one, as in many containers.
  const args = ['doctor', 'program', '--bundle', '-', '--rest', 'http://127.0.0.1:1']
  const ofRoot = await runIn({ home: '/', cwd: home, env: { SWAP_HOME: home } }, args)
  assert.match(ofRoot.stdout, /"http:\/\/127\.0\.0\.1:1"/)
})
