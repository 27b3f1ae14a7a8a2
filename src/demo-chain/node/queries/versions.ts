/** The CometBFT that the node answers like. cosmjs picks its client by it. */
export const COMET_VERSION = '0.38.19'
/** The Cosmos SDK that it answers like. */
export const SDK_VERSION = 'v0.53.6'
/** The application that it answers like: wasmd, whose errors name this version. */
export const APP_VERSION = 'v0.60.8'
