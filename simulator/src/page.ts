import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type Component, components, fill } from './layout.ts'
import { newestMessages } from './message-log.ts'
import { asJson, asText, type Json } from './read.ts'
import type { Message, State, Template } from './state.ts'

const SHOWN_MESSAGES = 40
const SHOWN_TEMPLATES = 50

/** Text made safe for HTML, in content and in quoted attributes alike. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

// Reloads while nobody is writing a reason, so that what is typed is never lost.
const SCRIPT = `setInterval(() => {
  const written = [...document.querySelectorAll('input[type=text]')].some((box) => box.value !== '')
  if (!written && !document.activeElement?.matches('input')) location.reload()
}, 3000)`

const POLICY = `default-src 'none'; img-src 'self' http: https:; style-src 'unsafe-inline'; script-src 'sha256-${createHash(
  'sha256',
)
  .update(SCRIPT)
  .digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'`

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d9dee5, #39424e); --card: light-dark(#fff, #20262e);
  --ground: light-dark(#eef2f6, #14181d); --ink: light-dark(#1d2733, #e6ebf1); --dim: light-dark(#5c6a7a, #94a2b3);
  --accent: light-dark(#1f5fbf, #7db0ff) }
* { box-sizing: border-box } body { margin: 0; font: 15px/1.45 system-ui, sans-serif; background: var(--ground); color: var(--ink) }
header { padding: 14px 24px; border-bottom: 1px solid var(--line); background: var(--card) }
h1 { font-size: 18px; margin: 0 } h2 { font-size: 15px; margin: 0 0 10px } .dim { color: var(--dim); font-size: 13px }
main { display: grid; grid-template-columns: minmax(280px, 380px) 1fr; gap: 24px; padding: 24px; max-width: 1200px }
@media (max-width: 760px) { main { grid-template-columns: 1fr; padding: 12px } }
.phone { border: 10px solid #20262e; border-radius: 34px; background: var(--ground); height: 640px; overflow-y: auto; padding: 14px }
.msg, .tpl { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 12px; margin: 0 0 6px; overflow-wrap: anywhere }
.meta { margin: 0 0 14px 4px } .tpl { margin-bottom: 14px } .logo { max-height: 32px; max-width: 60% } .pic { width: 100%; border-radius: 8px }
.title { font-weight: 600; margin: 6px 0 } p { margin: 6px 0 } table { width: 100%; border-collapse: collapse } td { padding: 3px 0; vertical-align: top }
td:first-child { color: var(--dim); padding-right: 10px } .r1 { color: #16803c } .r2 { color: var(--accent) } .r3 { color: #b07a00 } .r4 { color: #c92a2a }
.btn { display: block; text-align: center; border-top: 1px solid var(--line); margin-top: 8px; padding-top: 8px; color: var(--accent); font-weight: 600 }
.voucher { border: 1px dashed var(--accent); border-radius: 8px; padding: 8px }
form { display: inline-flex; gap: 6px; margin: 8px 8px 0 0 } button { font: inherit; padding: 5px 14px; border-radius: 8px; border: 1px solid var(--line); background: var(--card); color: inherit; cursor: pointer }
button.yes { background: #16803c; border-color: #16803c; color: #fff } input { font: inherit; padding: 5px 8px; border-radius: 8px; border: 1px solid var(--line); background: var(--ground); color: inherit; min-width: 220px }
.reason { color: #c92a2a }`

function document(title: string, body: string, isLive: boolean): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>${body}${isLive ? `<script>${SCRIPT}</script>` : ''}</body></html>`
}

function picture(mediaId: string, className: string): string {
  if (!mediaId) return ''
  const address = /^https?:\/\//i.test(mediaId) ? mediaId : `/media/${encodeURIComponent(mediaId)}`
  return `<img class="${className}" alt="" referrerpolicy="no-referrer" src="${escapeHtml(address)}">`
}

function drawPart(part: Component, values: Json): string {
  const text = (raw: string) => escapeHtml(fill(raw, values))
  switch (part.kind) {
    case 'LOGO':
      return picture(part.light, 'logo')
    case 'IMAGES':
      return part.mediaIds.map((id) => picture(id, 'pic')).join('')
    case 'TITLE':
      return `<div class="title">${text(part.value)}</div>`
    case 'PARAGRAPH':
      return `<p>${text(part.value)}</p>`
    case 'TABLE': {
      const rows = part.rows.map((row) => {
        const colour = /^[0-5]$/.test(row.rowType) ? row.rowType : '0'
        return `<tr><td>${text(row.title)}</td><td class="r${colour}">${text(row.value)}</td></tr>`
      })
      return `<table>${rows.join('')}</table>`
    }
    case 'VOUCHER':
      return `<div class="voucher"><b>${text(part.name)}</b><p>${text(part.condition)}</p><p><code>${text(part.code)}</code></p>
<div class="dim">${text(part.startDate)} – ${text(part.endDate)}</div></div>`
    case 'RATING':
      return `<p class="title">☆ ☆ ☆ ☆ ☆</p>${part.items
        .map((item) => `<p><b>${escapeHtml(item.star)}★ ${text(item.title)}</b> ${text(item.question)}</p>`)
        .join('')}`
    case 'BUTTONS':
      return part.items
        .map((item) => `<span class="btn" title="${text(item.content)}">${text(item.title)}</span>`)
        .join('')
    case 'OTHER':
      return `<p class="dim">[${escapeHtml(part.name)}]</p>`
  }
}

function drawMessage(message: Message): string {
  const time = new Date(message.deliveredAt ?? message.acceptedAt).toLocaleTimeString('en-GB')
  const notes = [
    time,
    `to ${message.recipient}`,
    `from ${message.oaId}`,
    ...(message.deliveredCount > 1 ? [`received ${message.deliveredCount} times`] : []),
    ...(message.isRepeat ? ['repeated tracking id'] : []),
    ...(message.developmentMode ? ['development mode'] : []),
  ]
  return `<div class="msg">${components(message.layout)
    .map((part) => drawPart(part, message.params))
    .join('')}</div><div class="dim meta">${escapeHtml(notes.join(' · '))}</div>`
}

function samples(template: Template): Json {
  return Object.fromEntries(template.params.map((param) => [param.name, param.sampleValue]))
}

function drawTemplate(template: Template): string {
  const path = `/control/templates/${encodeURIComponent(template.id)}`
  const values = samples(template)
  return `<div class="tpl"><h2>${escapeHtml(template.name)}</h2>
<div class="dim">${escapeHtml(`${template.id} · OA ${template.oaId} · tag ${template.tag}`)}</div>
${components(template.layout)
  .map((part) => drawPart(part, values))
  .join('')}
${template.note ? `<p class="dim">Note: ${escapeHtml(template.note)}</p>` : ''}
<form method="post" action="${path}/approve"><button class="yes">Approve</button></form>
<form method="post" action="${path}/reject"><input type="text" name="reason" placeholder="Reason, several joined by ;" aria-label="Reason"><button>Reject</button></form></div>`
}

function drawDecided(template: Template): string {
  const reason = template.reason ? ` <span class="reason">${escapeHtml(template.reason)}</span>` : ''
  return `<div class="tpl"><b>${escapeHtml(template.name)}</b> <span class="dim">${escapeHtml(template.id)}</span> ${template.status}${reason}</div>`
}

function drawDesk(state: State, to: string): string {
  const shown = newestMessages(
    state,
    (message) => message.deliveredCount > 0 && (to === '' || message.recipient === to),
    SHOWN_MESSAGES,
  ).reverse()
  const templates = [...state.templates.values()].reverse()
  const pending = templates.filter((template) => template.status === 'PENDING_REVIEW')
  const decided = templates.filter((template) => template.status !== 'PENDING_REVIEW')
  const manual =
    state.settings.reviewMs < 0 ? 'by hand only' : `by itself after ${state.settings.reviewMs} ms`
  return `<header><h1>Messaging platform, simulated</h1><div class="dim">${state.accepted} messages accepted, ${
    state.duplicates
  } repeated · review ${manual}</div></header>
<main><section><h2>What the customer sees</h2><form method="get" action="/"><input name="to" value="${escapeHtml(
    to,
  )}" placeholder="Phone or user id" aria-label="Phone or user id"><button>Show</button></form>
<div class="phone">${shown.map(drawMessage).join('') || '<p class="dim">No message has arrived yet.</p>'}</div></section>
<section><h2>Waiting for review (${pending.length})</h2>
${pending.slice(0, SHOWN_TEMPLATES).map(drawTemplate).join('') || '<p class="dim">Nothing waits for review.</p>'}
<h2>Decided (${decided.length})</h2>${decided.slice(0, SHOWN_TEMPLATES).map(drawDecided).join('')}</section></main>`
}

export function pageRoutes(app: FastifyInstance, state: State): void {
  app.get('/', async (req, reply) => {
    const to = asText(asJson(req.query).to)
    reply.header('content-security-policy', POLICY)
    return reply.type('text/html; charset=utf-8').send(document('Simulator', drawDesk(state, to), true))
  })

  app.get<{ Params: { id: string } }>('/preview/:id', async (req, reply) => {
    const template = state.templates.get(req.params.id)
    if (!template) return reply.code(404).send({ message: 'No such template' })
    const values = samples(template)
    const parts = components(template.layout).map((part) => drawPart(part, values))
    reply.header('content-security-policy', POLICY)
    return reply
      .type('text/html; charset=utf-8')
      .send(document(template.name, `<main><div class="msg">${parts.join('')}</div></main>`, false))
  })
}
