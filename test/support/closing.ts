type Closing = () => unknown
const closings: Closing[] = []
const closingsOfFile: Closing[] = []

/** Closes something after the test in which it was opened. */
export function closing<T extends { close(): unknown }>(thing: T): T {
  closings.push(() => thing.close())
  return thing
}

/** Closes something after all tests of the file. */
export function closingLast<T extends { close(): unknown }>(thing: T): T {
  closingsOfFile.push(() => thing.close())
  return thing
}

const closeAll = async (list: Closing[]): Promise<void> => {
  for (const close of list.splice(0).reverse()) await close()
}

export const closeAfterTest = (): Promise<void> => closeAll(closings)
export const closeAfterFile = (): Promise<void> => closeAll(closingsOfFile)
