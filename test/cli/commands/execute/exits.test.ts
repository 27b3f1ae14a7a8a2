import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { executeCommand } from '../../../../src/cli/commands/execute/command.js'
import { txCommand } from '../../../../src/cli/commands/tx/command.js'
import { jsonReply, type Reply } from '../../../../src/demo-chain/node/reply.js'
import type { Intent } from '../../../../src/execution/journal/intent.js'
import { journalIn } from '../../../../src/execution/journal/journal.js'
import { lockAccount } from '../../../../src/execution/journal/lock.js'
import { diskFull, readerLeft, runIn } from '../../../support/cli.js'
import { longTest } from '../../../support/long.js'
import { inTerminal } from '../../../support/terminal.js'
import { bin, DEMO, type Ended, network } from './stage.js'

const UNUSED = 'demo1ss6pwd0x4yfhzrmllq9qv96s547jcydnnuh88m'
const owner = { chainId: 'demo-1', address: DEMO }

const net = await network(500)

const journal = () => journalIn(join(net.home, 'state', 'journal'))

const swap = ['execute', '1', 'rune', 'usdc', '--from', 'demo'] as const
const guarded = [...swap, '--yes', '--slippage', '1%', '--deadline', '5'] as const
/** So little gas that only the chain refuses it. */
const poor = [...guarded, '--gas', '60000'] as const

/** Runs something while a node refuses broadcasts with this code and log. */
async function refused<T>(code: number, log: string, work: () => Promise<T>): Promise<T> {
  net.hook = async (request, next): Promise<Reply> => {
    if (!request.body.includes('broadcast_tx_sync')) return next()
    const { id, params } = JSON.parse(request.body.toString())
    const hash = createHash('sha256').update(Buffer.from(params.tx, 'base64')).digest('hex')
    const result = { code, data: '', log, codespace: 'sdk', hash: hash.toUpperCase() }
    return jsonReply(200, JSON.stringify({ jsonrpc: '2.0', id, result }))
  }
  try {
    return await work()
  } finally {
    net.hook = (_request, next) => next()
  }
}

/** Runs something while a node refuses every simulation with this log. */
async function untried<T>(log: string, work: () => Promise<T>): Promise<T> {
  net.hook = async (request, next): Promise<Reply> => {
    if (!request.body.includes('Service/Simulate')) return next()
    const { id, params } = JSON.parse(request.body.toString())
    const response = { code: 5, codespace: 'wasm', log, height: params.height }
    return jsonReply(200, JSON.stringify({ jsonrpc: '2.0', id, result: { response } }))
  }
  try {
    return await work()
  } finally {
    net.hook = (_request, next) => next()
  }
}

async function failing<T>(kind: string, work: () => Promise<T>): Promise<T> {
  net.board.add({ kind, once: kind !== 'funds' }, net.real.height)
  try {
    return await work()
  } finally {
    net.heal()
  }
}

/** Ends what is open, so that the next call may sign. */
const settled = async (ended: Ended): Promise<Ended> => {
  await net.run('tx', 'resume')
  return ended
}

/** An unsigned transaction in a file. */
const unsignedFile = async (...flags: readonly string[]) =>
  net.file('unsigned', (await net.run(...swap, '--generate-only', ...flags)).stdout)

const signing = ['--from', 'demo', '--yes', '--slippage', '5%'] as const

/** A signed transaction in a file, which the journal here has never seen. */
async function signedFile(...flags: readonly string[]): Promise<string> {
  const unsigned = await unsignedFile('--deadline', '200', ...flags)
  const signed = await net.run('tx', 'sign', unsigned, ...signing)
  assert.equal(signed.status, 0, signed.stderr)
  return net.file('signed', signed.stdout)
}

/** The id of something that was signed and never left this machine. */
async function unsent(): Promise<string> {
  const signed = await net.run(...guarded, '--sign-only', '--deadline', '15')
  assert.equal(signed.status, 0, signed.stderr)
  const [intent] = journal().open(owner) as [Intent]
  const txs = intent.txs.map((tx) => ({ ...tx, state: 'signed' as const, maybe_sent: false }))
  journal().put({ ...intent, mode: 'batch', txs })
  return intent.id
}

