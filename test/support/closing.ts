type Closing = () => unknown
const closings: Closing[] = []
const closingsOfFile: Closing[] = []

/** Closes a resource after the test that opened it. */
export function closing<T extends { close(): unknown }>(resource: T): T {
  closings.push(() => resource.close())
  return resource
}

/** Closes a resource after all tests of the file. */
export function closingLast<T extends { close(): unknown }>(resource: T): T {
  closingsOfFile.push(() => resource.close())
  return resource
}

const closeAll = async (list: Closing[]): Promise<void> => {
  for (const close of list.splice(0).reverse()) await close()
}

export const closeAfterTest = (): Promise<void> => closeAll(closings)
export const closeAfterFile = (): Promise<void> => closeAll(closingsOfFile)
