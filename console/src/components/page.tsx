import { Alert, Button, Loader, Stack, Text, Title } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { useIsAway } from '../api/connection.ts'
import { NotSaved, Problem } from '../api/problem.ts'
import type { Term } from '../help/term-texts.ts'
import { WhatsThis } from '../help/whats-this.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import { AwayNote } from './away-note.tsx'
import { BackLink } from './back-link.tsx'
import classes from './page.module.css'

/** A screen: a record's way back to its list, its title (also the window's), its actions on the right, its content. `term` explains the title. `code`: what the open record is known by. */
export function Page(props: {
  title: string
  term?: Term
  code?: string | undefined
  subtitle?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${props.title} · Shopbell`
  }, [props.title])
  return (
    <div className={classes.page} data-code={props.code || undefined}>
      <div className={classes.head}>
        <div className={classes.names}>
          <BackLink />
          <div className={classes.explained}>
            <Title order={1} size="h2">
              {props.title}
            </Title>
            {props.term !== undefined && <WhatsThis term={props.term} of={props.title} />}
          </div>
          {props.subtitle && (
            <Text c="dimmed" component="div">
              {props.subtitle}
            </Text>
          )}
        </div>
        {props.actions !== undefined && (
          <div className={`${classes.actions} no-print`} data-page-actions>
            {props.actions}
          </div>
        )}
      </div>
      {props.children}
    </div>
  )
}

/** `isForm`: no wider than a short form needs. `term` explains the title, which must then be text. */
export function Card({
  title,
  term,
  children,
  actions,
  isForm,
}: {
  title?: ReactNode
  term?: Term
  children: ReactNode
  actions?: ReactNode
  isForm?: boolean
}) {
  return (
    <div className={classes.card} data-form={isForm || undefined}>
      {title !== undefined && (
        <div className={classes.cardHead}>
          <div className={classes.explained}>
            <Title order={2} size="h4">
              {title}
            </Title>
            {term !== undefined && <WhatsThis term={term} of={String(title)} />}
          </div>
          {actions}
        </div>
      )}
      {children}
    </div>
  )
}

/** An empty list: what it is for, and what to do next. */
export function EmptyState({ title, hint, action }: { title: string; hint: string; action?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <EmptyPicture />
      <Text fw={600}>{title}</Text>
      <Text c="dimmed">{hint}</Text>
      {action}
    </div>
  )
}

/** An open box with a bell above it. */
function EmptyPicture() {
  return (
    <svg width="96" height="72" viewBox="0 0 96 72" fill="none" aria-hidden="true">
      <ellipse cx="48" cy="64" rx="40" ry="5" fill="var(--sunk)" />
      <path d="M20 34h56l-5 28H25z" fill="var(--indigo-soft)" stroke="var(--indigo-line)" strokeWidth="1.5" />
      <path
        d="m20 34-8-9h24l12 9zM76 34l8-9H60l-12 9z"
        fill="var(--surface)"
        stroke="var(--indigo-line)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      <path
        d="M48 6a8 8 0 0 0-8 8c0 6-2 8-3 9h22c-1-1-3-3-3-9a8 8 0 0 0-8-8Zm-2 19a2 2 0 0 0 4 0"
        fill="var(--gold-soft)"
        stroke="var(--gold)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  )
}

export function Waiting() {
  const texts = useTexts(common)
  return (
    <div className={classes.waiting} role="status" aria-label={texts.loading}>
      <Loader />
    </div>
  )
}

/** `children` are further information about the problem. */
export function ProblemNote(props: { error: unknown; onRetry?: () => void; children?: ReactNode }) {
  const { error, onRetry, children } = props
  const texts = useTexts(common)
  if (error instanceof NotSaved) return null
  const requestId = error instanceof Problem ? error.requestId : undefined
  return (
    <Alert color="red" icon={<IconAlertCircle />} title={texts.failed} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{sentenceOf(error, texts.offline)}</Text>
        {children}
        {requestId !== undefined && (
          <details className={classes.details}>
            <summary>{texts.details}</summary>
            {texts.requestId}: <code>{requestId}</code>
          </details>
        )}
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {texts.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** A sentence for any error: the service's own, or that it could not be reached. */
export function sentenceOf(error: unknown, offline: string): string {
  return error instanceof Problem ? error.message : offline
}

/** Replaces a page that could not be shown. If the service was unavailable, the page loads by itself when it is back. */
export function PageProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const texts = useTexts(common)
  const isAway = useIsAway()
  if (isMissingPart(error) && !isAway) {
    return (
      <div className={classes.problem}>
        <Alert color="yellow" icon={<IconAlertCircle />} title={texts.newVersion} role="alert">
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{texts.newVersionHint}</Text>
            <Button size="xs" variant="default" onClick={() => location.reload()}>
              {texts.reload}
            </Button>
          </Stack>
        </Alert>
      </div>
    )
  }
  return (
    <div className={classes.problem}>
      <AwayNote onBack={onRetry} />
      <ProblemNote error={error} onRetry={onRetry} />
    </div>
  )
}

/**
 * Whether a part of the console could not be fetched: after an update, the parts that an open page names are gone. As Chromium, Firefox
 * and Safari word it.
 */
function isMissingPart(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|Importing a module script failed/.test(error.message)
  )
}

/**
 * Renders a query's three states. `waiting` is shown while there is no content yet, but not while the service is unavailable: the
 * attempts of a request may take a minute, and it is made again when the service is back.
 */
export function Loaded<T>({
  query,
  waiting = <Waiting />,
  children,
}: {
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  waiting?: ReactNode
  children: (data: T) => ReactNode
}) {
  const isAway = useIsAway()
  if (query.data !== undefined) return children(query.data)
  if (query.error || isAway) return <ProblemNote error={query.error} onRetry={() => query.refetch()} />
  return waiting
}
