import fs, { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { renameKey } from '../../../src/wallet/make.js'
import { loadKey } from '../../../src/wallet/store/keys.js'
import { replace, writeNew } from '../../../src/wallet/store/write.js'

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
const store = { folder, home: undefined }
endBefore(Number(nth))
if (job === 'new') await writeNew(`${folder}/main.json`, bytes)
if (job === 'replace') await replace(`${folder}/main.json`, bytes)
if (job === 'rename') await renameKey(store, await loadKey(store, 'main'), 'other')
process.stdout.write('done')
