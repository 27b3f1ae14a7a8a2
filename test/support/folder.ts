import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates an empty folder. It lies in the folder of the test run, which is removed with all in it. */
export const temporaryFolder = (name = 'test'): string =>
  mkdtempSync(join(tmpdir(), `swap-${name}-`))
