// A signer whose faults are those of its process. `good` signs with the key of the demo chain.
import { spawn } from 'node:child_process'
import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [, , fault, secret, publicKey] = process.argv
const wait = () => setInterval(() => {}, 1_000)

function answer() {
  const request = JSON.parse(readFileSync(0, 'utf8'))
  const der = Buffer.from(`302e0201010420${secret}a00706052b8104000a`, 'hex')
  const key = createPrivateKey({ key: der, format: 'der', type: 'sec1' })
  const bytes = Buffer.from(request.sign_bytes, 'base64')
  const signature = sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' })
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = BigInt(`0x${signature.toString('hex', 32)}`)
  if (s > order / 2n) signature.write((order - s).toString(16).padStart(64, '0'), 32, 'hex')
  return JSON.stringify({
    public_key: Buffer.from(publicKey, 'hex').toString('base64'),
    signature: signature.toString('base64'),
  })
}

const faults = {
  good: () => console.log(answer()),
  cwd: () => console.error(process.cwd()),
  'says no': () => {
    console.error('declined on the device')
    process.exitCode = 3
  },
  'says much and then no': () => {
    for (let line = 0; line < 100; line += 1) console.error(`line ${line}`)
    process.stderr.write('declined at the end')
    process.exitCode = 3
  },
  'answers and fails': () => {
    console.log(answer())
    process.exitCode = 1
  },
  killed: () => process.kill(process.pid, 'SIGTERM') && wait(),
  late: wait,
  'leaves a child with its errors': () => {
    console.log(answer())
    console.error('a last line')
    const stdio = ['ignore', 'ignore', 'inherit']
    spawn(process.execPath, ['-e', 'setTimeout(() => {}, 12000)'], { stdio }).unref()
  },
  huge: () => process.stdout.write('x'.repeat(1 << 20)),
  talkative: () => {
    for (let line = 0; line < 2_000; line += 1) console.error(`line ${line} ${'x'.repeat(600)}`)
    console.log(answer())
  },
  'does not read': () => process.stdin.destroy(),
  'answers before it reads': () => {
    const zeros = Buffer.alloc(64, 1).toString('base64')
    console.log(
      JSON.stringify({
        public_key: Buffer.from(publicKey, 'hex').toString('base64'),
        signature: zeros,
      }),
    )
  },
  'prints its environment': () => {
    console.error(Object.keys(process.env).sort().join(' '))
    process.exitCode = 1
  },
}
faults[fault]()
