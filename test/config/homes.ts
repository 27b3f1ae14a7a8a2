import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConfigSources, loadConfig } from '../../src/config/load.js'
import { SwapError } from '../../src/engine/errors.js'

/** A home and a project folder with these files, and the options to load them. */
export function homeWith(files: { user?: string; project?: string; other?: string } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'swap-config-'))
  const [home, cwd] = [join(root, 'home'), join(root, 'project')]
  for (const folder of [home, cwd]) mkdirSync(folder)
  if (files.user !== undefined) writeFileSync(join(home, '.swaprc'), files.user)
  if (files.project !== undefined) writeFileSync(join(cwd, '.swaprc'), files.project)
  if (files.other !== undefined) writeFileSync(join(cwd, 'other.yaml'), files.other)
  const sources = { env: {}, cwd, home, flags: {} }
  return {
    home,
    cwd,
    load: (more: Partial<ConfigSources> = {}) => loadConfig({ ...sources, ...more }),
  }
}

export async function refusal(run: Promise<unknown>): Promise<SwapError & { fullMessage: string }> {
  const error = await run.then(
    () => assert.fail('nothing was thrown'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof SwapError, `not a SwapError: ${error}`)
  return Object.assign(error, { fullMessage: `${error.message} | ${error.why} | ${error.hint}` })
}
