/** What the build was told; run from source there is no build. */
export const buildVersion = process.env['SWAP_BUILD_VERSION'] ?? '0.0.0-source'
export const buildCommit = process.env['SWAP_BUILD_COMMIT'] ?? 'source'
