import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { newestMessages } from '../messages/message-log.ts'
import { asJson, asText, type Json } from '../read.ts'
import type { Message, State, Template } from '../state.ts'
import { type Component, components, fill } from '../templates/layout.ts'

const SHOWN_MESSAGES = 40
const SHOWN_TEMPLATES = 50

/** Escapes text for HTML, both for content and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

// Reloads unless somebody is typing a reason or reading a decided template, so that neither is lost.
const SCRIPT = `setInterval(() => {
  const busy = [...document.querySelectorAll('input[type=text]')].some((box) => box.value !== '')
    || document.querySelector('details[open]') || document.activeElement?.matches('input')
  if (!busy) location.reload()
}, 3000)`

const POLICY = `default-src 'none'; img-src 'self' http: https:; style-src 'unsafe-inline'; script-src 'sha256-${createHash(
  'sha256',
)
  .update(SCRIPT)
  .digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'`

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#dfe4ea, #363f4a); --card: light-dark(#fff, #20262e);
  --ground: light-dark(#f3f5f8, #14181d); --chat: light-dark(#e4ebf5, #171c22); --ink: light-dark(#1d2733, #e6ebf1);
  --dim: light-dark(#56636f, #9aa7b6); --accent: light-dark(#1f5fbf, #7db0ff); --bad: light-dark(#b42318, #ff8a80);
  --good: light-dark(#16713a, #5fd08b); --warn: light-dark(#8a5a00, #f0b84b) }
* { box-sizing: border-box } body { margin: 0; font: 15px/1.45 system-ui, sans-serif; background: var(--ground); color: var(--ink) }
body > header { padding: 14px 24px; border-bottom: 1px solid var(--line); background: var(--card); display: flex; flex-wrap: wrap; gap: 4px 24px; align-items: baseline }
h1 { font-size: 18px; margin: 0 } h2 { font-size: 15px; margin: 0 0 12px } h3 { font-size: 15px; margin: 0 } .dim { color: var(--dim); font-size: 13px }
main { display: grid; grid-template-columns: 380px minmax(0, 1fr); gap: 32px; padding: 24px; max-width: 1360px; margin: auto }
@media (max-width: 860px) { main { grid-template-columns: minmax(0, 1fr); padding: 12px } }
.phone { border: 11px solid #1b2027; border-radius: 44px; background: var(--chat); height: 700px; display: flex; flex-direction: column; overflow: hidden; margin-top: 14px; box-shadow: 0 8px 28px #0003 }
.bar { background: var(--card); border-bottom: 1px solid var(--line); padding: 12px 18px 10px; display: flex; gap: 10px; align-items: center }
.face { width: 34px; height: 34px; border-radius: 50%; background: var(--accent); color: var(--card); display: grid; place-items: center; font-weight: 700; font-size: 13px }
.chat { overflow-y: auto; padding: 14px; flex: 1; display: flex; flex-direction: column-reverse }
.msg { background: var(--card); border: 1px solid var(--line); border-radius: 4px 16px 16px 16px; padding: 12px 14px; overflow-wrap: anywhere; max-width: 340px }
.meta { margin: 4px 0 16px 6px } .logo { max-height: 32px; max-width: 60%; display: block; color: var(--dim); font-size: 12px } .pic { width: 100%; border-radius: 10px }
.title { font-weight: 650; margin: 6px 0 } p { margin: 6px 0 } table { width: 100%; border-collapse: collapse; margin: 6px 0 } td { padding: 3px 0; vertical-align: top }
td:first-child { color: var(--dim); padding-right: 12px; width: 38% } .r1 { color: var(--good) } .r2 { color: var(--accent) } .r3 { color: var(--warn) } .r4 { color: var(--bad) } .r5 { color: var(--dim) }
.btn { display: block; text-align: center; border-top: 1px solid var(--line); margin-top: 8px; padding-top: 8px; color: var(--accent); font-weight: 600 }
.voucher { border: 1px dashed var(--accent); border-radius: 10px; padding: 10px 12px; margin: 8px 0 } .voucher code { font-size: 16px; letter-spacing: .06em }
.stars { font-size: 24px; letter-spacing: 6px; text-align: center; color: var(--warn) }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(330px, 1fr)); gap: 16px; margin-bottom: 28px }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 14px; display: flex; flex-direction: column; gap: 10px }
.screen { background: var(--chat); border-radius: 10px; padding: 12px; flex: 1 }
details { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 10px 14px; margin-bottom: 8px } details .screen { margin-top: 10px }
summary { cursor: pointer; overflow-wrap: anywhere } .tag { border: 1px solid currentcolor; border-radius: 99px; padding: 1px 9px; font-size: 12px; font-weight: 600; margin-left: 6px }
.ENABLE { color: var(--good) } .REJECT { color: var(--bad) } .DISABLE, .DELETE { color: var(--dim) } .PENDING_REVIEW { color: var(--warn) } .reason { color: var(--bad); margin: 6px 0 0 }
form { display: flex; gap: 8px; flex-wrap: wrap } .decide { display: grid; gap: 8px } button { font: inherit; padding: 6px 16px; border-radius: 9px; border: 1px solid var(--line); background: var(--card); color: inherit; cursor: pointer }
button:focus-visible, input:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
button.yes { background: #16713a; border-color: #16713a; color: #fff; flex: 1 } button.no { border-color: var(--bad); color: var(--bad) }
input { font: inherit; padding: 6px 10px; border-radius: 9px; border: 1px solid var(--line); background: var(--ground); color: inherit; min-width: 0; flex: 1 }
.empty { border: 1px dashed var(--line); border-radius: 12px; padding: 18px; color: var(--dim); margin-bottom: 28px }`

function document(title: string, body: string, isLive: boolean): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>${body}${isLive ? `<script>${SCRIPT}</script>` : ''}</body></html>`
}

function picture(mediaId: string, className: string): string {
  if (!mediaId) return ''
  const address = /^https?:\/\//i.test(mediaId) ? mediaId : `/media/${encodeURIComponent(mediaId)}`
  return `<img class="${className}" alt="${className === 'logo' ? 'Logo' : ''}" referrerpolicy="no-referrer" src="${escapeHtml(address)}">`
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
<div class="dim">${[part.startDate, part.endDate]
        .filter((date) => date !== '')
        .map(text)
        .join(' – ')}</div></div>`
    case 'RATING':
      return `<p class="stars" aria-label="1 to 5 stars">☆☆☆☆☆</p>${part.items
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
    ...(message.deliveredCount > 1 ? [`delivered ${message.deliveredCount} times`] : []),
    ...(message.isRepeat ? ['repeated tracking id'] : []),
    ...(message.developmentMode ? ['development mode'] : []),
  ]
  return `<div class="msg">${components(message.layout)
    .map((part) => drawPart(part, message.params))
    .join('')}${drawRating(message)}</div><div class="dim meta">${escapeHtml(notes.join(' · '))}</div>`
}

/** The rating buttons of a message that asks for a rating, as the customer would press them. */
function drawRating(message: Message): string {
  if (!components(message.layout).some((part) => part.kind === 'RATING')) return ''
  const path = `/control/messages/${encodeURIComponent(message.msgId)}/feedback`
  const stars = [1, 2, 3, 4, 5].map((rate) => `<button name="rate" value="${rate}">${rate}★</button>`)
  return `<form method="post" action="${path}">${stars.join('')}</form>`
}

