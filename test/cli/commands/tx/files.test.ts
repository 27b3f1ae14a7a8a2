import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { truncateSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Secp256k1Wallet } from '@cosmjs/amino'
import { describe, test } from 'vitest'
import { faucetAddress } from '../../../../src/demo-chain/genesis/known-accounts.js'
import { accountOf } from '../../../../src/demo-chain/modules/accounts.js'
import { addressOf } from '../../../../src/wallet/address.js'
import { DEMO } from '../../../../src/wallet/demo-key.js'
import { runSwap } from '../../../support/cli.js'
import { bin, changed, network, problem, sign } from '../execute/stage.js'

const net = await network()
const swap = ['execute', '1', 'rune', 'usdc', '--from', 'demo'] as const
const made = (await net.run(...swap, '--generate-only', '--deadline', '200')).stdout
const signed = (await sign(net, net.file('made.json', made))).stdout

/** The body of `made`, changed and signed by the demo key, as another program writes it. */
async function signedElsewhere(body: {
  readonly messages: readonly { readonly '@type': string; readonly sender: string }[]
  readonly memo: string
  readonly timeout_height: string
}): Promise<object> {
  const { auth_info: auth } = JSON.parse(made)
  const { sender } = body.messages[0]!
  const { number, sequence } = accountOf(net.real.stateAt(net.real.height)!, sender)!
  const wallet = await Secp256k1Wallet.fromKey(Buffer.from(DEMO.privateKey, 'hex'), 'demo')
  const [signer] = await wallet.getAccounts()
  const { signature } = await wallet.signAmino(signer!.address, {
    chain_id: 'demo-1',
    account_number: `${number}`,
    sequence: `${sequence}`,
    fee: { amount: auth.fee.amount, gas: auth.fee.gas_limit },
    msgs: body.messages.map(({ '@type': _, ...value }) => ({
      type: 'wasm/MsgExecuteContract',
      value,
    })),
    memo: body.memo,
    timeout_height: body.timeout_height,
  })
  const key = { '@type': '/cosmos.crypto.secp256k1.PubKey', key: signature.pub_key.value }
  const mode_info = { single: { mode: 'SIGN_MODE_LEGACY_AMINO_JSON' } }
  const signer_infos = [{ public_key: key, mode_info, sequence: `${sequence}` }]
  return { body, auth_info: { ...auth, signer_infos }, signatures: [signature.signature] }
}

test('an empty standard input is not taken for a missing quote', async () => {
  for (const command of ['sign', 'broadcast']) {
    const { status, stderr } = await runSwap(['tx', command, '-'])
    assert.equal(status, 2)
    assert.match(stderr, /this is not a transaction[\s\S]*swap execute --generate-only/)
  }
})

describe('swaps signed elsewhere', () => {
  test('that pay different accounts are not sent: what they pay is reported at one', async () => {
    const { body } = JSON.parse(made)
    const [own] = body.messages
    const recipient = addressOf(Buffer.alloc(33, 2), 'demo')
    const other = { ...own, msg: { swap: { ...own.msg.swap, recipient } } }
    const file = net.file('two.json', await signedElsewhere({ ...body, messages: [own, other] }))
    const ended = await net.run('tx', 'broadcast', file, '--json')
    assert.deepEqual([ended.status, problem(ended).code], [2, 'INVALID_REQUEST'], ended.stdout)
    assert.match(ended.stdout, /pay different accounts/)
  })
})

describe('a memo', () => {
  const longest = 'é'.repeat(128)

  test('is signed up to 256 bytes', async () => {
    const { status, stdout } = await sign(
      net,
      net.file('memo.json', changed(made, 'body.memo', longest)),
    )
    assert.equal(status, 0, stdout)
  })

  test('is refused above, before anything is signed', async () => {
    const above = `${longest}a`
    const fromFile = await sign(
      net,
      net.file('memo.json', changed(made, 'body.memo', above)),
      '--json',
    )
    assert.equal(problem(fromFile).code, 'INVALID_REQUEST', fromFile.stdout)
    const flags = ['--yes', '--slippage', '5%', '--memo', above, '--json']
    const fromFlag = await net.run(...swap, ...flags)
    assert.equal(problem(fromFlag).code, 'INVALID_REQUEST', fromFlag.stdout)
  })

  test('that the chain refuses does not keep the account from the next transaction', async () => {
    const { body } = JSON.parse(made)
    const document = await signedElsewhere({ ...body, memo: `${longest}a` })
    const ended = await net.run(
      'tx',
      'broadcast',
      net.file('long.json', document),
      '--json',
      '--wait',
      'none',
    )
    assert.deepEqual([ended.status, problem(ended)['chain_code']], [9, 12], ended.stdout)
    assert.match(ended.stdout, /the memo is longer than the chain allows/)
    const next = await net.run(...swap, '--yes', '--slippage', '5%', '--json')
    assert.equal(JSON.parse(next.stdout).status, 'confirmed', next.stdout)
  })
})

