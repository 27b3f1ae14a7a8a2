/** Files of tax programs (docs/operations.md#tax-files). */
export const TAX_FORMATS = ['koinly', 'ctc', 'rotki', 'generic'] as const
export type TaxFormat = (typeof TAX_FORMATS)[number]
