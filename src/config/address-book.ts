/** A text as long as an address, in the shape of bech32; the checksum is another matter. */
export const isAddressShaped = (text: string): boolean =>
  /^[a-z]{1,20}1[a-z0-9]{38,68}$/i.test(text)

/** Whether a text can be a name of the address book: what names a key, and looks like no address. */
export const isBookName = (text: string): boolean =>
  /^[a-z0-9][a-z0-9_-]{0,31}$/i.test(text) && !/^[a-z]{2,}1[02-9ac-hj-np-z]{6,}$/i.test(text)
