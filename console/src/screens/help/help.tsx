import { Anchor, List, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Card, Page } from '../../components/page.tsx'
import { type Term, termTexts } from '../../help/term-texts.ts'
import { OperatorContact } from '../../shell/operator-contact.tsx'
import { shellTexts } from '../../shell/texts.ts'
import { common } from '../../texts/common.ts'
import { fold } from '../../texts/fold.ts'
import { useTexts } from '../../texts/language.tsx'
import { helpTexts, SCREENS, type Topic } from './texts.ts'

/** Daily tasks of a shop step by step, and explanations of difficult terms. The search ignores accents. */
export function Help() {
  const texts = useTexts(helpTexts)
  const terms = useTexts(termTexts)
  const { nothingFound } = useTexts(common)
  const [search, setSearch] = useState('')
  const words = fold(search).split(/\s+/)
  const isMeant = (text: string) => words.every((word) => fold(text).includes(word))
  const topics = (Object.keys(texts.topics) as Topic[]).filter((name) =>
    isMeant(Object.values(texts.topics[name]).join(' ')),
  )
  const meanings = (Object.keys(terms) as Term[]).filter((name) =>
    isMeant(Object.values(terms[name]).join(' ')),
  )
  return (
    <Page title={texts.title}>
      <Stack maw={880}>
        <TextInput
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          leftSection={<IconSearch size={16} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <OperatorContact />
        {topics.length + meanings.length === 0 && <Text role="status">{nothingFound}</Text>}
        {topics.map((name) => (
          <Guide key={name} name={name} />
        ))}
        {meanings.length > 0 && (
          <Card title={texts.terms}>
            <Stack component="dl" m={0}>
              {meanings.map((name) => (
                <div key={name}>
                  <Text component="dt" fw={600}>
                    {terms[name].name}
                  </Text>
                  <Text component="dd" m={0}>
                    {terms[name].text}
                  </Text>
                </div>
              ))}
            </Stack>
          </Card>
        )}
      </Stack>
    </Page>
  )
}

function Guide({ name }: { name: Topic }) {
  const { topics, open } = useTexts(helpTexts)
  const { items } = useTexts(shellTexts)
  const { title, steps } = topics[name]
  const screen = name in SCREENS ? SCREENS[name as keyof typeof SCREENS] : undefined
  return (
    <Card
      title={title}
      actions={
        screen !== undefined && (
          <Anchor component={Link} to={screen.to} size="sm">
            {open(items[screen.item])}
          </Anchor>
        )
      }
    >
      <List type="ordered" spacing="xs">
        {steps.split('\n').map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
    </Card>
  )
}
