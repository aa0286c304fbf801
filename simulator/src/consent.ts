import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { escapeHtml } from './desk/page.ts'
import { OA_ID } from './oauth.ts'
import { asJson, asText, type Json } from './read.ts'
import { nowMs, oaOf, type State } from './state.ts'

const CODE_MS = 10 * 60_000

/** An app's request for the consent of an OA's owner; the platform accepts PKCE with S256 only. */
type Asked = { appId: string; redirectUri: string; challenge: string; state: string }

/** The request, or the problem with it. */
function readAsked(state: State, input: Json): Asked | string {
  const asked = {
    appId: asText(input.app_id),
    redirectUri: asText(input.redirect_uri),
    challenge: asText(input.code_challenge),
    state: asText(input.state),
  }
  if (asked.appId !== state.settings.appId) return 'app_id is not the id of an app'
  if (!/^https?:$/.test(URL.parse(asked.redirectUri)?.protocol ?? ''))
    return 'redirect_uri must be an address'
  if (!/^[\w-]{43}$/.test(asked.challenge)) return 'code_challenge must be a SHA-256 in base64url'
  return asked
}

/** The page where the owner of an OA lets an app act for it, and the redirect back to the app with a code. */
export function consentRoutes(app: FastifyInstance, state: State): void {
  const refuse = (reply: FastifyReply, problem: string) =>
    sendPage(reply.code(400), `<p>${escapeHtml(problem)}</p>`)

  app.get('/v4/oa/permission', async (req, reply) => {
    const asked = readAsked(state, asJson(req.query))
    return typeof asked === 'string' ? refuse(reply, asked) : sendPage(reply, consentForm(state, asked))
  })

  app.post('/v4/oa/permission', async (req, reply) => {
    const body = asJson(req.body)
    const asked = readAsked(state, body)
    if (typeof asked === 'string') return refuse(reply, asked)
    const back = new URL(asked.redirectUri)
    back.searchParams.set('state', asked.state)
    const oaId = asText(body.oa_id).trim()
    if (body.answer !== 'allow') {
      back.searchParams.set('error', 'access_denied')
    } else if (OA_ID.test(oaId)) {
      const code = `simc-${randomUUID()}`
      const { appId, challenge } = asked
      oaOf(state, oaId)
      state.consentCodes.set(code, { oaId, appId, challenge, expiresAt: nowMs(state) + CODE_MS })
      back.searchParams.set('code', code)
      back.searchParams.set('oa_id', oaId)
    } else {
      return refuse(reply, 'oa_id must be letters, digits, - and _')
    }
    return reply.redirect(back.href, 303)
  })
}

function consentForm(state: State, asked: Asked): string {
  const hidden = {
    app_id: asked.appId,
    redirect_uri: asked.redirectUri,
    code_challenge: asked.challenge,
    state: asked.state,
  }
  const fields = Object.entries(hidden)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('')
  const known = [...state.oas.values()]
    .map(({ id, name }) => `<option value="${escapeHtml(id)}">${escapeHtml(name)}</option>`)
    .join('')
  return `<p>The app ${escapeHtml(asked.appId)} asks to send messages in the name of an official account.</p>
<form method="post" action="/v4/oa/permission">${fields}
<p><label>Official account ID <input name="oa_id" list="oas" required autocomplete="off"></label><datalist id="oas">${known}</datalist></p>
<button name="answer" value="allow">Allow</button> <button name="answer" value="refuse" formnovalidate>Refuse</button></form>`
}

function sendPage(reply: FastifyReply, body: string) {
  return reply
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    )
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Simulator: consent</title><style>body{font:15px/1.5 system-ui,sans-serif;max-width:30rem;margin:3rem auto;padding:0 1rem}</style>
</head><body><main><h1>Simulator of the messaging platform</h1>${body}</main></body></html>`,
    )
}
