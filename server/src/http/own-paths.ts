/**
 * Paths of the service itself. An unknown path below these is answered as the API does, not with the console's page.
 * The console's build also writes this pattern into the service worker.
 */
export const OWN_PATHS = /^\/(api|hooks|docs|images|assets|health|metrics|openapi\.json|llms\.txt)(\/|$)/