describe('texts of a file that this program does not write', () => {
  const long = 'x'.repeat(5_000)
  const [swapped] = JSON.parse(made).body.messages
  const { address: contract } = swapped.msg.swap.stages[0]
  const order = { ...swapped, contract, msg: { order: [[['base', { fixed: '1' }, null]], null] } }
  const rows: readonly (readonly [path: string, value: unknown, why: RegExp])[] = [
    ['body.messages.0.msg.swap.min_return.denom', long, /messages\/0\/msg must be a swap/],
    ['body.messages.0.msg.swap.min_return.amount', '01', /messages\/0\/msg must be a swap/],
    [
      'body.messages.0.msg',
      { order: [[['x', { fixed: '1' }, null]], null] },
      /msg must be an order/,
    ],
    ['body.messages.0.funds.0.denom', long, /messages\/0\/funds must have denoms of a bank/],
    ['auth_info.fee.amount', [{ denom: long, amount: '1' }], /fee\/amount must have denoms/],
    ['body.messages.0.contract', long, /message 1 calls x{90};/],
    ['body.messages.0.sender', long, /it is sent by x{90}, and/],
    ['body.messages', [order, swapped], /messages\/0 must not be an order beside other messages/],
  ]
  for (const [path, value, why] of rows)
    test(`are refused and not printed in full: ${path}`, async () => {
      const ended = await sign(net, net.file('long.json', changed(made, path, value)))
      assert.notEqual(ended.status, 0)
      assert.match(ended.stderr.replace(/\s+/g, ' '), why)
      assert.ok(ended.stderr.length < 1_000, ended.stderr)
    })
})

describe.runIf(process.platform !== 'win32')('a named pipe in place of a file', () => {
  const commands: readonly (readonly string[])[] = [
    ['tx', 'sign'],
    ['tx', 'broadcast'],
    ['execute', '--from', 'demo', '--generate-only'],
    ['plan', 'run'],
  ]
  for (const words of commands)
    test(`does not keep swap ${words.join(' ')} from ending by a signal`, async () => {
      const path = join(net.home, `pipe-${words.join('-')}`)
      execFileSync('mkfifo', [path])
      const env = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...net.env }
      const child = spawn(process.execPath, [bin, ...words, path], { env, stdio: 'ignore' })
      const ended = once(child, 'exit')
      try {
        const writer = await Promise.race([open(path, 'w'), ended])
        assert.ok(!Array.isArray(writer), `it ended with ${writer}`)
        child.kill('SIGTERM')
        assert.deepEqual(await ended, [130, null])
        await writer.close()
      } finally {
        child.kill('SIGKILL')
      }
    })

  test('gives the transaction that is written to it', async () => {
    const path = join(net.home, 'pipe')
    execFileSync('mkfifo', [path])
    const [ended] = await Promise.all([
      sign(net, path),
      open(path, 'w').then(async (writer) => {
        await writer.writeFile(made)
        await writer.close()
      }),
    ])
    const direct = await sign(net, net.file('made.json', made))
    assert.equal(ended.stdout, direct.stdout, ended.stderr)
    assert.equal(ended.status, 0)
  })
})

test('a file larger than any transaction is refused', async () => {
  const path = net.file('large.json', made)
  truncateSync(path, 600_000_000)
  for (const words of [
    ['tx', 'sign'],
    ['tx', 'broadcast'],
    ['execute', '--from', 'demo'],
  ]) {
    const { stdout } = await net.run(...words, path, '--json')
    assert.match(stdout, /the input is too long/)
  }
})

