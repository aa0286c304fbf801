import { SimpleGrid, TextInput } from '@mantine/core'
import { useTexts } from '../../../texts/language.tsx'
import type { BlockProps } from './block-fields.tsx'
import { useField } from './context.tsx'
import { editorTexts } from './texts.ts'

export function VoucherFields({ index }: BlockProps) {
  const texts = useTexts(editorTexts)
  const path = `contentBlocks.${index}.voucher`
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label={texts.voucherTitle} required {...useField(`${path}.title`)} />
      <TextInput label={texts.voucherCode} required {...useField(`${path}.code`)} />
      <TextInput label={texts.voucherStart} {...useField(`${path}.startDate`, texts.dateHint)} />
      <TextInput label={texts.voucherEnd} required {...useField(`${path}.expiryDate`, texts.dateHint)} />
      <TextInput
        label={texts.voucherCondition}
        required
        style={{ gridColumn: '1 / -1' }}
        {...useField(`${path}.condition`)}
      />
    </SimpleGrid>
  )
}
