import type { Db } from '../../src/db/client.ts'

/**
 * How a transaction fails: before it begins, at the end of its work, or after its commit. `beforeBegin` runs before it,
 * `beforeCommit` while it holds its locks.
 */
export type TransactionFault = {
  before?: Error
  beforeBegin?: () => Promise<void>
  beforeCommit?: () => Promise<void>
  within?: Error
  after?: () => Promise<Error>
}

/** Wraps the database so that its n-th transaction (from 0) fails as `faultOf` says. */
export function failingTransactions(db: Db, faultOf: (n: number) => TransactionFault | undefined): Db {
  let begun = 0
  const transaction = () => ({
    async execute(work: (trx: Db) => Promise<unknown>) {
      const fault = faultOf(begun++)
      if (fault?.before !== undefined) throw fault.before
      await fault?.beforeBegin?.()
      const result = await db.transaction().execute(async (trx) => {
        const done = await work(trx)
        await fault?.beforeCommit?.()
        if (fault?.within !== undefined) throw fault.within
        return done
      })
      if (fault?.after !== undefined) throw await fault.after()
      return result
    },
  })
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') return transaction
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
