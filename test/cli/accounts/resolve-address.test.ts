import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { beforeAll, describe, test } from 'vitest'
import { faucetAddress } from '../../../src/demo-chain/genesis/known-accounts.js'
import { type Ended, freshHome, runIn, wordsOf } from '../../support/cli.js'
import { longTest } from '../../support/long.js'
import { deriveCheaply } from '../../support/remembered-scrypt.js'
import { network } from '../commands/execute/stage.js'

const alice = faucetAddress('demo')
const bob = toBech32('thor', fromBech32(alice, 90).data, 90)
const { home, swap } = freshHome()
let main: string

const jsonOf = ({ stdout, stderr }: Ended) => JSON.parse(stdout || stderr)
const newKey = (name: string) =>
  swap(
    ...['keys', 'new', name, '--json', '--password-file', join(home, 'pw')],
    ...['--mnemonic-file', join(home, `${name}.words`)],
  )

deriveCheaply()
writeFileSync(join(home, 'pw'), 'a long way round the harbour wall', { mode: 0o600 })
const demo: string = jsonOf(await swap('keys', 'show', 'demo', '--json')).address

/** With a chain that runs, for commands that would start the process of the demo chain. */
const net = await network()
const onNet = (...args: readonly string[]) => {
  const { SWAP_RPC = '', SWAP_REST = '' } = net.env
  return runIn({ home, env: { SWAP_RPC, SWAP_REST } }, args)
}

describe('the default account', () => {
  test('is the built-in key on the demo chain, then the only key, then the configured one', async () => {
    const own = async () => jsonOf(await swap('balances', '--json')).address
    assert.equal(await own(), demo)
    main = jsonOf(await newKey('main')).address
    assert.equal(await own(), main)
    const { stderr } = await swap('balances')
    assert.match(stderr, new RegExp(`take play money: swap demo faucet ${main}`))
    assert.equal(jsonOf(await swap('demo', 'faucet', '5rune', '--json')).address, main)
    assert.equal(jsonOf(await swap('balances', '--json')).balances[0].amount, '500000000')
    await swap('config', 'set', 'from', alice)
    assert.equal(await own(), alice)
    await swap('config', 'unset', 'from')
  })

  test('is not the built-in key or the only readable one where a key file cannot be read', async () => {
    const file = join(home, 'keys', 'main.json')
    const other = join(home, 'keys', 'other.json')
    const whole = readFileSync(file)
    const calls = [['balances'], ['balances', '-n', 'mainnet']]
    writeFileSync(other, '{}', { mode: 0o600 })
    const ended = [await swap('balances')]
    writeFileSync(file, '{}')
    for (const call of calls) ended.push(await swap(...call))
    writeFileSync(file, whole)
    rmSync(other)
    for (const each of ended) {
      assert.equal(each.status, 7)
      assert.match(wordsOf(each), /KEYFILE_INVALID/)
    }
  })

  test('never signs; the refusal suggests the only key', async () => {
    const ended = await onNet('execute', '1', 'rune', 'usdc', '--dry-run')
    assert.equal(ended.status, 2)
    assert.match(wordsOf(ended), /no signing account was chosen.*add --from main/)
  })
})

