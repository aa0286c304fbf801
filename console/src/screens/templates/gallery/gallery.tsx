import { Alert, Button, Group, Radio, SegmentedControl, SimpleGrid, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Language } from '../../../texts/catalogue.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { bodyOf, type Draft } from '../editor/draft.ts'
import { Phone } from '../phone.tsx'
import { galleryTexts } from './gallery-texts.ts'
import { draftOfStarter, starterText } from './starter.ts'
import { STARTER_IDS, type StarterId } from './starter-text.ts'

/**
 * The starters to choose from, each with its message. `base` is what the template keeps: its account and logos.
 * `isReplacing`: the choice replaces content that was written.
 */
export function Gallery(props: {
  base: Partial<Draft>
  isReplacing: boolean
  onChoose: (draft: Draft) => void
}) {
  const texts = useTexts(galleryTexts)
  const own = useLanguage().language
  const [language, setLanguage] = useState(own)
  const [id, setId] = useState<StarterId>(STARTER_IDS[0]!)
  const draft = draftOfStarter(id, language, props.base)
  return (
    <Stack>
      <SegmentedControl
        aria-label={texts.language}
        value={language}
        onChange={(value) => setLanguage(value as Language)}
        data={Object.entries(texts.languages).map(([value, label]) => ({ value, label }))}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Radio.Group
          aria-label={texts.title}
          value={id}
          onChange={(value) => setId(value as StarterId)}
          mah={{ base: 260, sm: 520 }}
          style={{ overflowY: 'auto' }}
        >
          <Stack gap="sm">
            {STARTER_IDS.map((one) => (
              <Radio
                key={one}
                value={one}
                label={starterText(one, own).name}
                description={starterText(one, own).note}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Phone shown={bodyOf(draft)} of={starterText(id, own).name} />
      </SimpleGrid>
      {props.isReplacing && <Alert color="orange">{texts.replaces}</Alert>}
      <Group justify="flex-end">
        <Button onClick={() => props.onChoose(draft)}>{texts.choose}</Button>
      </Group>
    </Stack>
  )
}
