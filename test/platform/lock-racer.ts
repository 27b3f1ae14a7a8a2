// Run as a separate process: takes the lock again and again, and records a second process inside.
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { acquireLock } from '../../src/platform/lock-file.js'

const [folder = '', how = ''] = process.argv.slice(2)
const inside = join(folder, 'inside')

if (how === 'hold') {
  await acquireLock(join(folder, 'lock'), 2_000)
  process.stdout.write('held\n')
  await wait(60_000)
}

// Starts together with the other racers.
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
  // Some racers die while they hold the lock.
  if (how === 'dies' && round === 2) process.kill(process.pid, 'SIGKILL')
  lock.release()
  // Waiting processes poll every 25 ms.
  await wait(10 + (process.pid % 7) * 5)
}
