import { Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { orderTexts } from '../texts.ts'
import classes from './receipt.module.css'
import { ReceiptSheet } from './receipt.tsx'
import { PAPERS, type Paper, usePaper } from './use-paper.ts'

type Sheet = Omit<ComponentProps<typeof ReceiptSheet>, 'paper'>

/** A preview of the receipt, the choice of this device's paper, and the button that prints. */
export function ReceiptPreview(props: Sheet & { opened: boolean; onClose: () => void }) {
  const texts = useTexts(orderTexts)
  const { opened, onClose, ...sheet } = props
  const [paper, setPaper] = usePaper()
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.preview} size="auto" className="no-print">
      <Stack>
        <PaperChoice paper={paper} onChoose={setPaper} />
        <SheetOnTable {...sheet} paper={paper} />
        <Group justify="flex-end">
          <Button
            leftSection={<IconPrinter size={16} aria-hidden />}
            onClick={() => {
              onClose()
              window.print()
            }}
          >
            {texts.print}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function PaperChoice({ paper, onChoose }: { paper: Paper; onChoose: (paper: Paper) => void }) {
  const texts = useTexts(orderTexts)
  return (
    <SegmentedControl
      aria-label={texts.paper}
      data={PAPERS.map((value) => ({ value, label: texts.papers[value] }))}
      value={paper}
      onChange={(chosen) => onChoose(chosen as Paper)}
    />
  )
}

export function SheetOnTable(props: ComponentProps<typeof ReceiptSheet>) {
  return (
    <div className={classes.table}>
      <div className={classes.paper}>
        <ReceiptSheet {...props} />
      </div>
    </div>
  )
}
