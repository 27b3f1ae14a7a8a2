import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates an empty folder within the folder of the test run, which is removed at the end. */
export const temporaryFolder = (name = 'test'): string =>
  mkdtempSync(join(tmpdir(), `swap-${name}-`))
