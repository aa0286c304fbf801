import type { InjectOptions } from 'fastify'
import { freshAddress } from './addresses.ts'
import { type Answer, manage, type Service } from './service.ts'

/** A request from an address of its own, as failures are counted by address; with a session's cookie where one is given. */
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

/** The token in a link, as an answer or a mail has it. */
export function tokenIn(link: string): string {
  return link.split('token=')[1]!
}

/** The path of an invitation that an owner's session makes, or the operator's token without one. */
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
