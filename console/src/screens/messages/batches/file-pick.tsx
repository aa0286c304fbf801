import { FileInput, Text, Textarea } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { CHOOSE_AGAIN } from '../../../components/forms/choose-again.ts'
import { formatNumber } from '../../../format.ts'
import { Explained } from '../../../help/whats-this.tsx'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { batchTexts } from './batch-texts.ts'
import type { Sheet } from './sheet.ts'

/** Takes rows from a file, or pasted from a spreadsheet. */
export function FilePick(props: {
  sheet: Sheet | undefined
  pasted: string
  onOpen: (file: File | null) => void
  onPaste: (text: string) => void
}) {
  const { sheet, pasted, onOpen, onPaste } = props
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  return (
    <div>
      <Explained term="csv" of={texts.file}>
        <FileInput
          label={texts.file}
          description={texts.fileHint}
          required={pasted === ''}
          accept=".xlsx,.xls,.csv,.txt,text/csv"
          placeholder={sheet?.name ?? 'khach-hang.csv'}
          leftSection={<IconFileSpreadsheet size={16} />}
          fileInputProps={CHOOSE_AGAIN}
          onChange={onOpen}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault()
            onOpen(event.dataTransfer.files[0] ?? null)
          }}
        />
      </Explained>
      <Textarea
        mt="xs"
        label={texts.paste}
        description={texts.pasteHint}
        rows={2}
        value={pasted}
        onChange={(event) => onPaste(event.currentTarget.value)}
      />
      {sheet !== undefined && (
        <Text size="sm" mt={4}>
          {sheet.name} · {texts.rows(formatNumber(sheet.rows.length, language))}
        </Text>
      )}
    </div>
  )
}
