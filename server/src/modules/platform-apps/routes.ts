import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { NotFound } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { operatorOriginOf } from '../audit/origin.ts'
import { presentPlatformApp } from './present.ts'
import { platformAppRecord, setPlatformAppBody } from './schema.ts'
import { removePlatformApp, setPlatformApp } from './set-app.ts'
import { listPlatformApps } from './sql.ts'

const tags = ['Management']
const one = Type.Object({ data: platformAppRecord })

/** The operator's apps on the platform (G-61); the caller is known to be the operator. */
export function platformAppRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/manage/v1/platform-apps',
    {
      schema: {
        tags,
        operationId: 'listPlatformApps',
        summary: 'List the apps on the messaging platform, without their secrets',
        response: { 200: Type.Object({ data: Type.Array(platformAppRecord) }) },
      },
    },
    async () => ({ data: (await listPlatformApps(deps.db)).map(presentPlatformApp) }),
  )

  app.post(
    '/api/manage/v1/platform-apps',
    {
      schema: {
        tags,
        operationId: 'setPlatformApp',
        summary:
          'Set an app on the messaging platform: its name and secrets; fields that are not sent keep their value',
        body: setPlatformAppBody,
        response: { 200: one },
      },
    },
    async (request) => ({
      data: presentPlatformApp(await setPlatformApp(deps, request.body, operatorOriginOf(request))),
    }),
  )

  app.delete(
    '/api/manage/v1/platform-apps/:appId',
    {
      schema: {
        tags,
        operationId: 'removePlatformApp',
        summary: 'Remove an app; refused while official accounts refer to it',
        errors: ['APP_IN_USE'],
        response: { 200: one },
      },
    },
    async (request) => {
      const { appId } = request.params as { appId: string }
      // The database stores no text with NUL, so no app has such an id.
      if (appId.includes('\0')) throw new NotFound('platformApp')
      return { data: presentPlatformApp(await removePlatformApp(deps, appId, operatorOriginOf(request))) }
    },
  )
}
