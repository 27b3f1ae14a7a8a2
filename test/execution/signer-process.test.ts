import assert from 'node:assert/strict'
import { realpathSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test } from 'vitest'
import { signBytesOf } from '../../src/chain/tx/decode-sign-doc.js'
import type { SwapError } from '../../src/engine/errors.js'
import { signatureFits } from '../../src/execution/request-signature.js'
import { DEMO } from '../../src/wallet/demo-key.js'
import { parseSigner, runSigner, type SignerTerms } from '../../src/wallet/external/run-signer.js'
import { readAnswer, type Signer, type SignRequest } from '../../src/wallet/signing/protocol.js'
import { temporaryFolder } from '../support/folder.js'
import { draft, failed, never, publicKey, sign } from './external-signer.js'

const script = resolve('test/execution/faulty-signer.mjs')

/** A signer in a process of its own with one of the script's faults. */
function program(fault: string, terms: Partial<SignerTerms> = {}, cwd = '.') {
  const lines: string[] = []
  const text = `exec:'${process.execPath}' '${script}' '${fault}' ${DEMO.privateKey} ${DEMO.publicKey}`
  const own = { env: process.env, timeoutMs: 20_000, line: (line: string) => void lines.push(line) }
  const signer: Pick<Signer, 'sign'> = {
    async sign(request, interrupt) {
      const bytes = await runSigner(
        parseSigner(text, cwd),
        request,
        { ...own, ...terms },
        interrupt,
      )
      return readAnswer('exec:device', bytes, request)
    },
  }
  return { signer, lines }
}

/** What the process of a signer may do wrongly, and what is said of it. */
const PROCESSES: readonly (readonly [string, RegExp, number?])[] = [
  ['says no', /status 3: declined on the device/],
  ['says much and then no', /status 3: declined at the end/],
  ['answers and fails', /status 1/],
  ['killed', /ended by SIGTERM/],
  ['late', /longer than 0.5 s/, 500],
  ['huge', /more than 65536 bytes/],
  ['does not read', /answered nothing/],
  ['answers before it reads', /not valid for these bytes/],
]

describe('the process of a signer', () => {
  test('returns the signature', async () => {
    const { signature } = await sign(program('good').signer, draft)
    assert.ok(signatureFits(publicKey, signBytesOf(draft), signature))
  })
  for (const [what, why, timeoutMs = 20_000] of PROCESSES)
    test(`that ${what} is refused`, () =>
      assert.rejects(sign(program(what, { timeoutMs }).signer, draft), failed(why)))

  // A shell starts in a few milliseconds, also on a loaded machine.
  for (const [what, commands] of [
    ['answers and stays', 'echo {}; exec sleep 9'],
    ['answers, closes its output and stays', 'echo {}; exec sleep 9 >&-'],
    ['leaves a child with its output', 'echo {}; sleep 9 &'],
  ] as const)
    test(`that ${what} is refused`, async () => {
      const terms = { env: process.env, timeoutMs: 1_500, line: () => {} }
      await assert.rejects(
        runSigner(parseSigner(`exec:sh -c '${commands}'`, '.'), {} as SignRequest, terms, never),
        failed(/answered, and it, or what it started, had not ended after 1.5 s/),
      )
    })

  test('runs in the folder of its command', async () => {
    const folder = realpathSync(temporaryFolder())
    const terms = { env: process.env, timeoutMs: 20_000, line: () => {} }
    const command = parseSigner("exec:sh -c 'pwd -P'", folder)
    const answer = await runSigner(command, {} as SignRequest, terms, never)
    assert.equal(Buffer.from(answer).toString(), `${folder}\n`)
  })

  test('that does not exist, or cannot be run, is refused', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'plain'), 'no program', { mode: 0o600 })
    for (const [name, why, hint] of [
      [join(folder, 'none'), /no such program \(ENOENT\)/, /see whether this works: /],
      [join(folder, 'plain'), /not executable \(EACCES\)/, /see whether this works: /],
      [join(folder, 'plain', 'x'), /a file, not a folder \(ENOTDIR\)/, /see whether this works: /],
      ['~/signer', /no such program/, /write the whole path: neither ~ nor/],
      ['$HOME/signer', /no such program/, /write the whole path/],
    ] as const) {
      const command = parseSigner(`exec:'${name}'`, folder)
      const terms = { env: {}, timeoutMs: 1_000, line: () => {} }
      await assert.rejects(
        runSigner(command, {} as SignRequest, terms, never),
        (error) => failed(why)(error) && hint.test((error as SwapError).hint ?? ''),
      )
    }
  })

  test('that leaves a child with its standard error is not waited for', async () => {
    const { signer, lines } = program('leaves a child with its errors', { timeoutMs: 10_000 })
    await sign(signer, draft)
    assert.deepEqual(lines, ['a last line'])
  })

  test('that writes lines without end has 64 of them shown', async () => {
    const { signer, lines } = program('talkative')
    await sign(signer, draft)
    assert.equal(lines.length, 64)
    assert.ok(lines.every((line) => line.length <= 500))
  })

  test('is killed where the command is stopped', async () => {
    const stop = new AbortController()
    const signing = sign(program('late').signer, draft, stop.signal)
    setTimeout(() => stop.abort(), 100)
    await assert.rejects(signing, failed(/was stopped/))
  })

  test('is not started where the command has been stopped', async () => {
    const ownKeys = () => assert.fail('its environment was read')
    const terms = { env: new Proxy({}, { ownKeys }), timeoutMs: 1_000, line: () => {} }
    const start = (interrupt: AbortSignal) =>
      runSigner(parseSigner('exec:/none', '.'), {} as SignRequest, terms, interrupt)
    await assert.rejects(start(never), /its environment was read/)
    await assert.rejects(start(AbortSignal.abort()), failed(/was stopped/))
  })
})
