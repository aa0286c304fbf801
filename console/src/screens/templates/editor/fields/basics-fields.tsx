import { Alert, Anchor, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import type { OfficialAccount } from '../../../../api/rows.ts'
import { Select } from '../../../../components/forms/select/select.tsx'
import { Card } from '../../../../components/page.tsx'
import { Explained } from '../../../../help/whats-this.tsx'
import { useSession } from '../../../../shell/session.tsx'
import { useTexts } from '../../../../texts/language.tsx'
import { templateTexts } from '../../texts.ts'
import { useEditor, useField } from '../context.tsx'
import { type Block, type Draft, newBlock } from '../draft.ts'
import { useParamField } from '../param-insert.tsx'
import { editorTexts } from '../texts.ts'

const options = (texts: Record<string, string>) =>
  Object.entries(texts).map(([value, label]) => ({ value, label }))

export function BasicsFields({ accounts }: { accounts: OfficialAccount[] }) {
  const texts = useTexts(editorTexts)
  const words = useTexts(templateTexts)
  const { isOwner } = useSession()
  const chooseType = useTypeChange()
  const type = useField('templateType')
  return (
    <Card title={texts.basics}>
      <Stack>
        {accounts.length === 0 && (
          <Alert color="orange">
            {texts.noAccount}{' '}
            {isOwner ? (
              <Anchor
                component={Link}
                to="/settings"
                search={{ tab: 'accounts' } as never}
                underline="always"
                inherit
              >
                {texts.connect}
              </Anchor>
            ) : (
              texts.askOwner
            )}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={texts.name} required {...useField('name', texts.nameHint)} />
          <Select
            label={words.account}
            required
            allowDeselect={false}
            data={accounts.map(({ oaId, name }) => ({ value: oaId, label: name }))}
            {...useField('oaId')}
          />
          <Select
            label={words.type}
            required
            allowDeselect={false}
            data={options(words.types)}
            {...type}
            onChange={(value) => value !== null && chooseType(value as Draft['templateType'])}
          />
          <Explained term="tag" of={words.tag}>
            <Select
              label={words.tag}
              required
              allowDeselect={false}
              data={options(words.tags)}
              {...useField('tag')}
            />
          </Explained>
        </SimpleGrid>
        <TextInput label={texts.title} required {...useParamField('title', texts.title, texts.textHint)} />
        <Textarea label={texts.note} autosize minRows={1} {...useField('note', texts.noteHint)} />
        <TextInput label={texts.description} {...useField('description')} />
      </Stack>
    </Card>
  )
}

/**
 * A voucher or rating template has one block of its type. When a type is chosen again, its earlier block returns with
 * its content.
 */
function useTypeChange(): (type: Draft['templateType']) => void {
  const { form } = useEditor()
  const left = useRef(new Map<string, Block>())
  return (type) => {
    const { contentBlocks } = form.values
    const kept = contentBlocks.filter((block) => block.type === 'paragraph' || block.type === 'table')
    for (const block of contentBlocks) if (!kept.includes(block)) left.current.set(block.type, block)
    const special = type === 'custom' ? [] : [left.current.get(type) ?? newBlock(type)]
    form.setValues({ templateType: type, contentBlocks: [...kept, ...special] })
  }
}
