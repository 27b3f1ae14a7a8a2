import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Reading } from '../../../mcp/reading-tools.js'
import type { Check } from '../../../operations/doctor/doctor-answer.js'
import { check } from '../../../operations/doctor/doctor-port.js'
import type { Context } from '../../command.js'

/** Nothing is asked: the tools are listed only. */
const unread: Reading = {
  answer: () => Promise.reject(new Error('not asked')),
  market: () => Promise.reject(new Error('not asked')),
  history: () => Promise.reject(new Error('not asked')),
}

/** The tools that `swap mcp` lists, and whether clients find the program, which they start by its name. */
export async function mcpCheck({
  surroundings: { env },
}: Pick<Context, 'surroundings'>): Promise<Check> {
  const [{ readingTools }, { listedTools }] = await Promise.all([
    import('../../../mcp/reading-tools.js'),
    import('../../../mcp/tool-schema.js'),
  ])
  const tools = listedTools(readingTools(unread))
  const bytes = Buffer.byteLength(JSON.stringify({ tools }))
  const names = process.platform === 'win32' ? ['swap.cmd', 'swap.exe'] : ['swap']
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const isFound = folders.some((folder) => names.some((name) => existsSync(join(folder, name))))
  const data = { tools: tools.length, bytes, on_path: isFound }
  const found = `${tools.length} tools for agents in ${(bytes / 1_000).toFixed(1)} kB`
  if (isFound) return check('mcp', 'ok', `${found}; clients: swap mcp --help`, { data })
  return check('mcp', 'skip', `${found}; no client finds swap in PATH`, {
    why: 'clients start it by its name',
    do: 'npm install -g, or give clients the path of the program',
    data,
  })
}
