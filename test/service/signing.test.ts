import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'vitest'

/** Modules that a file imports, statically or dynamically. */
const namedIn = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    ([, name = '']) => name,
  )

/** Every file that can be reached from the entries, and every package that they import. */
function reach(entries: readonly string[]) {
  const [files, packages] = [new Set<string>(), new Set<string>()]
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    for (const name of namedIn(file)) {
      if (!name.startsWith('.')) packages.add(name)
      else visit(normalize(join(dirname(file), name)).replace(/\.js$/, '.ts'))
    }
  }
  for (const entry of entries) visit(entry)
  return { files: [...files], packages: [...packages] }
}

const http = ['src/service', 'src/mcp'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
)

test('no signing code and no key can be reached from the service and the tools for agents', () => {
  const { files, packages } = reach(http)
  assert.ok(files.length > 50 && files.every(existsSync))
  const signing = /@cosmjs\/(crypto|amino|proto-signing|stargate|cosmwasm)|@noble|bip39|scrypt/
  assert.deepEqual(
    packages.filter((name) => signing.test(name)),
    [],
  )
  const ours = /sign|wallet|mnemonic|keys?(file)?\b/i
  assert.deepEqual(
    files.filter((file) => ours.test(file)),
    [],
  )
  for (const file of files)
    assert.doesNotMatch(readFileSync(file, 'utf8'), /broadcast_tx|createSign|privateKey/i, file)
})
