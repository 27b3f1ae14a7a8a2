// The entry of the single-file program: unpacks the files of the package once for each build, into a folder of
// its user alone, and runs them. Threads, child processes, manual pages and the demo market are files as in an
// installation.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getRawAsset } from 'node:sea'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'

const packed = Buffer.from(getRawAsset('files'))
const name = createHash('sha256').update(packed).digest('hex').slice(0, 32)

/** The folder of this build's files; only its user may have written there. */
function folderOfFiles() {
  const { XDG_CACHE_HOME: cache } = process.env
  const user = process.getuid?.()
  const roots = [
    join(cache ?? '', 'swap-binary'),
    join(homedir(), '.cache/swap-binary'),
    // Not below a folder of its own there, which another user may have made.
    join(tmpdir(), `swap-binary-${user}`),
  ]
  for (const root of roots) {
    if (!root.startsWith('/')) continue
    try {
      mkdirSync(root, { recursive: true, mode: 0o700 })
      const { uid, mode } = lstatSync(root)
      if (uid !== user || (mode & 0o022) !== 0) continue
      const folder = join(root, name)
      if (!existsSync(folder)) unpack(folder)
      return folder
    } catch (error) {
      if (!['EACCES', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS'].includes(error.code))
        throw error
    }
  }
  throw new Error('there is no folder to unpack the program to: set XDG_CACHE_HOME')
}

function unpack(folder) {
  const bytes = brotliDecompressSync(packed)
  const length = bytes.readUInt32LE(0)
  const files = JSON.parse(bytes.subarray(4, 4 + length).toString())
  const draft = `${folder}.${randomBytes(6).toString('hex')}`
  let at = 4 + length
  for (const { path, size } of files) {
    mkdirSync(dirname(join(draft, path)), { recursive: true, mode: 0o700 })
    writeFileSync(join(draft, path), bytes.subarray(at, at + size), { mode: 0o600 })
    at += size
  }
  try {
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process was first.
    if (!existsSync(folder)) throw error
  }
}

const [, , first, ...rest] = process.argv
// The program starts its own entries as Node starts files, in processes that may know no home.
const isEntry = first?.includes(`/${name}/`) === true && existsSync(first)
const entry = isEntry ? first : join(folderOfFiles(), 'bin/swap.js')
process.argv = [process.execPath, entry, ...(isEntry ? rest : process.argv.slice(2))]
// An import in a single-file program finds only Node's own modules; that of a required file finds files.
const folder = entry.slice(0, entry.indexOf(name) + name.length)
const importFile = createRequire(entry)(join(folder, 'import.cjs'))
await importFile(pathToFileURL(entry).href)
