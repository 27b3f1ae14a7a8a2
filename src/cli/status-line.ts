/** A line of a terminal that is rewritten in place. */
export type StatusLine = {
  show(text: string): void
  /** Removes the line where it is shown. */
  clear(): void
}

type Terminal = { write(text: string, done: () => void): unknown }

export function statusLine(stream: Terminal): StatusLine {
  let isShown = false
  const write = (text: string) => {
    stream.write(`\r\x1b[2K${text}`, () => {})
    isShown = text !== ''
  }
  return {
    show: write,
    clear() {
      if (isShown) write('')
    },
  }
}
