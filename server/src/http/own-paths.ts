/**
 * Paths of the service itself: an unknown one below these answers as the API does, not with the console's page. The
 * console's build writes it into the service worker too.
 */
export const OWN_PATHS = /^\/(api|hooks|docs|images|assets|health|metrics|openapi\.json|llms\.txt)(\/|$)/
