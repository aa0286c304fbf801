// The tools that run the service under load or hostile requests check the same.
export { checkInvariants } from '../../../tools/shared/invariants.ts'
