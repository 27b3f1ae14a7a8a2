import { resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { Client, type Transport } from '@modelcontextprotocol/client'
import { runCli } from '../../../../src/compose/cli.js'
import { closing } from '../../../support/closing.js'

export type Era = 'legacy' | 'modern'
export const eras: readonly Era[] = ['legacy', 'modern']

/** A `swap mcp` in this process: lines go in, lines come out. */
export type Running = {
  readonly lines: string[]
  readonly notes: string[]
  send(text: string): void
  onLine(listener: (line: string) => void): void
  /** The exit status. */
  readonly status: Promise<number>
  /** Ends its input. @returns the exit status */
  end(): Promise<number>
}

/** Starts `swap mcp` in this process with the given home and variables. */
export function startMcp(
  place: {
    readonly home: string
    readonly env?: Readonly<Record<string, string>>
    readonly isTTY?: boolean
  },
  ...flags: readonly string[]
): Running {
  const { home, env = {}, isTTY = false } = place
  const stdin = Object.assign(new PassThrough(), { isTTY })
  const [lines, notes]: [string[], string[]] = [[], []]
  let listener = (_: string) => {}
  let rest = ''
  const take = (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      lines.push(line)
      listener(line)
    }
  }
  const sink = (write: (text: string) => void) => ({
    write(text: string, done: () => void) {
      write(text)
      setImmediate(done)
      return true
    },
    on: () => undefined,
  })
  const status = runCli(['mcp', ...flags], {
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', SWAP_HOME: home, HOME: home, ...env },
    cwd: home,
    home,
    stdin,
    streams: { stdout: sink(take), stderr: sink((text) => notes.push(text)), setExit: () => {} },
    self: [process.execPath, resolve('bin/swap.js')],
    isDetached: true,
  })
  return {
    lines,
    notes,
    status,
    send: (text) => void stdin.write(text),
    onLine(call) {
      listener = call
    },
    async end() {
      stdin.end()
      return status
    },
  }
}

/** The official client of an era, connected to a `swap mcp` in this process until the end of the test. */
export async function connect(era: Era, ...call: Parameters<typeof startMcp>) {
  const running = startMcp(...call)
  const transport: Transport = {
    async start() {
      running.onLine((line) => transport.onmessage?.(JSON.parse(line)))
    },
    async send(message) {
      running.send(`${JSON.stringify(message)}\n`)
    },
    async close() {
      await running.end()
      transport.onclose?.()
    },
  }
  const mode = era === 'modern' ? ({ pin: '2026-07-28' } as const) : 'legacy'
  const client = closing(
    new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } }),
  )
  await client.connect(transport)
  return { client, running }
}
