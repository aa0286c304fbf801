import { SimpleGrid, TextInput } from '@mantine/core'
import { useTexts } from '../../../../texts/language.tsx'
import { useParamField } from '../param-insert.tsx'
import { editorTexts } from '../texts.ts'
import type { BlockProps } from './block-fields.tsx'

export function VoucherFields({ index }: BlockProps) {
  const texts = useTexts(editorTexts)
  const path = `contentBlocks.${index}.voucher`
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={texts.voucherTitle}
        required
        {...useParamField(`${path}.title`, texts.voucherTitle)}
      />
      <TextInput label={texts.voucherCode} required {...useParamField(`${path}.code`, texts.voucherCode)} />
      <TextInput
        label={texts.voucherStart}
        {...useParamField(`${path}.startDate`, texts.voucherStart, texts.dateHint)}
      />
      <TextInput
        label={texts.voucherEnd}
        required
        {...useParamField(`${path}.expiryDate`, texts.voucherEnd, texts.dateHint)}
      />
      <TextInput
        label={texts.voucherCondition}
        required
        style={{ gridColumn: '1 / -1' }}
        {...useParamField(`${path}.condition`, texts.voucherCondition)}
      />
    </SimpleGrid>
  )
}
