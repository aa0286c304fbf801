import type { Config } from './config.ts'

export type SendMail = (mail: { to: string; subject: string; text: string }) => Promise<void>

/** Sends through the SMTP server of the settings; undefined without one: links are handed over by hand then. */
export function mailer(mail: Config['mail']): SendMail | undefined {
  if (mail === undefined) return undefined
  return async (message) => {
    const { createTransport } = await import('nodemailer')
    await createTransport(mail.smtpUrl).sendMail({ from: mail.from, ...message })
  }
}
