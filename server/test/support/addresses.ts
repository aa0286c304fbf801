import { randomInt } from 'node:crypto'

/** An address that no other test uses, because failures, sign-ins and wrong signatures are counted by address. */
export const freshAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
