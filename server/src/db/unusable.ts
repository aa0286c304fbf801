/** A database that the service must not start on. The message is the one line that the start prints. */
export class DatabaseUnusable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DatabaseUnusable'
  }
}
