/** One server-sent event. */
export type ServerEvent = { readonly event: string; readonly data: string; readonly id: string }

/** Reads server-sent events until the body ends; leaving the loop closes the connection. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let id = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/)
      rest = blocks.pop()!
      for (const block of blocks) {
        let [event, data] = ['message', '']
        for (const line of block.split(/\r?\n/)) {
          const [, name, text = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
          if (name === 'event') event = text
          else if (name === 'data') data += `${data && '\n'}${text}`
          else if (name === 'id') id = text
        }
        // A block without data is a comment: a sign of life.
        if (data !== '') yield { event, data, id }
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