test('a transaction that was signed and sent is not executed again from its document', async () => {
  const { stdout: document } = await net.run(...swap, '--generate-only')
  const file = net.file('unsigned.json', document)
  const { stdout: bytes } = await sign(net, file)
  const sent = await net.run('tx', 'broadcast', net.file('sent.json', bytes), '--json')
  const { status, id } = JSON.parse(sent.stdout)
  assert.equal(status, 'confirmed', sent.stdout)
  const flags = ['--from', 'demo', '--yes', '--slippage', '5%', '--json']
  const { body, ...rest } = JSON.parse(document)
  // The SDK writes this member too, and Amino JSON and other tools order members otherwise.
  const elsewhere = net.file(
    'other.json',
    JSON.stringify({ ...rest, body: { unordered: false, ...body } }),
  )
  for (const each of [file, elsewhere]) {
    const again = JSON.parse((await net.run('execute', each, ...flags)).stdout)
    assert.deepEqual([again.id, again.replayed], [id, true])
  }
})

describe('the text of a transaction', () => {
  test('may begin with a byte order mark', async () => {
    const [plain, marked] = [net.file('made.json', made), net.file('mark.json', `\ufeff${made}`)]
    assert.equal((await sign(net, marked)).stdout, (await sign(net, plain)).stdout)
  })

  test('is refused where readers of JSON could take different members from it', async () => {
    const twice = made.replace('"memo":', '"timeout_height":"0","memo":')
    const ended = await sign(net, net.file('twice.json', twice), '--json')
    const { code, errors } = problem(ended)
    assert.deepEqual([ended.status, code], [2, 'INVALID_REQUEST'])
    assert.deepEqual(errors, [{ pointer: '/body/timeout_height', detail: 'is given twice' }])
  })
})

describe('swap tx broadcast', () => {
  const broadcast = (document: unknown) =>
    net.run('tx', 'broadcast', net.file('wrong.json', document), '--json')

  test('refuses a malformed public key', async () => {
    const key = Buffer.from([5, ...Buffer.from(DEMO.publicKey, 'hex').subarray(1)])
    const path = 'auth_info.signer_infos.0.public_key.key'
    const ended = await broadcast(changed(signed, path, key.toString('base64')))
    assert.deepEqual([ended.status, problem(ended).code], [2, 'INVALID_REQUEST'], ended.stdout)
  })

  test('refuses the valid signature of a key that is not of the sender, before it is in the journal', async () => {
    const { body } = JSON.parse(made)
    const messages = [{ ...body.messages[0], sender: faucetAddress('demo') }]
    const ended = await broadcast(await signedElsewhere({ ...body, messages }))
    assert.deepEqual([ended.status, problem(ended).code], [2, 'INVALID_REQUEST'], ended.stdout)
    assert.match(ended.stdout, /its key is that of demo1/)
    const { stdout: journal } = await net.run('journal', '--json')
    assert.ok(!journal.includes(messages[0].sender), journal)
  })

  test('refuses a sender that is no account of the network', async () => {
    const { sender } = JSON.parse(signed).body.messages[0]
    const foreign = addressOf(Buffer.from(DEMO.publicKey, 'hex'), 'thor')
    for (const other of [foreign, `${sender.slice(0, -1)}q`]) {
      const ended = await broadcast(changed(signed, 'body.messages.0.sender', other))
      assert.deepEqual([ended.status, problem(ended).code], [2, 'INVALID_ADDRESS'], ended.stdout)
    }
  })
})

test('an id that the journal does not have is not found', async () => {
  for (const verb of ['show', 'wait', 'resume']) {
    const ended = await net.run('tx', verb, 'x_00000000', '--json')
    assert.deepEqual([ended.status, problem(ended).code], [2, 'TX_NOT_FOUND'], ended.stdout)
  }
})

test.each([
  [['--sequence', '0x10'], '/sequence', /"0x10" cannot be used for --sequence/],
  [['--account-number', '-1'], '/account_number', /"-1" cannot be used for --account-number/],
  [['--offline', '--sequence', '1'], '/sequence', /the numbers of the account are needed/],
])('a transaction is not signed with %o', async (flags, pointer, detail) => {
  const ended = await sign(net, net.file('made.json', made), ...flags, '--json')
  const { errors } = problem(ended) as unknown as { errors: readonly { pointer: string }[] }
  assert.deepEqual([ended.status, errors[0]!.pointer], [2, pointer])
  assert.match(`${problem(ended)['detail']}`, detail)
})
