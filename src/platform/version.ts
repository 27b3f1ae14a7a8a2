/** Constants defined by the build; absent when run from source. */
export const buildVersion = process.env['SWAP_BUILD_VERSION'] ?? '0.0.0-source'
export const buildCommit = process.env['SWAP_BUILD_COMMIT'] ?? 'source'
