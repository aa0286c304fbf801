import { Code, Text } from '@mantine/core'
import { Fragment } from 'react'
import { formatNumber, formatTime, formatVnd } from '../../format.ts'
import { shellTexts } from '../../shell/texts.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { settingsTexts } from '../settings/texts.ts'
import { auditTexts } from './audit-texts.ts'

/** These details are lists; any other pair is a change. */
const LISTS = ['scopes', 'credentials']
const AMOUNTS = ['amount', 'balance']
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/**
 * `Tên: Cũ → Mới, Vai trò: Nhân viên`. A change is `[before, after]`. A detail without a name in the screens is shown
 * unchanged, and an empty one is left out.
 */
export function AuditDetail({ detail }: { detail: Record<string, unknown> }) {
  const { names } = useTexts(auditTexts)
  const wordOf = useWords()
  const given = Object.entries(detail).filter(([, value]) => !isEmpty(value))
  return (
    <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
      {given.map(([name, value], at) => (
        <Fragment key={name}>
          {at > 0 && ', '}
          {Object.hasOwn(names, name) ? names[name as keyof typeof names] : <Code>{name}</Code>}
          {': '}
          {Array.isArray(value) && value.length === 2 && !LISTS.includes(name)
            ? `${wordOf(name, value[0])} → ${wordOf(name, value[1])}`
            : wordOf(name, value)}
        </Fragment>
      ))}
    </Text>
  )
}

const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)

/** A value in the reader's words: those for its detail's name, else those for the API's word, else unchanged. */
function useWords(): (name: string, value: unknown) => string {
  const { values, languages } = useTexts(auditTexts)
  const { roleNames } = useTexts(shellTexts)
  const { keys } = useTexts(settingsTexts)
  const { language } = useLanguage()
  const ofName: Record<string, Record<string, string>> = {
    role: roleNames,
    scopes: keys.scope,
    language: languages,
    oversell: values,
  }
  return function wordOf(name, value): string {
    if (Array.isArray(value)) return value.map((one) => wordOf(name, one)).join(', ')
    if (typeof value === 'number')
      return AMOUNTS.includes(name) ? formatVnd(value, language) : formatNumber(value, language)
    if (value === '') return values.null
    if (value === null || typeof value === 'boolean') return values[String(value) as keyof typeof values]
    if (typeof value !== 'string') return JSON.stringify(value)
    return ofName[name]?.[value] ?? (INSTANT.test(value) ? formatTime(value, language) : value)
  }
}
