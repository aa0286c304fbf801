import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type ReceivedMail = { to: string; from: string; subject: string; text: string }

/**
 * An SMTP server that keeps the mails that it receives (RFC 5321, only what a client needs). `refuses` answers every
 * recipient with 550, `locked` every password with 535. It is closed with the test.
 */
export async function smtpServer({ refuses = false, locked = false } = {}): Promise<{
  url: string
  mails: ReceivedMail[]
}> {
  const mails: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    let envelope = { from: '', to: '' }
    let rest = ''
    let isData = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 test ESMTP')
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      rest += chunk
      for (;;) {
        const end = rest.indexOf(isData ? '\r\n.\r\n' : '\r\n')
        if (end === -1) return
        const text = rest.slice(0, end)
        rest = rest.slice(end + (isData ? 5 : 2))
        if (isData) {
          isData = false
          mails.push({ ...envelope, ...readMail(text) })
          say('250 taken')
        } else if (/^(EHLO|HELO)/i.test(text)) say(locked ? '250-test\r\n250 AUTH PLAIN' : '250 test')
        else if (/^AUTH/i.test(text)) say('535 wrong password')
        else if (/^MAIL FROM:/i.test(text)) {
          envelope = { from: addressIn(text), to: '' }
          say('250 ok')
        } else if (/^RCPT TO:/i.test(text)) {
          envelope.to = addressIn(text)
          say(refuses ? `550 no such mailbox: ${envelope.to}` : '250 ok')
        } else if (/^DATA/i.test(text)) {
          isData = true
          say('354 go on')
        } else if (/^QUIT/i.test(text)) socket.end('221 bye\r\n')
        else say('502 unknown')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, mails }
}

function addressIn(command: string): string {
  return /<([^>]*)>/.exec(command)?.[1] ?? ''
}

function readMail(source: string): { subject: string; text: string } {
  const [head = '', ...body] = source.split('\r\n\r\n')
  const headers = head.replace(/\r\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1] ?? ''
  const encoded = body.join('\r\n\r\n').replace(/^\.\./gm, '.')
  const encoding = header('content-transfer-encoding')
  const text =
    encoding === 'base64'
      ? Buffer.from(encoded, 'base64').toString()
      : encoding === 'quoted-printable'
        ? unquoted(encoded)
        : encoded
  const subject = header('subject')
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('latin1')
        : unquoted(word.replace(/_/g, ' '), 'latin1'),
    )
  const isEncoded = /=\?utf-8/i.test(header('subject'))
  return { subject: isEncoded ? Buffer.from(subject, 'latin1').toString() : subject, text }
}

function unquoted(text: string, charset: 'utf8' | 'latin1' = 'utf8'): string {
  const bytes = text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString(charset)
}
