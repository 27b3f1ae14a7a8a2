/** @throws TypeError unless timers take it: a whole number above 0 that has at most 31 bits */
export function requireTimeout(timeoutMs: number): void {
  if (timeoutMs < 1 || (timeoutMs & 0x7fffffff) !== timeoutMs)
    throw new TypeError('timeoutMs must be 1 to 2147483647')
}
