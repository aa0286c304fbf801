// The tools that run the service under load or hostile requests check the same invariants.
export { checkInvariants } from '../../../tools/shared/invariants.ts'