describe('the name of an account', () => {
  beforeAll(async () => {
    assert.equal((await swap('config', 'set', 'book.alice', alice)).status, 0)
    assert.equal((await swap('config', 'set', 'book.bob', bob)).status, 0)
  })

  longTest(
    'is accepted wherever an address is: a key, the built-in one, an entry of the book',
    async () => {
      for (const [name, address] of [
        ['main', main],
        ['demo', demo],
        ['alice', alice],
        [alice, alice],
      ] as const) {
        assert.equal(jsonOf(await swap('balances', name, '--json')).address, address, name)
        // One way finds all names: the long run has every command with each.
        if (name !== 'main' && !process.env['SWAP_LONG']) continue
        assert.equal(jsonOf(await swap('balances', '--from', name, '--json')).address, address)
        const paid = await swap('demo', 'faucet', name, '1rune', '--json')
        assert.equal(jsonOf(paid).address, address, name)
        const quote = await swap('route', '1', 'rune', 'usdc', '--to', name, '--json')
        assert.equal(jsonOf(quote).routes[0].tx.swap.recipient, address, name)
        const history = await swap('history', '--sender', name, '--json')
        assert.deepEqual([history.status, jsonOf(history).items], [0, []], history.stderr)
      }
      const tried = await onNet('simulate', '1', 'rune', 'usdc', '--from', 'demo', '--json')
      assert.equal(jsonOf(tried).transaction.succeeds, true)
      const dry = await onNet(...'execute 1 rune usdc --from alice --dry-run --json'.split(' '))
      assert.equal(jsonOf(dry).from, alice, dry.stdout)
    },
  )

  test('of the book is listed, printed, completed and unset like a setting', async () => {
    assert.match(
      (await swap('config', 'list')).stdout,
      new RegExp(`^book\\.alice\\t${alice}\\tuser`, 'm'),
    )
    assert.equal((await swap('config', 'get', 'book.alice')).stdout, `${alice}\n`)
    const offered = (await swap('__complete', '--', 'balances', '')).stdout
    for (const word of ['main', 'demo', 'alice'])
      assert.match(offered, new RegExp(`^${word}\\t`, 'm'))
    await swap('config', 'set', 'book.carol', alice)
    assert.equal((await swap('config', 'unset', 'book.carol')).status, 0)
    assert.equal((await swap('balances', 'carol')).status, 2)
  })

  test('is refused if unknown, with the nearest key and name of the book', async () => {
    for (const [name, near] of [
      ['mian', 'main'],
      ['Alic', 'alice'],
    ] as const) {
      const ended = await swap('balances', name)
      assert.equal(ended.status, 2)
      assert.match(
        wordsOf(ended),
        new RegExp(`is neither an address nor a name .*did you mean ${near}\\?`),
      )
    }
    for (const name of ['zzz', 'cold1'])
      assert.match(wordsOf(await swap('balances', name)), /list the keys: swap keys list/)
    const signer = await onNet('execute', '1', 'rune', 'usdc', '--from', 'mian')
    assert.equal(signer.status, 7)
    assert.match(wordsOf(signer), /did you mean main\?/)
  })

  test('of another network is refused with its address', async () => {
    const ended = await swap('balances', 'bob')
    assert.equal(ended.status, 2)
    assert.match(wordsOf(ended), new RegExp(`the entry bob is of another network why it is ${bob}`))
    const key = await swap('history', '--sender', 'main', '-n', 'mainnet')
    assert.match(wordsOf(key), /the key main is of another network/)
  })

  test('of both a key and an entry of the book is refused with both addresses', async () => {
    const taken = await swap('config', 'set', 'book.main', alice)
    assert.match(
      wordsOf(taken),
      new RegExp(`main is the name of a key already why the key is ${main}`),
    )
    const file = join(home, '.swaprc')
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, before.replace('alice:', `main: ${alice}\n  alice:`))
    for (const call of [
      ['balances', 'main'],
      ['execute', '1', 'rune', 'usdc', '--from', 'main'],
    ]) {
      const ended = await onNet(...call)
      assert.equal(ended.status, 2)
      assert.match(
        wordsOf(ended),
        new RegExp(
          `main is a key and a name of the address book why the key is ${main}, book.main is ${alice}`,
        ),
      )
    }
    writeFileSync(file, before)
    const made = await newKey('alice')
    assert.match(wordsOf(made), /alice is a name of the address book already/)
  })

  test('is shown with its address before a signature', async () => {
    const call = ['execute', '1', 'rune', 'usdc', '--from', 'demo', '--to', 'alice', '--dry-run']
    const named = await onNet(...call, '-o', 'human')
    assert.match(
      named.stdout.replace(/\s+/g, ' '),
      new RegExp(`Paid to alice ${alice} NOT the account`),
    )
    const asked = await onNet(...call.slice(0, -1), '--yes', '--slippage', '1%')
    assert.match(wordsOf(asked), new RegExp(`--confirm-to ${alice}`))
  })
})

describe('an entry of the address book', () => {
  test('has an address with a good checksum and a name that looks like none', async () => {
    for (const [key, value, text] of [
      ['book.x', `${alice.slice(0, -1)}q`, /its checksum does not hold/],
      ['book.x', 'main', /does not have the form of an address/],
      [`book.${alice}`, alice, /not like an address/],
      ['book.demo1kz3l6tyw', alice, /not like an address/],
      ['book.demo', alice, /demo is the name of a key already/],
    ] as const) {
      const ended = await swap('config', 'set', key, value)
      assert.equal(ended.status, 2, key)
      assert.match(wordsOf(ended), text, key)
    }
  })

  test("of a project's file is ignored with a note", async () => {
    const cwd = join(home, 'project')
    mkdirSync(cwd)
    writeFileSync(join(cwd, '.swaprc'), `book:\n  eve: ${alice}\n`)
    const ended = await runIn({ home, cwd }, ['balances', 'eve'])
    assert.equal(ended.status, 2)
    assert.match(wordsOf(ended), /sets book.eve, which only your own configuration may; ignored/)
    const set = await runIn({ home, cwd }, ['config', 'set', 'book.eve', alice, '--project'])
    assert.match(wordsOf(set), /a project may not set book.eve/)
  })
})
