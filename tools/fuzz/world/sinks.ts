import { createServer as createHttp } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/**
 * The receivers that the service sends to: webhook endpoints and a mail server. They accept everything and keep
 * nothing.
 */
export type Sinks = { webhookUrl: string; smtpUrl: string; close(): void }

export async function openSinks(): Promise<Sinks> {
  const webhooks = createHttp((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(204).end())
  })
  const mail = createServer(takeMail)
  const [httpPort, smtpPort] = [await listen(webhooks), await listen(mail)]
  return {
    webhookUrl: `http://127.0.0.1:${httpPort}`,
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    close() {
      webhooks.closeAllConnections()
      webhooks.close()
      mail.close()
    },
  }
}

/** Enough of RFC 5321 for a client that sends one mail after another. */
function takeMail(socket: Socket): void {
  let rest = ''
  let isData = false
  socket.on('error', () => {})
  socket.unref()
  socket.write('220 fuzz ESMTP\r\n')
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    rest += chunk
    for (;;) {
      const mark = isData ? '\r\n.\r\n' : '\r\n'
      const end = rest.indexOf(mark)
      if (end === -1) return
      const line = rest.slice(0, end)
      rest = rest.slice(end + mark.length)
      if (!isData && /^DATA/i.test(line)) {
        isData = true
        socket.write('354 go on\r\n')
        continue
      }
      isData = false
      socket.write(/^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n')
    }
  })
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