/** The id of an execution of which one leg is done and the other failed. */
async function halfDone(): Promise<{ readonly id: string; readonly status: number | null }> {
  let broadcasts = 0
  net.hook = (request, next) => {
    if (request.body.includes('broadcast_tx_sync') && ++broadcasts === 2)
      net.board.add({ kind: 'slippage', once: true }, net.real.height)
    return next()
  }
  const legs = ['--legs', '1:rune/usdc', '--legs', '1:rune/usdc', '--mode', 'legs', '--json']
  const yes = ['--from', 'demo', '--yes', '--slippage', '1%']
  const { status, stdout } = await net.run('execute', '2', 'rune', 'usdc', ...yes, ...legs)
  net.hook = (_request, next) => next()
  net.heal()
  return { status, id: JSON.parse(stdout).id }
}

async function lockHeld(work: () => Promise<Ended>): Promise<Ended> {
  const lock = await lockAccount(join(net.home, 'state', 'locks'), owner, 0)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

/** Presses ctrl-c at a question. */
async function stopped(question: RegExp, ...args: readonly string[]): Promise<Ended> {
  const screen = inTerminal([process.execPath, bin, ...args], { rows: 60, env: net.env })
  await screen.shows((rows) => rows.some((row) => question.test(row)))
  screen.type('\x03')
  return { status: await screen.exited, stdout: '', stderr: screen.raw() }
}

/** Endpoints without a node. */
const away = ['--rpc', 'http://127.0.0.1:1', '--rest', 'http://127.0.0.1:1', '--timeout', '2s']

type Ways = Readonly<Record<number, () => Promise<Ended>>>

const ofExecute: Ways = {
  0: () => net.run(...guarded),
  2: () => net.run('execute'),
  3: () =>
    net.run('execute', net.file('none', '{"code":"NO_ROUTE","status":422}'), '--from', 'demo'),
  4: () => net.run(...guarded, ...away),
  5: () => net.run(...guarded, '--min-out', '1000usdc'),
  6: () => net.run('execute', '1', 'rune', 'usdc', '--from', UNUSED, '--dry-run'),
  7: () => net.run('execute', '1', 'rune', 'usdc', '--from', 'nobody'),
  8: () => net.run(...swap, '--confirm', 'RUNE', '--slippage', '1%'),
  9: async () => settled(await failing('halt', () => net.run(...guarded, '--wait-timeout', '1s'))),
  10: () => failing('timeout', () => net.run(...guarded)),
  11: () => untried('trading is halted', () => net.run(...guarded)),
  12: async () => ({ ...(await halfDone()), stdout: '', stderr: '' }),
  13: () => lockHeld(() => net.run(...guarded)),
  14: () => net.run(...guarded, '--limits-per-tx-usd', '0.1'),
  130: () => stopped(/^ {2}>/, ...swap),
}

const ofTx: Ways = {
  0: async () => net.run('tx', 'broadcast', await signedFile()),
  2: () => net.run('tx', 'show', 'AB'.repeat(32)),
  3: async () => {
    const order = ['order', 'sell', '1', 'rune', 'usdc', '--price', '0.001', '--max-cross', '100%']
    const { stdout } = await net.run(...order, '--from', 'demo', '--generate-only')
    return net.run('tx', 'sign', net.file('order', stdout), '--from', 'demo', '--yes')
  },
  4: () => net.run('tx', 'show', 'AB'.repeat(32), ...away),
  5: async () => {
    const { stdout } = await net.run(...swap, '--generate-only')
    const other = stdout.replace(/"contract":"[^"]*"/, `"contract":"${DEMO}"`)
    return net.run('tx', 'sign', net.file('other', other), '--from', 'demo', '--yes')
  },
  6: async () => {
    const pw = net.file('pw', 'a long way round the harbour wall')
    chmodSync(pw, 0o600)
    const words = ['--password-file', pw, '--mnemonic-file', join(net.home, 'words')]
    const made = await net.run('keys', 'new', 'bot', ...words, '--json')
    const { stdout } = await net.run(...swap, '--generate-only')
    const unfunded = net.file('tx', stdout.replaceAll(DEMO, JSON.parse(made.stdout).address))
    const bot = ['--from', 'bot', '--yes', '--slippage', '5%', '--password-file', pw]
    return net.run('tx', 'sign', unfunded, ...bot)
  },
  7: async () => net.run('tx', 'sign', await unsignedFile(), '--from', 'nobody', '--yes'),
  8: async () => net.run('tx', 'sign', await unsignedFile(), '--from', 'demo', '--confirm', 'RUNE'),
  9: async () => {
    const signed = await signedFile()
    const send = () => net.run('tx', 'broadcast', signed, '--wait-timeout', '1s')
    return settled(await failing('halt', send))
  },
  10: async () => net.run('tx', 'broadcast', await signedFile('--gas', '60000')),
  11: () => ofResume[11]!(),
  12: () => ofResume[12]!(),
  13: async () => {
    const signed = await signedFile()
    return lockHeld(() => net.run('tx', 'broadcast', signed))
  },
  14: async () => {
    const unsigned = await unsignedFile('--deadline', '200')
    return net.run('tx', 'sign', unsigned, ...signing, '--limits-per-tx-usd', '0.1')
  },
  130: async () => stopped(/Sign this\?/, 'tx', 'sign', await unsignedFile(), '--from', 'demo'),
}

/** The id of an execution whose only leg failed, and may be signed again. */
async function begun(): Promise<string> {
  const { id } = JSON.parse((await net.run(...poor, '--json')).stdout)
  journal().put({ ...journal().find(id)!, mode: 'legs' })
  return id
}

const again = async (...flags: readonly string[]) =>
  net.run('tx', 'resume', await begun(), ...flags)

const ofResume: Ways = {
  0: () => net.run('tx', 'resume'),
  2: () => net.run('tx', 'resume', 'x_00000000'),
  4: async () => {
    const id = await unsent()
    return settled(await net.run('tx', 'resume', id, ...away))
  },
  5: async () => {
    const id = await unsent()
    return failing('slippage', () => net.run('tx', 'resume', id))
  },
  6: async () => {
    const id = await unsent()
    return settled(await failing('funds', () => net.run('tx', 'resume', id)))
  },
  7: () => again('--yes', '--slippage', '1%', '--from', 'nobody'),
  8: () => again('--confirm', 'RUNE', '--slippage', '1%'),
  9: async () => {
    const id = await unsent()
    return settled(await failing('halt', () => net.run('tx', 'resume', id, '--wait-timeout', '1s')))
  },
  10: async () => {
    await net.run(...poor, '--wait', 'none')
    return net.run('tx', 'resume')
  },
  11: async () => {
    const id = await unsent()
    return settled(await refused(18, 'trading is halted', () => net.run('tx', 'resume', id)))
  },
  12: async () => net.run('tx', 'resume', (await halfDone()).id),
  13: async () => {
    const id = await unsent()
    return settled(await lockHeld(() => net.run('tx', 'resume', id)))
  },
  14: () => again('--yes', '--slippage', '1%', '--limits-per-tx-usd', '0.1'),
  130: async () => stopped(/^ {2}>/, 'tx', 'resume', await begun()),
}

describe('the report of an executed swap', () => {
  test.each([
    ['that cannot be written', diskFull(), 9, 'ENOSPC'],
    ['whose reader has left', readerLeft(), 141, 'the reader closed the pipe'],
  ])('%s is on stderr, with the hash and not to run it again', async (_, fault, code, why) => {
    for (const form of [[], ['--json'], ['--ndjson'], ['-q']]) {
      const place = { home: net.home, env: net.env, stdoutFault: fault }
      const { status, stderr } = await runIn(place, [...guarded, ...form])
      assert.match(stderr, /^error: the transaction was executed, and its report could not be/m)
      assert.match(
        stderr,
        new RegExp(`why {3}stdout: ${why}[^]*do NOT run it again[^]*swap tx show`),
      )
      const [hash = ''] = /[0-9A-F]{64}/.exec(stderr) ?? []
      assert.equal((await net.run('tx', 'show', hash, '-q')).stdout, 'included\n')
      assert.equal(status, code)
    }
  })
})

const commands = [
  [executeCommand, ofExecute],
  [txCommand, ofTx],
  [txCommand.commands!.find(({ name }) => name === 'resume')!, ofResume],
] as const

for (const [{ name, exit = '' }, ways] of commands)
  describe(`swap ${name} ends with`, () => {
    test('the codes of its help only', () => {
      const documented = [...exit.matchAll(/(?:^|, )(\d+) /g)].map(([, code]) => Number(code))
      assert.deepEqual(documented, Object.keys(ways).map(Number))
    })
    // Ctrl-C in a terminal has its tests in terminal.test.ts.
    for (const [code, way] of Object.entries(ways))
      (code === '130' ? longTest : test)(code, async () => {
        const { status, stdout, stderr } = await way()
        assert.equal(status, Number(code), stdout + stderr)
      })
  })
