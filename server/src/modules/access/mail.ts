import type { Deps } from '../../deps.ts'
import { fillText, type Language, textsIn } from '../../texts/catalogue.ts'
import type { Texts } from '../../texts/en.ts'

/** `path` is the link's path on this service; `values` are inserted into the text. */
export type Mail = {
  kind: keyof Texts['mail']
  to: string
  language: Language
  path: string
  values?: Record<string, string>
}

/**
 * Sends the mail that `write` composes, in the background. A failure is only logged: a response that waited for it or reported it
 * would reveal whether the address has an account.
 */
export type SendMail = (write: () => Mail | Promise<Mail>) => void

/** Short, since the mail server is expected to be near. */
const TIMEOUT_MS = 10_000

/** Sends through the SMTP server of the settings; undefined without one: links are then handed over by hand. */
export function mailer({
  config: { mail },
  mailCounts,
  log,
}: Pick<Deps, 'config' | 'mailCounts' | 'log'>): SendMail | undefined {
  if (mail === undefined) return undefined
  const { smtpUrl, from, publicUrl } = mail

  async function send({ kind, to, language, path, values }: Mail): Promise<void> {
    const transport = await transportTo(smtpUrl)
    const { subject, text } = textsIn(language).mail[kind]
    const filled = { ...values, link: `${publicUrl}${path}` }
    await transport.sendMail({ from, to, subject: fillText(subject, filled), text: fillText(text, filled) })
  }

  return (write) => {
    Promise.resolve()
      .then(write)
      .then(send)
      .then(() => {
        mailCounts.sent += 1
      })
      .catch((error: { code?: unknown; responseCode?: unknown }) => {
        // Not the error itself: it contains the address, and may contain the server's password.
        const { code, responseCode } = error
        mailCounts.failed += 1
        const server = new URL(smtpUrl).host
        log.error(
          { part: 'mail', server, code, responseCode },
          'an email could not be sent: run shopbell doctor',
        )
      })
  }
}

/**
 * Signs in to the SMTP server without sending anything.
 * @throws an error with a `code` of the library, such as `EAUTH`, and perhaps the server's `responseCode`.
 */
export async function checkMailServer(smtpUrl: string): Promise<void> {
  const transport = await transportTo(smtpUrl)
  await transport.verify().finally(() => transport.close())
}

async function transportTo(smtpUrl: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  })
}
