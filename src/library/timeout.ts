/** @throws TypeError unless timers take it: above 2^31 - 1 milliseconds they fire at once */
export function requireTimeout(timeoutMs: number): void {
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs >= 2 ** 31)
    throw new TypeError('timeoutMs must be a whole number of milliseconds, from 1 to 2147483647')
}
