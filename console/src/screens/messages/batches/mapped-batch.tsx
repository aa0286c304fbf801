import { Alert } from '@mantine/core'
import type { ComponentProps } from 'react'
import { Card } from '../../../components/page.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { BatchMapping } from './batch-mapping.tsx'
import { BatchPreview } from './batch-preview.tsx'
import { BatchTest } from './batch-test.tsx'
import { batchTexts } from './batch-texts.ts'
import { type Mapping, unmappedParams } from './plan-batch.ts'
import { BatchSending } from './sending/batch-sending.tsx'

/** The rows of a batch with their template: the mapping of columns, the first bubbles, a test to oneself, then check and sending. */
export function MappedBatch(
  props: ComponentProps<typeof BatchSending> & {
    isFixedChannel: boolean
    onMap: (mapping: Mapping) => void
  },
) {
  const { isFixedChannel, onMap, ...batch } = props
  const { sheet, template, mapping } = batch
  const texts = useTexts(batchTexts)
  const open = [
    ...(mapping.recipient === null ? [texts.recipient] : []),
    ...unmappedParams(template, mapping).map(({ label }) => label),
  ]
  return (
    <>
      <BatchMapping
        header={sheet.header}
        firstRow={sheet.rows[0]!}
        isFixedChannel={isFixedChannel}
        template={template}
        mapping={mapping}
        onChange={onMap}
      />
      <BatchPreview sheet={sheet} template={template} mapping={mapping} />
      {open.length > 0 ? (
        <Alert color="gray">{texts.unmapped(open.join(', '))}</Alert>
      ) : (
        <>
          <Card isForm>
            <BatchTest
              key={`${template._id} ${mapping.channel}`}
              sheet={sheet}
              template={template}
              mapping={mapping}
            />
          </Card>
          <BatchSending key={JSON.stringify([template._id, sheet.opened, mapping])} {...batch} />
        </>
      )}
    </>
  )
}
