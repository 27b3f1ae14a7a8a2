import fs, { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { replace, writeNew } from '../../../src/wallet/store/files.js'

/** Ends this process, as a loss of power would, before the nth thing that it asks of the disk. */
function endBefore(nth: number): void {
  let count = 0
  const counted = (target: Record<string, unknown>, name: string) => {
    const real = target[name] as (...args: unknown[]) => unknown
    target[name] = function (this: unknown, ...args: unknown[]) {
      count += 1
      if (count === nth) process.kill(process.pid, 'SIGKILL')
      return real.apply(this, args)
    }
  }
  const promises = fs.promises as unknown as Record<string, unknown>
  for (const name of ['open', 'link', 'unlink', 'rename']) counted(promises, name)
  const synchronous = fs as unknown as Record<string, unknown>
  for (const name of ['openSync', 'fchmodSync', 'writeFileSync', 'fsyncSync', 'linkSync', 'rmSync'])
    counted(synchronous, name)
  counted(synchronous, 'renameSync')
  syncBuiltinESMExports()
}

const [job, folder = '', source = '', nth = '0'] = process.argv.slice(2)
const bytes = readFileSync(source)
const path = `${folder}/main.json`

/** Each job loads only what it needs: there is a process for every request to the disk. */
const jobs: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
  new: async () => () => writeNew(path, bytes),
  replace: async () => () => replace(path, bytes),
  rename: async () => {
    const { renameKey } = await import('../../../src/wallet/make.js')
    const { loadKey } = await import('../../../src/wallet/store/keys.js')
    const store = { folder, home: undefined }
    return async () => renameKey(store, await loadKey(store, 'main'), 'other')
  },
}

const work = await jobs[job ?? '']!()
endBefore(Number(nth))
await work()
process.stdout.write('done')
