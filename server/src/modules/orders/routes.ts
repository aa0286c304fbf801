import type { App } from '../../app.ts'
import type { Deps } from '../../deps.ts'

export function orderRoutes(_app: App, _deps: Deps): void {}