function samples(template: Template): Json {
  return Object.fromEntries(template.params.map((param) => [param.name, param.sampleValue]))
}

function drawLayout(template: Template): string {
  const values = samples(template)
  return `<div class="screen"><div class="msg">${components(template.layout)
    .map((part) => drawPart(part, values))
    .join('')}</div></div>`
}

function verb(template: Template, name: string): string {
  return `/control/templates/${encodeURIComponent(template.id)}/${name}`
}

function drawPending(template: Template): string {
  return `<article class="card"><div><h3>${escapeHtml(template.name)}</h3>
<div class="dim">${escapeHtml(`${template.id} · OA ${template.oaId} · tag ${template.tag}`)}</div></div>
${drawLayout(template)}
${template.note ? `<div class="dim">Note: ${escapeHtml(template.note)}</div>` : ''}
<div class="decide"><form method="post" action="${verb(template, 'approve')}"><button class="yes">Approve</button></form>
<form method="post" action="${verb(template, 'reject')}"><input type="text" name="reason" placeholder="Reasons, separated by ;" aria-label="Reasons"><button class="no">Reject</button></form></div></article>`
}

function drawDecided(template: Template): string {
  const other = template.status === 'ENABLE' ? 'DISABLE' : 'ENABLE'
  const turn = other === 'ENABLE' ? 'Enable' : 'Disable'
  return `<details><summary><b>${escapeHtml(template.name)}</b> <span class="dim">${escapeHtml(
    template.id,
  )}</span><span class="tag ${template.status}">${template.status}</span>${
    template.reason ? `<p class="reason">${escapeHtml(template.reason)}</p>` : ''
  }</summary>${drawLayout(template)}
<form method="post" action="${verb(template, 'status')}"><input type="hidden" name="status" value="${other}"><button>${turn}</button></form></details>`
}

function drawPhone(messages: Message[], to: string): string {
  const sender = messages.at(-1)?.oaId
  const name = sender === undefined ? 'Messages' : `Official account ${sender}`
  return `<div class="phone"><div class="bar"><span class="face" aria-hidden="true">OA</span><div><b>${escapeHtml(name)}</b>
<div class="dim">${to === '' ? 'all customers' : escapeHtml(to)}</div></div></div>
<div class="chat" tabindex="0" aria-label="Messages, newest last"><div>${
    messages.map(drawMessage).join('') ||
    '<p class="dim">No messages yet. Send one with <code>POST /api/external/notify-message/send</code>.</p>'
  }</div></div></div>`
}

function drawDesk(state: State, to: string): string {
  const shown = newestMessages(
    state,
    (message) => message.deliveredCount > 0 && (to === '' || message.recipient === to),
    SHOWN_MESSAGES,
  )
  const templates = [...state.templates.values()].reverse()
  const pending = templates.filter((template) => template.status === 'PENDING_REVIEW')
  const decided = templates.filter((template) => template.status !== 'PENDING_REVIEW')
  const manual =
    state.settings.reviewMs < 0 ? 'manual only' : `automatic after ${state.settings.reviewMs / 1000} s`
  return `<header><h1>Messaging platform simulator</h1><span class="dim">${state.accepted} messages accepted, ${
    state.duplicates
  } repeated · review ${manual}</span></header>
<main><section><h2>Customer’s phone</h2><form method="get" action="/"><input name="to" value="${escapeHtml(
    to,
  )}" placeholder="Phone number or UID" aria-label="Phone number or UID"><button>Show</button></form>
${drawPhone(shown, to)}</section>
<section><h2>Waiting for review (${pending.length})</h2>
${
  pending.length === 0
    ? '<p class="empty">No templates are waiting for review. Publish a template to see it here.</p>'
    : `<div class="cards">${pending.slice(0, SHOWN_TEMPLATES).map(drawPending).join('')}</div>`
}
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
    reply.header('content-security-policy', POLICY)
    return reply
      .type('text/html; charset=utf-8')
      .send(document(template.name, `<main>${drawLayout(template)}</main>`, false))
  })
}
