import manifest from '../../../package.json' with { type: 'json' }

/** The version of this Shopbell. */
export const VERSION = manifest.version
