import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { afterAll, afterEach } from 'vitest'
import { closeAfterFile, closeAfterTest } from './closing.js'
import { emptyFolder, folder } from './program.js'
import './remembered-scrypt.js'

// Optimising SQLite's WASM takes 300 ms of processor time, more than the few statements of a test save.
setFlagsFromString('--liftoff-only')

// Workers load a module once for all their files, so a hook at the top level of a shared module would run
// for the first file only. This file runs for every test file.
afterEach(closeAfterTest)
afterAll(closeAfterFile)
afterAll(async () => {
  // A command that signs has started the demo chain of this home.
  if (existsSync(join(folder, 'state', 'demo')))
    await (await import('./cli.js')).runIn({ home: folder }, ['demo', 'stop'])
  emptyFolder()
})
