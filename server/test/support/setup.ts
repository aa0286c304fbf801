import { failOnBreaches } from './statement-check.ts'

failOnBreaches()
