import { randomInt } from 'node:crypto'

/** An address that no other test calls from: failures, sign-ins and wrong signatures are counted by it. */
export const freshAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
