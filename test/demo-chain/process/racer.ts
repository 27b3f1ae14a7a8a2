// Run as a process of its own: takes the lock again and again, and shouts if somebody else is inside.
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { acquireLock } from '../../../src/demo-chain/process/lock.js'

const [folder = '', how = ''] = process.argv.slice(2)
const inside = join(folder, 'inside')

if (how === 'hold') {
  await acquireLock(join(folder, 'lock'))
  process.stdout.write('held\n')
  await wait(60_000)
}

// Nobody begins before all are there.
process.stdout.write('ready\n')
while (!existsSync(join(folder, 'go'))) await wait(1)

const ROUNDS = 20
for (let round = 0; round < ROUNDS; round++) {
  const lock = await acquireLock(join(folder, 'lock'), 60_000)
  try {
    writeFileSync(inside, String(process.pid), { flag: 'wx' })
  } catch {
    appendFileSync(join(folder, 'collisions'), `${process.pid}\n`)
  }
  await wait(1)
  appendFileSync(join(folder, 'entries'), `${process.pid}\n`)
  rmSync(inside, { force: true })
  // One of them dies with the lock in its hand now and then.
  if (how === 'dies' && round === 2) process.kill(process.pid, 'SIGKILL')
  lock.release()
  // Whoever waits looks every 25 ms: leave them a chance.
  await wait(10 + (process.pid % 7) * 5)
}
