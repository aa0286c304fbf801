import { Alert } from '@mantine/core'
import { type ComponentProps, useMemo } from 'react'
import { Card } from '../../../../components/page.tsx'
import { useTexts } from '../../../../texts/language.tsx'
import { batchTexts } from '../batch-texts.ts'
import { type Mapping, unmappedParams } from '../plan-batch.ts'
import { BatchSending } from '../sending/batch-sending.tsx'
import { BatchMapping } from './batch-mapping.tsx'
import { BatchPreview } from './batch-preview.tsx'
import { BatchTest } from './batch-test.tsx'
import { formChoices, withForms } from './form-choices.ts'

/** The rows of a batch with their template: the mapping of columns, the first bubbles, a test to oneself, then check and sending. */
export function MappedBatch(
  props: ComponentProps<typeof BatchSending> & {
    isFixedChannel: boolean
    onMap: (mapping: Mapping) => void
  },
) {
  const { isFixedChannel, onMap, mapping: chosen, ...batch } = props
  const { sheet, template } = batch
  const texts = useTexts(batchTexts)
  const { params } = chosen
  // The values of the shop's customers already are as a message has them.
  const choices = useMemo(
    () => (isFixedChannel ? {} : formChoices(sheet, template, params)),
    [isFixedChannel, sheet, template, params],
  )
  const mapping = useMemo(() => withForms(chosen, choices), [chosen, choices])
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
        mapping={chosen}
        choices={choices}
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
          <BatchSending
            key={JSON.stringify([template._id, sheet.opened, mapping])}
            {...batch}
            mapping={mapping}
          />
        </>
      )}
    </>
  )
}
