/** Thousands separators of a number, not in its fraction. For display only: no parser accepts them. */
export const groupThousands = (digits: string): string =>
  digits.replace(/\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','))

/** A number of things, in sentences. @example counted(1200, 'block') // '1,200 blocks' */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${groupThousands(`${count}`)} ${count === 1 ? noun : plural}`
