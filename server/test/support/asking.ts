import type { InjectOptions } from 'fastify'
import { freshAddress } from './addresses.ts'
import { type Answer, manage, type Service } from './service.ts'

/** A request from a new address, because failures are counted by address; with a session's cookie if one is given. */
export async function ask(
  running: Pick<Service, 'app'>,
  method: InjectOptions['method'],
  url: string,
  options: { cookie?: string; body?: object; address?: string } = {},
): Promise<Answer> {
  const answer = await running.app.inject({
    method: method!,
    url,
    remoteAddress: options.address ?? freshAddress(),
    headers: options.cookie === undefined ? {} : { cookie: options.cookie },
    ...(options.body === undefined ? {} : { payload: options.body }),
  })
  return {
    status: answer.statusCode,
    body: answer.body === '' ? undefined : answer.json(),
    headers: answer.headers as Record<string, string>,
  }
}

/** The token in a link from a response or a mail. */
export function tokenIn(link: string): string {
  return link.split('token=')[1]!
}

/**
 * Invites with an owner's session, or without one with the operator's token.
 * @returns the path of the invitation.
 */
export async function invite(
  running: Service,
  shopId: string,
  asked: { email: string; role: 'owner' | 'staff' | 'viewer' },
  cookie?: string,
): Promise<string> {
  const path = `/shops/${shopId}/invitations`
  const invited =
    cookie === undefined
      ? await manage(running, 'POST', path, asked)
      : await ask(running, 'POST', `/api/manage/v1${path}`, { cookie, body: asked })
  if (invited.status !== 201) throw new Error(`the invitation answered ${invited.status}`)
  return `/api/console/v1/invitations/${tokenIn(invited.body.data.link)}`
}
