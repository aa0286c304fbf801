import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Select } from '../../components/forms/select/select.tsx'
import { useTexts } from '../../texts/language.tsx'
import { byFoldedText, CHOOSE_MARKED } from '../../theme/pickers.ts'
import type { Template } from '../templates/editor/draft.ts'
import { sendableQuery } from './queries.ts'
import { messageTexts } from './texts.ts'

const SEARCH_AFTER_MS = 250

/** A field for choosing a template. The service searches while the person types. */
export function TemplateSelect(props: {
  template: Template | undefined
  withPending?: boolean
  onChange: (template: Template) => void
}) {
  const { template, withPending = false, onChange } = props
  const texts = useTexts(messageTexts)
  const [text, setText] = useState(template?.name ?? '')
  // The name in the box is the chosen template, not a search.
  const [search] = useDebouncedValue(text === template?.name ? '' : text, SEARCH_AFTER_MS)
  const found = useQuery({ ...sendableQuery(search, withPending), placeholderData: keepPreviousData })
  const templates = [...(found.data ?? [])]
  if (template !== undefined && templates.every(({ _id }) => _id !== template._id))
    templates.unshift(template)
  return (
    <Select
      label={texts.template}
      required
      searchable
      wrapperProps={CHOOSE_MARKED}
      allowDeselect={false}
      nothingFoundMessage={texts.noTemplates}
      data={templates.map(({ _id, name }) => ({ value: _id, label: name }))}
      // Until the service has answered, the templates that are loaded are filtered here.
      filter={found.isPlaceholderData ? byFoldedText : ({ options }) => options}
      searchValue={text}
      onSearchChange={setText}
      value={template?._id ?? null}
      onChange={(id) => {
        const chosen = templates.find(({ _id }) => _id === id)
        if (chosen !== undefined) onChange(chosen)
      }}
    />
  )
}
