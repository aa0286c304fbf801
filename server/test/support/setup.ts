import { afterAll } from 'vitest'
import { killLeftServices } from './process.ts'
import { failOnBreaches } from './statement-check.ts'

failOnBreaches()
afterAll(killLeftServices)
