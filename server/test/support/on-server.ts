import pg from 'pg'

/** Runs one statement on a PostgreSQL, with a connection of its own. */
export async function onServer(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Makes the database `name` as a copy of `template`, to which nobody may be connected then. */
export async function copyOnServer(server: string, template: string, name: string): Promise<string> {
  await onServer(server, `create database ${name} template ${template}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
