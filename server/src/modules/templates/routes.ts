import type { App } from '../../app.ts'
import type { Deps } from '../../deps.ts'

export function templateRoutes(_app: App, _deps: Deps): void {}
